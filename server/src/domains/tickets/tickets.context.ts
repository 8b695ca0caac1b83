import type { Signer } from '@handwise/proof/checkpoint';
import type { Context } from '../../kit/context.ts';
import type { Keyring } from '../../kit/secrets/keys.ts';

export type TicketContext = Context & {
  /** Signs the heads of the ticket log. */
  logKey: Signer;
  /** Encrypts winners' bank details and the identity of deleted entrants. */
  keyring: Keyring;
};
