import { openRunFolder } from '../runs/run-folder.ts';
import { drillBackRest, findBackRest } from './pgbackrest.ts';

const inMegabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;

/** The part of `npm run restore:drill` with a PostgreSQL of one's own. False if the moment is not there exactly; true if pgBackRest is missing. */
export async function restoreByBackRest(log: (line: string) => void): Promise<boolean> {
  const found = findBackRest();
  if ('missing' in found) {
    log(`Not tried: a restore by pgBackRest, because ${found.missing}`);
    return true;
  }
  const run = openRunFolder('handwise-pgbackrest-');
  try {
    const drill = await drillBackRest(run.path, found.programs);
    log(`PostgreSQL ${drill.version} with pgBackRest:
  backup under writes: ${inMegabytes(drill.databaseBytes)}, compressed ${inMegabytes(drill.backupBytes)}, in ${drill.backupSeconds.toFixed(1)} s
  restored to a moment: ${drill.restoreSeconds.toFixed(1)} s
  rows of before the moment: ${drill.restored} of ${drill.before}; of after it: ${drill.after}
  ${drill.tested}`);
    return drill.restored === drill.before && drill.after === 0;
  } finally {
    await run.close();
  }
}
