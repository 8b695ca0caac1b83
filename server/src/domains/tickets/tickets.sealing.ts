import { recordsKeptMonths } from '@handwise/contract/tickets/promotion-rules';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { TicketContext } from './tickets.context.ts';
import * as queries from './tickets.queries.ts';

// Entries of deleted accounts carry no name. The identity is stored encrypted, with a key outside the database, for as long as the strictest
// state requires records, so that an authority can ask for it.

export type Entrant = { fullName: string; username: string; email: string };
const sealContext = (userId: string) => `entrant ${userId}`;

/** Must run before the account is anonymised. Stores nothing for a user without tickets. */
export async function sealEntrant(tx: Tx, { keyring, clock }: TicketContext, userId: string, entrant: Entrant): Promise<void> {
  const eraseAfter = await queries.findEndOfRetention(tx, userId, recordsKeptMonths);
  if (!eraseAfter) return;
  const { keyId, sealed } = keyring.seal(JSON.stringify(entrant), sealContext(userId));
  await queries.insertSealedEntrant(tx, { user_id: userId, key_id: keyId, sealed, sealed_at: clock.now(), erase_after: eraseAfter });
}

/** Undefined if nothing was sealed, or it has been erased. */
export async function unsealEntrant(db: Reader, { keyring }: Pick<TicketContext, 'keyring'>, userId: string): Promise<Entrant | undefined> {
  const row = await queries.findSealedEntrant(db, userId);
  return row && (JSON.parse(keyring.open({ keyId: row.key_id, sealed: row.sealed }, sealContext(userId))) as Entrant);
}

export const eraseEntrants = ({ db, clock }: TicketContext) => queries.deleteExpiredEntrants(db, clock.now());

/** Re-encrypts with the first key, so that older keys can be removed. */
export async function reencryptEntrants({ db, keyring, logger }: TicketContext): Promise<void> {
  for (const { user_id: userId, key_id: keyId, sealed } of await queries.listEntrantsOfOtherKeys(db, keyring.keyId)) {
    try {
      await queries.updateSealedEntrant(
        db,
        userId,
        keyring.seal(keyring.open({ keyId, sealed }, sealContext(userId)), sealContext(userId)),
      );
    } catch (error) {
      logger.error({ err: error, userId }, 'a sealed entrant cannot be decrypted: is its key still in PRIZE_KEYS?');
    }
  }
}

/** For requests of an authority: finds the owner even after account deletion, until the sealed identity is erased. */
export async function findOwnerOfEntry(
  db: Reader,
  keys: Pick<TicketContext, 'keyring'>,
  entryId: string,
): Promise<Entrant | 'unknown' | 'erased'> {
  const owner = await queries.findEntryOwner(db, entryId);
  if (!owner) return 'unknown';
  const { id, full_name: fullName, username, email, deleted_at: leftAt } = owner;
  return leftAt ? ((await unsealEntrant(db, keys, id)) ?? 'erased') : { fullName, username, email };
}
