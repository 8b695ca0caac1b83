import type { Tx } from '../../kit/database/database.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { evaluateRules } from './referrals.rules.ts';
import type { ReferralDeps, ReferralContext } from './referrals.deps.ts';
import { toHold } from './referrals.enter.ts';
import { loadFacts } from './referrals.facts.ts';
import { heldEmail, refusedEmail } from './referrals.emails.ts';
import * as queries from './referrals.queries.ts';
import type { ReferralRow } from './referrals.queries.ts';
import { isPending, moveReferral } from './referrals.states.ts';
import { issueReferralTickets, emailBoth, voidReferralTickets } from './referrals.tickets.ts';

/**
 * Converts the referral of a seller whose first listing goes live, unless the abuse rules now reject or hold it. A held referral only stores
 * the listing. `quiet` is for a backfill, which has checked the rules just before. The seller must be locked.
 */
export async function convertReferral(
  deps: ReferralDeps,
  tx: Tx,
  sellerId: string,
  listingId: string,
  { quiet = false } = {},
): Promise<void> {
  const { context, port } = deps;
  const referral = await queries.lockReferralOfUser(tx, sellerId);
  if (!referral || referral.listing_id !== null) return;
  await queries.setReferralListing(tx, referral.id, listingId);
  if (!isPending(referral)) return;
  const now = context.clock.now();
  const people = { referrer: await findContact(tx, referral.referrer_id), referred: await findContact(tx, sellerId) };
  const { facts } = await loadFacts(tx, port, people, undefined, now);
  const verdict = evaluateRules('conversion', facts);
  const { severity, findings, because } = verdict;
  await queries.insertReferralFindings(tx, { id: referral.id, referrerId: referral.referrer_id, referredId: sellerId }, findings, now);
  if (severity === 'reject') return rejectReferral(deps, tx, referral, because);
  // A decided referral is never held again.
  if (severity === 'hold' && referral.decided_at === null) {
    const hold = toHold(verdict, now);
    await moveReferral(tx, referral, 'held', hold);
    await emailBoth(tx, context, referral, (reader) => heldEmail(reader, hold));
    return;
  }
  await completeConversion(deps, tx, referral, { quiet });
}

/** Converts a pending referral whose listing is live and issues the tickets for it. */
export async function completeConversion({ context }: ReferralDeps, tx: Tx, referral: ReferralRow, { quiet = false } = {}): Promise<void> {
  await moveReferral(tx, referral, 'converted', { converted_at: context.clock.now() });
  await issueReferralTickets(tx, context, referral, 'listing', { quiet });
}

/** Rewards already granted stay: only an administrator voids them. */
async function rejectReferral({ context }: ReferralDeps, tx: Tx, referral: ReferralRow, because: string): Promise<void> {
  await moveReferral(tx, referral, 'refused', { refused_because: because });
  await emailBoth(tx, context, referral, (reader) => refusedEmail(reader, because));
}

/** Voids the tickets of open draws that a fraudulent payment led to. Rewards earned before the payment stay. */
export async function voidReferralEarnings(context: ReferralContext, tx: Tx, payerId: string, paidAt: Date): Promise<void> {
  const referral = await queries.lockReferralOfUser(tx, payerId);
  if (!referral?.converted_at || referral.converted_at < paidAt) return;
  await voidReferralTickets(tx, context, referral);
}
