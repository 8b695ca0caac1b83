import type { Reader, Tx } from '../../kit/database/database.ts';
import type { TicketContext } from './tickets.context.ts';
import * as queries from './tickets.queries.ts';
import { recordsKeptMonths } from './tickets.terms.ts';

// Of somebody who has left, entries keep no name. Who it was is kept sealed for as long as the strictest state wants records: what an
// authority may ask for is legible with a key that is not in the database, and with nothing else.

export type Entrant = { fullName: string; username: string; email: string };
const sealedAs = (userId: string) => `entrant ${userId}`;

/** To be called while the account still says who it is. Whoever never had a ticket leaves nothing. */
export async function sealEntrant(tx: Tx, { keyring, clock }: TicketContext, userId: string, entrant: Entrant): Promise<void> {
  const eraseAfter = await queries.findEndOfRecords(tx, userId, recordsKeptMonths);
  if (!eraseAfter) return;
  const { keyId, sealed } = keyring.seal(JSON.stringify(entrant), sealedAs(userId));
  await queries.insertSealed(tx, { user_id: userId, key_id: keyId, sealed, sealed_at: clock.now(), erase_after: eraseAfter });
}

/** Who somebody was who has left; undefined where nothing is kept of them, or no longer. */
export async function openEntrant(db: Reader, { keyring }: Pick<TicketContext, 'keyring'>, userId: string): Promise<Entrant | undefined> {
  const row = await queries.findSealed(db, userId);
  return row && (JSON.parse(keyring.open({ keyId: row.key_id, sealed: row.sealed }, sealedAs(userId))) as Entrant);
}

export const eraseEntrants = ({ db, clock }: TicketContext) => queries.deleteSealed(db, clock.now());

/** Seals anew, with the first key, what another one has sealed: from then on that one can be taken away. */
export async function renewEntrants({ db, keyring, logger }: TicketContext): Promise<void> {
  for (const { user_id: userId, key_id: keyId, sealed } of await queries.listSealedOtherwise(db, keyring.keyId)) {
    try {
      await queries.sealAnew(db, userId, keyring.seal(keyring.open({ keyId, sealed }, sealedAs(userId)), sealedAs(userId)));
    } catch (error) {
      logger.error({ err: error, userId }, 'what is sealed of somebody who left cannot be opened: is its key still in PRIZE_KEYS?');
    }
  }
}

/** Whose an entry is, for an authority that asks: also after they left, until it is erased. */
export async function ownerOfEntry(
  db: Reader,
  keys: Pick<TicketContext, 'keyring'>,
  entryId: string,
): Promise<Entrant | 'unknown' | 'erased'> {
  const owner = await queries.findOwner(db, entryId);
  if (!owner) return 'unknown';
  const { id, full_name: fullName, username, email, deleted_at: leftAt } = owner;
  return leftAt ? ((await openEntrant(db, keys, id)) ?? 'erased') : { fullName, username, email };
}
