import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { demoPasswords } from './demo-accounts.ts';
import type { Env } from './env.ts';
import { connectionLimits } from './kit/database/connection-limits.ts';
import { isUnavailable } from './kit/database/database.ts';
import { type DatabaseNeeds, placeOf, whyNotFit } from './kit/database/fit-database.ts';
import { readMigrations } from './kit/database/migrations.ts';
import { folderFault } from './kit/files/writable-folder.ts';
import { StartFault } from './kit/start-fault.ts';

type Surroundings = { env: Env; databaseUrl: string };

const needsOf = async ({ env, databaseUrl }: Surroundings): Promise<DatabaseNeeds> => ({
  url: databaseUrl,
  folder: env.databaseUrl ? null : env.dataDir,
  migrations: (await readMigrations()).map(({ name }) => name),
  mayBeNewer: env.newerDatabase,
  knownAccounts: env.sandbox ? [] : Object.keys(demoPasswords),
});

// Who starts us waits for it: a database that has not answered by then is waited for later, while health already says so.
const firstLookMs = 1_500;
const shortestLookMs = 1_000;

/** Looks around before anything is started. Throws one `StartFault` with all that is wrong; a database that does not answer is not. */
export async function checkSurroundings(surroundings: Surroundings): Promise<void> {
  const lines = [await folderFault('DATA_DIR', surroundings.env.dataDir)];
  try {
    await whyNotFit(await needsOf(surroundings), firstLookMs);
  } catch (error) {
    if (!(error instanceof StartFault)) throw error;
    lines.push(...error.lines);
  }
  const faults = lines.filter((line) => line !== undefined);
  if (faults.length > 0) throw new StartFault(...faults);
}

const againMs = 500;
const sayEveryMs = 10_000;

/**
 * Waits for a database that is not there, or stands still, and brings it to what this version needs. Throws a `StartFault` where that takes
 * longer than DATABASE_WAIT_SECONDS, and at once where waiting does not help or `stopping` says that nobody wants it any more.
 */
export async function readyDatabase(surroundings: Surroundings, logger: Logger, stopping?: AbortSignal): Promise<void> {
  const needs = await needsOf(surroundings);
  const { databaseWaitMs } = surroundings.env;
  const place = placeOf(needs.url);
  const since = performance.now();
  let saidAt = -Infinity;
  for (;;) {
    const left = databaseWaitMs - (performance.now() - since);
    const why = await orStopped(tryOnce(needs, Math.min(Math.max(left, shortestLookMs), connectionLimits.connectMs)), stopping);
    if (why === null) return;
    const waited = performance.now() - since;
    if (waited >= databaseWaitMs) {
      throw new StartFault(
        `DATABASE_URL leads to ${place}, where no database was to be had for ${Math.round(waited / 1_000)} s (DATABASE_WAIT_SECONDS): ${why}.`,
      );
    }
    if (waited - saidAt >= sayEveryMs) {
      saidAt = waited;
      logger.warn(`waiting for the database at ${place}: ${why}`);
    }
    await pause(againMs, undefined, { signal: stopping });
  }
}

async function tryOnce(needs: DatabaseNeeds, connectMs: number): Promise<string | null> {
  const why = await whyNotFit(needs, connectMs);
  if (why !== null) return why;
  // Only now: it brings half of the server with it, and whoever looks around first is told at once.
  const { prepareDatabase } = await import('./prepare-database.ts');
  try {
    await prepareDatabase(needs.url);
    return null;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

/** What work comes to, unless it is no longer wanted before. */
async function orStopped<T>(work: Promise<T>, stopping: AbortSignal | undefined): Promise<T> {
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
