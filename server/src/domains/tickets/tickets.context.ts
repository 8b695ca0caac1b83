import type { Signer } from '@handwise/proof/checkpoint';
import type { Context } from '../../kit/context.ts';
import type { Keyring } from '../../kit/secrets/keys.ts';

/** What tickets work with besides what all do. */
export type TicketContext = Context & {
  /** Signs the heads of the ticket log. */
  logKey: Signer;
  /** Seals what must not be legible in the database alone: bank details of winners, and who it was that had tickets and left. */
  keyring: Keyring;
};
