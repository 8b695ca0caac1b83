import type { Tx } from '../../kit/database/database.ts';
import { lockAccount } from '../accounts/accounts.service.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import type { ReferralContext } from './referrals.context.ts';
import { convert } from './referrals.convert.ts';
import { refer } from './referrals.enter.ts';
import * as queries from './referrals.queries.ts';

type Parts = { context: ReferralContext; asks: ReferralAsks };

const atOnce = 500;

/**
 * Makes the referrals of accounts that registered with a code before there were any, with their tickets, which belong to the draw that runs
 * now; converts those whose first listing is live. Nobody is mailed; the owners of
 * the codes find it among their notifications. Each account in a transaction of its own, once, whoever does it at the same time.
 */
export async function referEarlier(parts: Parts): Promise<number> {
  const { db } = parts.context;
  let made = 0;
  for (;;) {
    const accounts = await queries.listUnreferred(db, atOnce);
    for (const { id } of accounts) if (await db.transaction().execute((tx) => referOne(parts, tx, id))) made += 1;
    if (accounts.length < atOnce) return made;
  }
}

async function referOne(parts: Parts, tx: Tx, userId: string): Promise<boolean> {
  const { referred_by_code: code, created_at: at } = await queries.findCodes(tx, userId);
  const owner = code === null ? undefined : await queries.findAnyOwner(tx, code);
  const ids = [...new Set([userId, ...(owner ? [owner.id] : [])])].toSorted();
  for (const id of ids) await lockAccount(tx, id);
  const account = await lockAccount(tx, userId);
  if (account.deleted_at || (await queries.findLastReferralOf(tx, userId))) return false;
  if (!owner || code === null || owner.id === userId) {
    // Nobody has this code, or they themselves: it never counted.
    await queries.setCodes(tx, userId, { referred_by_code: null });
    return false;
  }
  const couple = { referrer: owner, referred: { id: userId, email: account.email } };
  await refer(parts, tx, { couple, code, step: 'registration', device: undefined, at, quiet: true });
  const listing = await parts.asks.findFirstListing(tx, userId);
  if (listing !== undefined) await convert(parts, tx, userId, listing, { quiet: true });
  return true;
}
