import type { Signer } from '@handwise/proof/checkpoint';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import type { Keyring } from '../../kit/secrets/keys.ts';

export type TicketContext = Context & {
  /** Signs the heads of the ticket log. */
  logKey: Signer;
  /** Encrypts winners' bank details and the identity of deleted entrants. */
  keyring: Keyring;
  /** The prize that is set for the next draw, in whole dollars. From the database, because this process may not have heard of the last change yet. */
  findPrize: (db: Reader) => Promise<number>;
};
