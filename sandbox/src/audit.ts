import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auditBooks, auditLines, holdsHead } from '@handwise/server/audit';
import { readEnv } from '@handwise/server/env';
import { openDatabase } from '@handwise/server/kit/database';
import { type Postgres, usePostgres } from './postgres.ts';

// The command behind `npm run audit`: exit code 0 where the books balance, else 1. With `-- --head <number>:<hash>` the audit log must
// also still hold that entry, as the server's log has kept it.
let embedded: Postgres | undefined;
try {
  const { values } = parseArgs({ options: { head: { type: 'string' } } });
  const [number, hash] = values.head?.split(':') ?? [];
  const env = readEnv(process.env);
  if (!env.databaseUrl) {
    if (!existsSync(join(env.dataDir, 'postgres-password'))) throw new Error(`there is no database in ${env.dataDir} yet`);
    embedded = await usePostgres(env.dataDir);
  }
  const database = openDatabase({ url: env.databaseUrl ?? embedded?.url ?? '', connections: 1, onIdleError: () => {} });
  try {
    const reports = await auditBooks(database.db);
    console.log(auditLines(reports).join('\n'));
    if (reports.some((report) => report.wrong > 0)) process.exitCode = 1;
    if (number && hash) {
      const holds = await holdsHead(database.db, { number: Number(number), hash });
      console.log(`The audit log ${holds ? 'still holds' : 'does not hold'} entry ${number} as it was kept.`);
      if (!holds) process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(`The books could not be read: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await embedded?.stop();
}
