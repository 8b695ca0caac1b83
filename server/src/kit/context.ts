import type { Signer } from '@handwise/proof/checkpoint';
import type { Logger } from 'pino';
import type { Beacon } from './outside/beacon.ts';
import type { Db } from './database/database.ts';
import type { Events } from './events/events.ts';
import type { FileStore } from './files/files-store.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { Registers } from './outside/registers.ts';

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
  /** The public randomness that decides draws. */
  beacon: Beacon;
  /** The public registers of businesses. */
  registers: Registers;
  logger: Logger;
  /** Whether a password is on the list of breached ones that the operator gave. */
  isBreached: (password: string) => Promise<boolean>;
  /** The site's own address, for links in mails. */
  appUrl: string;
  /** The domain at which answers by mail are taken; null where none are. */
  replyDomain: string | null;
  /** Signs the heads of the ticket log. */
  logKey: Signer;
  /** Seals what must not be legible in the database alone: bank details of winners. */
  keyring: Keyring;
  /** Seals what accounts sign in with. */
  accountKeys: Keyring;
};
