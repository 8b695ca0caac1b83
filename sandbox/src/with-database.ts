import { readEnv } from '@handwise/server/env';
import { type Db, openDatabase } from '@handwise/server/kit/database';
import { type Postgres, usePostgres } from './postgres.ts';
import { hasCluster } from './postgres-cluster.ts';

/**
 * For commands: uses the environment's database, or the embedded one of DATA_DIR, running or not. Errors are printed
 * after `failure`, and the exit code is 1.
 */
export async function withDatabase(failure: string, work: (db: Db) => Promise<void>): Promise<void> {
  let embedded: Postgres | undefined;
  try {
    const env = readEnv(process.env);
    if (!env.databaseUrl) {
      if (!hasCluster(env.dataDir)) throw new Error(`there is no database in ${env.dataDir} yet`);
      embedded = await usePostgres(env.dataDir);
    }
    const database = openDatabase({ url: env.databaseUrl ?? embedded?.url ?? '', connections: 1, onIdleError: () => {} });
    try {
      await work(database.db);
    } finally {
      await database.close();
    }
  } catch (error) {
    console.error(`${failure}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await embedded?.stop();
  }
}
