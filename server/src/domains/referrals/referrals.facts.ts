import type { From } from '../../kit/caller.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { isDisposable } from '../../kit/mail/disposable-mail.ts';
import { mailboxOf } from '../../kit/mail/mailbox.ts';
import { signatureOf } from '../../kit/secrets/signatures.ts';
import { haveSharedDevice, listUsersOfDevice } from '../accounts/accounts.service.ts';
import type { Facts } from './referrals.abuse.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import * as queries from './referrals.fact-queries.ts';

const hour = 60 * 60 * 1000;
/** So long it is compared from which network codes were entered. */
export const comparedMs = 24 * hour;
const digits = 32;

/** Mailboxes, networks and cards are compared by keyed hashes: nobody reads one from what is kept. */
export const mailboxKeyOf = (tx: Reader, email: string) => signatureOf(tx, 'abuse', `mailbox ${mailboxOf(email)}`, digits);
export const cardKeyOf = (tx: Reader, fingerprint: string) => signatureOf(tx, 'abuse', `card ${fingerprint}`, digits);
const networkKeyOf = (tx: Reader, network: string) => signatureOf(tx, 'abuse', `network ${network}`, digits);

type Person = { id: string; email: string };
export type Couple = { referrer: Person; referred: Person };
export type Known = { facts: Facts; mailboxKey: string; networkKey: string | null };

/** What the rules are asked with. Both people must be locked. Without `from` nothing is known of where the code was entered. */
export async function gatherFacts(
  tx: Tx,
  asks: ReferralAsks,
  { referrer, referred }: Couple,
  from: Pick<From, 'network' | 'device'> | undefined,
  now: Date,
): Promise<Known> {
  const mailboxKey = await mailboxKeyOf(tx, referred.email);
  const networkKey = from && from.network !== 'unknown' ? await networkKeyOf(tx, from.network) : null;
  await queries.lockMailbox(tx, mailboxKey);
  const device = from?.device === undefined ? [] : await listUsersOfDevice(tx, from.device);
  const before = (ms: number) => new Date(now.getTime() - ms);
  const others = await queries.countOthers(tx, {
    referrerId: referrer.id,
    referredId: referred.id,
    networkKey,
    dayAgo: before(comparedMs),
    hourAgo: before(hour),
  });
  const facts = {
    isOwnCode: referrer.id === referred.id,
    isSameMailbox: mailboxOf(referrer.email) === mailboxOf(referred.email),
    isDisposable: isDisposable(referrer.email) || isDisposable(referred.email),
    isMailboxUsed: await queries.isMailboxUsed(tx, mailboxKey, referred.id),
    ring: await queries.ringOf(tx, referrer.id, referred.id),
    haveSharedCard: await asks.haveSharedCard(tx, referrer.id, referred.id),
    haveSharedDevice: device.includes(referrer.id) || (await haveSharedDevice(tx, referrer.id, referred.id)),
    fromDevice: await queries.countReferredAmong(
      tx,
      referrer.id,
      device.filter((id) => id !== referred.id),
    ),
    ...others,
  };
  return { facts, mailboxKey, networkKey };
}
