import { readEnv } from './env.ts';
import { type Db, openDatabase } from './kit/database/database.ts';

/**
 * For operators' commands: uses the environment's database. Errors are printed after `failure`, and the exit code is 1. From a checkout,
 * `sandbox/src/own-database.ts` adds the embedded database.
 */
export async function withDatabase(failure: string, work: (db: Db) => Promise<void>): Promise<void> {
  try {
    const { databaseUrl, dataDir } = readEnv(process.env);
    if (!databaseUrl) throw new Error(`there is no database in ${dataDir} yet, and DATABASE_URL is not set`);
    const database = openDatabase({ url: databaseUrl, connections: 1, onIdleError: () => {} });
    try {
      await work(database.db);
    } finally {
      await database.close();
    }
  } catch (error) {
    console.error(`${failure}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
