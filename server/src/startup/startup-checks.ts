import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Env } from '../env.ts';
import { connectionTimeouts } from '../kit/database/connections.ts';
import { type DatabaseRequirements, describeAddress, checkDatabase } from '../kit/database/database-check.ts';
import { isUnavailable } from '../kit/database/database.ts';
import { readMigrations } from '../kit/database/migrations.ts';
import { listOwnKeyFiles } from '../kit/secrets/own-keys.ts';
import { findFolderError, StartupError } from '../kit/startup-error.ts';
import { demoPasswords } from './demo-accounts.ts';

type Surroundings = { env: Env; databaseUrl: string };

/** What this program requires of its database. */
export const getRequirements = async ({ env, databaseUrl }: Surroundings): Promise<DatabaseRequirements> => ({
  url: databaseUrl,
  folder: env.databaseUrl ? null : env.dataDir,
  migrations: (await readMigrations()).map(({ name }) => name),
  allowsNewer: process.argv.includes('--newer-database'),
  demoAccounts: env.sandbox ? [] : Object.keys(demoPasswords),
  keyFiles: listOwnKeyFiles(env),
});

// Delays every start, so a database that has not answered by then is waited for later, when the health call is already served.
const firstLookMs = 1_500;
const shortestLookMs = 1_000;

/** Checks the data folder and the database before the start. Throws one `StartupError` with all problems; an unreachable database is none. */
export async function checkEnvironment(surroundings: Surroundings): Promise<void> {
  const lines = [await findFolderError('DATA_DIR', surroundings.env.dataDir)];
  try {
    await checkDatabase(await getRequirements(surroundings), firstLookMs);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    lines.push(...error.lines);
  }
  const faults = lines.filter((line) => line !== undefined);
  if (faults.length > 0) throw new StartupError(...faults);
}

const databaseWaitMs = 60_000;
const againMs = 500;
const logEveryMs = 10_000;

/**
 * Waits for the database and prepares it for this version. Throws a `StartupError` after a minute, and at once if waiting does not help
 * or `stopping` is aborted.
 */
export async function prepareDatabaseWhenReady(surroundings: Surroundings, logger: Logger, stopping?: AbortSignal): Promise<void> {
  const needs = await getRequirements(surroundings);
  const place = describeAddress(needs.url);
  const since = performance.now();
  let loggedAt = -Infinity;
  for (;;) {
    const left = databaseWaitMs - (performance.now() - since);
    const why = await raceStop(checkOnce(needs, Math.min(Math.max(left, shortestLookMs), connectionTimeouts.connectMs)), stopping);
    if (why === null) return;
    const waited = performance.now() - since;
    if (waited >= databaseWaitMs) {
      throw new StartupError(`DATABASE_URL points to ${place}, where no database answered for ${Math.round(waited / 1_000)} s: ${why}.`);
    }
    if (waited - loggedAt >= logEveryMs) {
      loggedAt = waited;
      logger.warn(`waiting for the database at ${place}: ${why}`);
    }
    await pause(againMs, undefined, { signal: stopping });
  }
}

async function checkOnce(needs: DatabaseRequirements, connectMs: number): Promise<string | null> {
  const why = await checkDatabase(needs, connectMs);
  if (why !== null) return why;
  // Imported after the checks, so that their errors appear at once.
  const { prepareDatabase } = await import('./prepare-database.ts');
  try {
    await prepareDatabase(needs.url);
    return null;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

/** Rejects when `stopping` is aborted. */
async function raceStop<T>(work: Promise<T>, stopping: AbortSignal | undefined): Promise<T> {
  if (!stopping) return work;
  stopping.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(stopping.reason);
  stopping.addEventListener('abort', stop);
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    stopping.removeEventListener('abort', stop);
    work.catch(() => {});
  }
}
