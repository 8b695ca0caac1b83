import { parseArgs } from 'node:util';
import { readEnv } from '@handwise/server/env';
import { loadEmbedded } from './with-database.ts';

// `npm run backup`: copies the database and the stored files, whether the site is running or not. Exits with 0, with 2 if stored files were missing, and
// with 1 if no backup was made.
const usage = 'npm run backup -- <folder> [--keep <days>] [--keys <another folder>]';

try {
  const { values, positionals } = parseArgs({ options: { keep: { type: 'string' }, keys: { type: 'string' } }, allowPositionals: true });
  const env = readEnv(process.env);
  const path = positionals[0] ?? env.backup?.dir;
  const keepDays = Number(values.keep ?? 14);
  if (!path || !(keepDays >= 1)) throw new Error(usage);
  if (env.databaseUrl)
    throw new Error('DATABASE_URL names a database of your own: back it up with pgBackRest, as docs/operations.md says.');
  const { backUp } = await loadEmbedded(() => import('@handwise/sandbox/backup/site-backup'));
  const missing = await backUp(env, { path, keepDays, keys: values.keys });
  if (missing.length > 0) {
    console.error([`${missing.length} stored files that the database names are not in the backup:`, ...missing].join('\n  '));
    process.exitCode = 2;
  }
  if (env.backup === null)
    console.log(
      'It does not include what is written from now on. Start the site with BACKUP_DIR for a backup that follows within seconds.',
    );
} catch (error) {
  console.error(`No backup was made: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
