import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { auditBooks, auditLines } from '@handwise/server/audit';
import { readEnv } from '@handwise/server/env';
import { openDatabase } from '@handwise/server/kit/database';
import { type Postgres, usePostgres } from './postgres.ts';

// The command behind `npm run audit`: exit code 0 where the books balance, else 1.
let embedded: Postgres | undefined;
try {
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
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(`The books could not be read: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await embedded?.stop();
}
