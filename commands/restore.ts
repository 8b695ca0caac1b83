import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { readEnv } from '@handwise/server/env';
import { loadEmbedded } from './with-database.ts';

// `npm run restore`: restores the site of a backup into an empty DATA_DIR.
const usage = 'npm run restore -- <folder> [--until <time with its zone, such as 2026-11-22T18:30:00+13:00>] [--yes]';
const log = (line: string) => console.log(line);

try {
  const { values, positionals } = parseArgs({ options: { until: { type: 'string' }, yes: { type: 'boolean' } }, allowPositionals: true });
  const [path] = positionals;
  if (!path) throw new Error(usage);
  const until = values.until === undefined ? null : getMoment(values.until);
  const env = readEnv(process.env);
  if (env.databaseUrl)
    throw new Error('DATABASE_URL names a database of your own: restore it with pgBackRest, as docs/operations.md says.');
  const [{ openFolder }, { faultsOfCopy, planRestore, refuseLiving, restore }] = await loadEmbedded(() =>
    Promise.all([import('@handwise/sandbox/backup/backup-folder'), import('@handwise/sandbox/backup/restore')]),
  );
  refuseLiving(env.dataDir);
  const folder = openFolder(path);
  const plan = planRestore(folder, until);
  log(
    `From ${join(folder.root, plan.base)}, a copy of ${plan.manifest.wholeAt}, ${until ? `with what was written until ${until.toISOString()}` : 'with all that was written since'}, into ${env.dataDir}.`,
  );
  const faults = await faultsOfCopy(folder, plan);
  if (faults.length > 0)
    throw new Error(`the copy is damaged: ${faults.slice(0, 5).join(', ')}${faults.length > 5 ? ` and ${faults.length - 5} more` : ''}`);
  log(`Its ${Object.keys(plan.manifest.sha256).length} files are as they were written.`);
  if (!values.yes) await confirm();
  const startedAt = Date.now();
  const { lastChangeAt, files, missing } = await restore(env.dataDir, folder, plan);
  log(`Restored in ${((Date.now() - startedAt) / 1000).toFixed(1)} s, with ${files} stored files.`);
  log(
    `The last change that is there: ${lastChangeAt?.toISOString() ?? 'none since the copy'}. What was done after it is lost here, and payments are searched for at the provider.`,
  );
  if (missing.length > 0) {
    log(`${missing.length} files that the database names are missing or damaged, such as ${missing[0]}. The site runs without them.`);
    process.exitCode = 1;
  }
  const keys = { 'account-keys.json': env.accountKeys, 'prize-keys.json': env.prizeKeys, 'log-key': env.logKey };
  const unset = Object.entries(keys).flatMap(([name, key]) => (key === null && !existsSync(join(env.dataDir, name)) ? [name] : []));
  if (unset.length > 0)
    log(
      `BEFORE YOU START THE SITE put these keys into ${env.dataDir}: ${unset.join(', ')}. Without them it does not start, because nothing else can read what was encrypted with them.`,
    );
  log('Then: start it, npm run audit -- --provider, npm run backup. docs/operations.md says the rest.');
} catch (error) {
  console.error(`Nothing was restored: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function getMoment(text: string): Date {
  // Without a zone, the time would depend on the machine.
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(Date.parse(text))) throw new Error(usage);
  return new Date(text);
}

async function confirm(): Promise<void> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await reader.question('Type “restore” to go on: ');
  reader.close();
  if (answer.trim() !== 'restore') throw new Error('it was not confirmed');
}
