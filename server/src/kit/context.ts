import type { Logger } from 'pino';
import type { Db } from './database/database.ts';
import type { Events } from './events/events.ts';
import type { FileStore } from './files/files-store.ts';
import type { Jobs } from './jobs/jobs.ts';

/** The time, which is the database's. Services ask it and never `Date`, whose time is the machine's. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/**
 * What services work with, made once for a process. A service opens its transaction on `db`; a function that takes a `tx`
 * is a part of somebody else's.
 */
export type Context = {
  db: Db;
  jobs: Jobs;
  events: Events;
  store: FileStore;
  clock: Clock;
  logger: Logger;
  /** The site's own address, for links in mails. */
  appUrl: string;
};
