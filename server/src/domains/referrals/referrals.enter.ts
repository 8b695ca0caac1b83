import { randomInt } from 'node:crypto';
import { dayMs } from '@handwise/contract/dates';
import { heldDays, lapseDays } from '@handwise/contract/referrals/calls';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { lockAccount, lockUser } from '../accounts/accounts.service.ts';
import { type Judgement, judge, type Scope } from './referrals.abuse.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import type { ReferralContext } from './referrals.context.ts';
import { lockRings } from './referrals.fact-queries.ts';
import { type Couple, gatherFacts, type Known, saveOrigin, type Where } from './referrals.facts.ts';
import { heldMail, type Hold } from './referrals.mails.ts';
import * as queries from './referrals.queries.ts';
import type { ReferralRow } from './referrals.queries.ts';
import { referralCodeNumber, referralCodePrefix } from './referrals.rules.ts';
import { isPending } from './referrals.states.ts';
import { giveTickets, mailBoth } from './referrals.tickets.ts';

type Parts = { context: ReferralContext; asks: ReferralAsks };

/** Gives an account without a code its own, which stays. `random` gives a whole number from 0 to the bound, without it. */
export async function giveCode(
  tx: Tx,
  user: { id: string; username: string },
  random: (bound: number) => number = randomInt,
): Promise<string> {
  const prefix = referralCodePrefix(user.username);
  let number = referralCodeNumber(0, random);
  for (let attempt = 1; !(await queries.claimCode(tx, prefix + number)); attempt += 1) number = referralCodeNumber(attempt, random);
  await queries.setCodes(tx, user.id, { referral_code: prefix + number });
  return prefix + number;
}

/** Gives a new account its own code, and makes a referral of the one that it came with, where that is a valid one. */
export async function welcome(
  parts: Parts,
  tx: Tx,
  user: { id: string; username: string },
  form: { email: string; referralCode?: string | null | undefined },
  from: Where,
): Promise<void> {
  await giveCode(tx, user);
  const code = form.referralCode?.toUpperCase();
  const owner = code ? await queries.findOwner(tx, code) : undefined;
  const contact = owner && (await lockAccount(tx, owner.id));
  const hasCode = contact !== undefined && !contact.suspended_at && !contact.deleted_at;
  await saveOrigin(tx, { id: user.id, email: form.email }, from, parts.context.clock.now(), hasCode);
  if (!code || !owner || !hasCode) return;
  await queries.setCodes(tx, user.id, { referred_by_code: code });
  const couple = { referrer: { id: owner.id, email: contact.email }, referred: { id: user.id, email: form.email } };
  await refer(parts, tx, { couple, code, step: 'registration', device: from.device });
}

type Entered = {
  couple: Couple;
  code: string;
  step: Exclude<Scope, 'conversion'>;
  /** What the browser shows of earlier sign-ins. */
  device: string | undefined;
  /** When it was, where that is not now. */
  at?: Date;
  /** Nobody is told. */
  quiet?: boolean;
};

/** Makes a referral, as the rules see it: it counts at once, it waits, or it is refused. Both people must be locked. */
export async function refer(parts: Parts, tx: Tx, entered: Entered): Promise<ReferralRow> {
  const known = await gatherFacts(tx, parts.asks, entered.couple, entered.device, parts.context.clock.now());
  return keep(parts, tx, entered, known, judge(entered.step, known.facts));
}

async function keep({ context }: Parts, tx: Tx, entered: Entered, known: Known, judgement: Judgement): Promise<ReferralRow> {
  const { couple, code, step, quiet = false } = entered;
  const now = context.clock.now();
  const { severity, findings, because } = judgement;
  const hold = severity === 'hold' ? holding(judgement, now) : undefined;
  const row = await queries.insertReferral(tx, {
    referrer_id: couple.referrer.id,
    referred_id: couple.referred.id,
    code,
    entered_at: step,
    status: severity === 'reject' ? 'refused' : severity === 'hold' ? 'held' : 'pending',
    created_at: entered.at ?? now,
    mailbox_key: known.mailboxKey,
    ...(severity === 'reject' && { refused_because: because }),
    ...hold,
  });
  await queries.insertFindings(tx, { id: row.id, referrerId: couple.referrer.id, referredId: couple.referred.id }, findings, now);
  if (isPending(row)) await giveTickets(tx, context, row, 'signup', { quiet });
  if (hold && !quiet) await mailBoth(tx, context, row, (reader) => heldMail(reader, hold));
  return row;
}

/** What is stored of a hold: why, since when, until when somebody can decide, and whether it lapses then. */
export const holding = ({ because, lapses }: Judgement, now: Date): Hold => ({
  held_because: because,
  held_at: now,
  held_until: new Date(now.getTime() + (lapses ? lapseDays : heldDays) * dayMs),
  held_lapses: lapses,
});

/** Few enough that codes cannot be guessed. */
const enterLimit = { max: 30, windowSeconds: 600 };

/**
 * Enters a code at the payment step, for a user who came without one that counts; the same one again changes nothing. Throws `free_month_used`,
 * `own_referral_code`, `referral_refused`, `referral_code_set` where another one counts already, or `invalid_input` for a code that nobody has.
 */
export async function enterCode(parts: Parts, userId: string, given: string, from: Where): Promise<void> {
  const { db, clock } = parts.context;
  await countAttempt(db, `referral-code-by:${userId}`, enterLimit);
  const code = given.toUpperCase();
  const refused = await db.transaction().execute(async (tx) => {
    const owner = await queries.findOwner(tx, code);
    await lockRings(tx);
    // In one order, so that two who enter each other's codes do not wait for each other.
    for (const id of [...new Set([userId, owner?.id ?? userId])].toSorted()) await lockAccount(tx, id);
    const own = await lockUser(tx, userId);
    if (await parts.asks.hasHadPlan(tx, userId)) throw new AppError('free_month_used');
    if (!owner) throw invalidField('referralCode', 'Invalid referral code. Please try again.');
    const couple = { referrer: owner, referred: { id: userId, email: own.email } };
    const entered = { couple, code, step: 'payment_step', device: from.device } as const;
    const first = await queries.findReferralOf(tx, userId);
    if (first?.code === code) return undefined;
    if (!first) await saveOrigin(tx, couple.referred, from, clock.now(), true);
    const known = await gatherFacts(tx, parts.asks, couple, from.device, clock.now());
    const judgement = judge('payment_step', known.facts);
    if (judgement.severity === 'reject') return { couple, judgement };
    if (first) {
      const message = `Your first referral code, ${first.code}, stays. A second one cannot be added.`;
      throw new AppError('referral_code_set', { message });
    }
    await queries.setCodes(tx, userId, { referred_by_code: code });
    await keep(parts, tx, entered, known, judgement);
    return undefined;
  });
  if (!refused) return;
  const { couple, judgement } = refused;
  await queries.insertFindings(db, { id: null, referrerId: couple.referrer.id, referredId: userId }, judgement.findings, clock.now());
  const isOwn = judgement.findings.some(({ rule }) => rule === 'own_code' || rule === 'same_mailbox');
  throw isOwn ? new AppError('own_referral_code') : new AppError('referral_refused', { message: judgement.because });
}
