import { lapseDays } from '@handwise/contract/referrals/calls';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { findContact, lockAccount } from '../accounts/accounts.service.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import type { ReferralContext } from './referrals.context.ts';
import { complete } from './referrals.convert.ts';
import { gatherFacts } from './referrals.facts.ts';
import { approvedMail, type DecisionReason, lapsedMail, takenBackMail } from './referrals.mails.ts';
import * as queries from './referrals.queries.ts';
import type { ReferralRow } from './referrals.queries.ts';
import * as rewards from './referrals.reward-queries.ts';
import { isHeld, isRefused, moveTo, type ReferralState } from './referrals.states.ts';
import { giveTickets, mailBoth, takeBack } from './referrals.tickets.ts';

type Parts = { context: ReferralContext; asks: ReferralAsks };
type Decision = { approve: boolean; reason: string };

/**
 * An administrator approves a held referral, or ends one in any state and takes back what was given for it. Decided once. Throws
 * `referral_not_found`, `already_decided`, `own_matter`.
 */
export const decideReferral = (parts: Parts, administratorId: string, id: string, { approve, reason }: Decision): Promise<ReferralState> =>
  parts.context.db.transaction().execute(async (tx) => {
    const referral = await lockWithPeople(tx, id);
    if (!referral) throw new AppError('referral_not_found');
    if ([referral.referrer_id, referral.referred_id].includes(administratorId)) throw new AppError('own_matter');
    if (referral.decided_at || (approve && !isHeld(referral))) throw new AppError('already_decided');
    await setAuditActor(tx, administratorId);
    const decision = { by: administratorId, reason };
    return approve ? accept(parts, tx, referral, decision) : end(parts, tx, referral, decision);
  });

/** The people of a referral before itself, as whoever spends a free month or publishes does. */
async function lockWithPeople(tx: Tx, id: string): Promise<ReferralRow | undefined> {
  const people = await queries.findPeople(tx, id);
  for (const userId of people.toSorted()) await lockAccount(tx, userId);
  return queries.lockReferral(tx, id);
}

/** Decides what nobody has decided in time: approved, or lapsed where time does not approve it. */
export async function decideDue(parts: Parts): Promise<void> {
  const { db, clock, logger } = parts.context;
  for (const { id } of await queries.listDue(db, clock.now())) {
    try {
      await db.transaction().execute(async (tx) => {
        const referral = await queries.lockReferral(tx, id);
        if (!referral || !isHeld(referral) || referral.held_until === null || referral.held_until > clock.now()) return;
        if (referral.held_lapses) await lapse(parts, tx, referral);
        else await accept(parts, tx, referral, { by: null, reason: 'Nobody decided in time.' });
      });
    } catch (error) {
      // The others are decided; this one comes again at the next turn.
      logger.error({ err: error, referralId: id }, 'a held referral could not be decided');
    }
  }
}

/** Somebody has paid: what was held for signals that a card of their own answers is approved. The payer must be locked. */
export async function approvePayer(parts: Parts, tx: Tx, payerId: string): Promise<void> {
  const referral = await queries.lockReferralOf(tx, payerId);
  if (!referral || !isHeld(referral) || !referral.held_lapses) return;
  const people = { referrer: await findContact(tx, referral.referrer_id), referred: await findContact(tx, payerId) };
  const { facts } = await gatherFacts(tx, parts.asks, people, undefined, parts.context.clock.now());
  if (!facts.hasPaidAlone) return;
  await accept(parts, tx, referral, { by: null, reason: 'The new account has paid with a card that no connected account uses.' });
}

const decided = ({ context }: Parts, approved: boolean, { by, reason }: DecisionReason) => ({
  decided_at: context.clock.now(),
  decided_by: by,
  approved,
  decision_reason: reason,
});

async function accept(parts: Parts, tx: Tx, referral: ReferralRow, decision: DecisionReason): Promise<ReferralState> {
  const { context } = parts;
  await moveTo(tx, referral, 'pending', decided(parts, true, decision));
  await mailBoth(tx, context, referral, (reader) => approvedMail(reader, decision));
  await giveBackFirstMonth(parts, tx, referral);
  const pending = { ...referral, status: 'pending' as const };
  const isGiven = await rewards.isIssued(tx, referral.id, referral.referred_id, 'signup');
  if (!isGiven) await giveTickets(tx, context, pending, 'signup');
  if (referral.listing_id === null) return 'pending';
  await complete(parts, tx, pending);
  return 'converted';
}

async function end(parts: Parts, tx: Tx, referral: ReferralRow, decision: DecisionReason): Promise<ReferralState> {
  const also = decided(parts, false, decision);
  if (isRefused(referral)) await queries.setDecision(tx, referral.id, also);
  else await moveTo(tx, referral, 'refused', { ...also, refused_because: decision.reason, converted_at: null });
  const taken = await takeBack(tx, parts.context, referral);
  await mailBoth(tx, parts.context, referral, (reader) => takenBackMail(reader, decision, taken));
  return 'refused';
}

async function lapse(parts: Parts, tx: Tx, referral: ReferralRow): Promise<void> {
  const because = `Nobody decided within ${lapseDays} days.`;
  const also = {
    ...decided(parts, false, { by: null, reason: because }),
    refused_because: `${because} ${referral.held_because ?? ''}`.trim(),
  };
  await moveTo(tx, referral, 'refused', also);
  await mailBoth(tx, parts.context, referral, (reader) => lapsedMail(reader, referral.held_because ?? ''));
}

/** Whoever paid for a first plan while the free month was kept back gets it as a credit. */
async function giveBackFirstMonth({ context, asks }: Parts, tx: Tx, referral: ReferralRow): Promise<void> {
  const userId = referral.referred_id;
  if (!(await asks.hasHadPlan(tx, userId)) || (await rewards.hadFirstMonth(tx, '', [userId]))) return;
  await rewards.issue(tx, { userId, referralId: referral.id, reward: 'free_month', cause: 'kept_back', now: context.clock.now() });
}
