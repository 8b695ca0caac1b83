import type { PromotionSettings } from '@handwise/contract/tickets/promotion-rules';
import type { Signer } from '@handwise/proof/checkpoint';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import type { Keyring } from '../../kit/secrets/keys.ts';

export type TicketContext = Context & {
  /** Signs the heads of the ticket log. */
  logKey: Signer;
  /** Encrypts winners' bank details and the identity of deleted entrants. */
  keyring: Keyring;
  /** What is set for the next draw. From the database, because this process may not have heard of the last change yet. */
  findPromotion: (db: Reader) => Promise<PromotionSettings>;
};
