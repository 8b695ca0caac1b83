import type { Logger } from 'pino';
import type { Db } from './database/database.ts';
import type { Events } from './events/events.ts';
import type { FileStore } from './files/file-store.ts';
import type { Jobs } from './jobs/jobs.ts';

/** The database's time. Services use it instead of `Date`, which has the machine's time. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/**
 * What services depend on, created once per process. A service opens its transaction on `db`; a function with a `tx` parameter is part of its
 * caller's transaction.
 */
export type Context = {
  db: Db;
  jobs: Jobs;
  events: Events;
  store: FileStore;
  clock: Clock;
  logger: Logger;
  /** The site's address, for links in emails. */
  appUrl: string;
};
