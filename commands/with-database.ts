import { readEnv } from '@handwise/server/env';
import { type Db, openDatabase } from '@handwise/server/kit/database';

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

/** Loads the embedded database of a checkout, which the image does not have. */
export const loadEmbedded = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch((error: unknown) => {
    const isImage = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    throw isImage ? new Error('DATABASE_URL is not set, and there is no database of its own here') : error;
  });
