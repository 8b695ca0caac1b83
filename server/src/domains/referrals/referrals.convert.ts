import type { Tx } from '../../kit/database/database.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { judge } from './referrals.abuse.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import type { ReferralContext } from './referrals.context.ts';
import { holding } from './referrals.enter.ts';
import { gatherFacts } from './referrals.facts.ts';
import { heldMail, refusedMail } from './referrals.mails.ts';
import * as queries from './referrals.queries.ts';
import type { ReferralRow } from './referrals.queries.ts';
import { isConverted, isPending, moveTo } from './referrals.states.ts';
import { giveTickets, mailBoth, voidAsFraud } from './referrals.tickets.ts';

type Parts = { context: ReferralContext; asks: ReferralAsks };

/**
 * The first listing of somebody is live: whoever referred them gets their tickets at once, unless the rules that look at what is known by
 * now say otherwise. Of a held referral only the listing is kept. The seller must be locked.
 */
export async function convert(parts: Parts, tx: Tx, sellerId: string, listingId: string, { quiet = false } = {}): Promise<void> {
  const { context, asks } = parts;
  const referral = await queries.lockReferralOf(tx, sellerId);
  if (!referral || referral.listing_id !== null) return;
  await queries.setListing(tx, referral.id, listingId);
  if (!isPending(referral)) return;
  const now = context.clock.now();
  const people = { referrer: await findContact(tx, referral.referrer_id), referred: await findContact(tx, sellerId) };
  const { facts } = await gatherFacts(tx, asks, people, undefined, now);
  const judgement = judge('conversion', facts);
  const { severity, findings, because } = judgement;
  await queries.insertFindings(tx, { id: referral.id, referrerId: referral.referrer_id, referredId: sellerId }, findings, now);
  if (severity === 'reject') return refuse(parts, tx, referral, because, { quiet });
  // What an administrator has looked at once is not held again.
  if (severity === 'hold' && referral.decided_at === null) {
    const hold = holding(judgement, now);
    await moveTo(tx, referral, 'held', hold);
    if (!quiet) await mailBoth(tx, context, referral, (reader) => heldMail(reader, hold));
    return;
  }
  await complete(parts, tx, referral, { quiet });
}

/** Converts a pending referral whose listing is live: 5 tickets for the owner of the code. */
export async function complete({ context }: Parts, tx: Tx, referral: ReferralRow, { quiet = false } = {}): Promise<void> {
  await moveTo(tx, referral, 'converted', { converted_at: context.clock.now() });
  await giveTickets(tx, context, referral, 'listing', { quiet });
}

/** Ends a referral that does not count. What was given for it before stays: only an administrator takes it back. */
async function refuse({ context }: Parts, tx: Tx, referral: ReferralRow, because: string, { quiet = false } = {}): Promise<void> {
  await moveTo(tx, referral, 'refused', { refused_because: because });
  if (!quiet) await mailBoth(tx, context, referral, (reader) => refusedMail(reader, because));
}

/**
 * The payment with which somebody came to a listing was fraud: the tickets that others got for it are void, as far as their draw has not
 * closed. What was earned before the payment stays.
 */
export async function voidEarnings(context: ReferralContext, tx: Tx, payerId: string, paidAt: Date): Promise<void> {
  const referral = await queries.lockReferralOf(tx, payerId);
  if (!referral || !isConverted(referral) || referral.converted_at === null || referral.converted_at < paidAt) return;
  await voidAsFraud(tx, context, referral);
}
