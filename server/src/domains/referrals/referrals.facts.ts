import { dayMs } from '@handwise/contract/dates';
import { referralDomainDays, referralTreeDays } from '@handwise/contract/periods';
import type { Caller } from '../../kit/caller.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { isDisposable, privateDomainOf } from '../../kit/mail/mail-domains.ts';
import { mailboxOf } from '../../kit/mail/mailbox.ts';
import { subnetOf } from '../../kit/network.ts';
import { signText } from '../../kit/secrets/tokens.ts';
import { listDeviceMates, listUsersOfDevice } from '../accounts/accounts.service.ts';
import type { Facts } from './referrals.abuse.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import * as queries from './referrals.fact-queries.ts';

const hourMs = 60 * 60 * 1000;
/** How long the network and the mail domain that an account came with are compared, and how long a referral connects two accounts. */
export const comparedMs = { network: dayMs, domain: referralDomainDays * dayMs, tree: referralTreeDays * dayMs };
const digits = 32;

/** Mailboxes, networks, domains, cards and business numbers are compared by keyed hashes: nobody reads one from what is stored. */
const keyOf = (tx: Reader, text: string) => signText(tx, 'abuse', text, digits);
export const mailboxKeyOf = (tx: Reader, email: string) => keyOf(tx, `mailbox ${mailboxOf(email)}`);
export const cardKeyOf = (tx: Reader, fingerprint: string) => keyOf(tx, `card ${fingerprint}`);
export const businessNumberKeyOf = (tx: Reader, number: string) => keyOf(tx, `business number ${number}`);

type Person = { id: string; email: string };
export type Couple = { referrer: Person; referred: Person };
export type Known = { facts: Facts; mailboxKey: string };
export type Where = Pick<Caller, 'network' | 'device'>;

/** Stores where an account comes from. Accounts with a code that have something in common wait for each other, until the transaction ends. */
export async function saveOrigin(tx: Tx, { id, email }: Person, { network }: Where, now: Date, hasCode: boolean): Promise<void> {
  const domain = privateDomainOf(email);
  const origin = {
    user_id: id,
    came_at: now,
    network_key: network === 'unknown' ? null : await keyOf(tx, `network ${subnetOf(network)}`),
    domain_key: domain === undefined ? null : await keyOf(tx, `domain ${domain}`),
    mailbox_key: await mailboxKeyOf(tx, email),
  };
  if (hasCode) await queries.lockKeys(tx, [origin.network_key, origin.domain_key]);
  await queries.upsertOrigin(tx, origin);
}

/** What the rules are asked with. Both people must be locked, and their origins saved. `device`: what the browser shows that enters the code. */
export async function gatherFacts(
  tx: Tx,
  asks: ReferralAsks,
  { referrer, referred }: Couple,
  device: string | undefined,
  now: Date,
): Promise<Known> {
  const mailboxKey = await mailboxKeyOf(tx, referred.email);
  await queries.lockKeys(tx, [mailboxKey]);
  const before = (ms: number) => new Date(now.getTime() - ms);
  const cards = await asks.listCardSharers(tx, referred.id);
  const others = {
    device: [...(await listDeviceMates(tx, referred.id)), ...(device === undefined ? [] : await listUsersOfDevice(tx, device))],
    card: cards.flatMap(({ others: sharers }) => sharers),
    ...(await queries.listOthersOfOrigin(tx, referred.id, {
      mailboxKey,
      networkSince: before(comparedMs.network),
      domainSince: before(comparedMs.domain),
    })),
  };
  const tree = await queries.findInTree(tx, [referrer.id, referred.id], Object.values(others).flat(), before(comparedMs.tree));
  const ofTree = (ids: readonly string[]) => new Set(ids.filter((id) => id !== referred.id && tree.has(id)));
  const facts = {
    isOwnCode: referrer.id === referred.id,
    isSameMailbox: mailboxOf(referrer.email) === mailboxOf(referred.email),
    isDisposable: isDisposable(referrer.email) || isDisposable(referred.email),
    isMailboxUsed: await queries.isMailboxUsed(tx, mailboxKey, referred.id),
    ring: await queries.ringOf(tx, referrer.id, referred.id),
    sharesMailbox: [...ofTree(others.mailbox)].some((id) => id !== referrer.id),
    sharesCard: ofTree(others.card).size > 0,
    sharesDevice: ofTree(others.device).size > 0,
    fromNetwork: ofTree(others.network).size,
    fromDomain: ofTree(others.domain).size,
    withinHour: await queries.countOthers(tx, { referrerId: referrer.id, referredId: referred.id, since: before(hourMs) }),
    hasPaidAlone: cards.some(({ isPaid, others: sharers }) => isPaid && ofTree(sharers).size === 0),
  };
  return { facts, mailboxKey };
}

/** Whether an account shares a browser or a card, by whom its cards are used, with another one of its tree. */
export async function sharesWithTree(tx: Reader, userId: string, cardSharers: readonly string[], now: Date): Promise<boolean> {
  const sharers = [...(await listDeviceMates(tx, userId)), ...cardSharers];
  return (await queries.findInTree(tx, [userId], sharers, new Date(now.getTime() - comparedMs.tree))).size > 0;
}
