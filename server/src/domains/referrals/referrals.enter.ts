import { randomInt } from 'node:crypto';
import { dayMs } from '@handwise/contract/dates';
import { heldDays, lapseDays } from '@handwise/contract/referrals/holds';
import type { Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { lockAccount, lockUser } from '../accounts/accounts.service.ts';
import type { ReferralParts } from './referrals.context.ts';
import { heldEmail, type Hold } from './referrals.emails.ts';
import { lockRingCheck, type Couple, loadFacts, type LoadedFacts, saveOrigin, type Origin } from './referrals.facts.ts';
import * as queries from './referrals.queries.ts';
import type { ReferralRow } from './referrals.queries.ts';
import { type Verdict, evaluateRules, type Scope, referralCodeNumber, referralCodePrefix } from './referrals.rules.ts';
import { isPending } from './referrals.states.ts';
import { issueReferralTickets, emailBoth } from './referrals.tickets.ts';

/** Assigns a permanent code. `random` returns a whole number below the bound. */
export async function createReferralCode(
  tx: Tx,
  user: { id: string; username: string },
  random: (bound: number) => number = randomInt,
): Promise<string> {
  const prefix = referralCodePrefix(user.username);
  let number = referralCodeNumber(0, random);
  for (let attempt = 1; !(await queries.reserveCode(tx, prefix + number)); attempt += 1) number = referralCodeNumber(attempt, random);
  await queries.updateReferralCodes(tx, user.id, { referral_code: prefix + number });
  return prefix + number;
}

/** Assigns a new account its own code and creates a referral if it registered with a valid one; resolves to whether that counts now. */
export async function createReferralOnSignUp(
  parts: ReferralParts,
  tx: Tx,
  user: { id: string; username: string },
  form: { email: string; referralCode?: string | null | undefined },
  from: Origin,
): Promise<boolean> {
  await createReferralCode(tx, user);
  const code = form.referralCode?.toUpperCase();
  const owner = code ? await queries.findCodeOwner(tx, code) : undefined;
  const contact = owner && (await lockAccount(tx, owner.id));
  const hasCode = contact !== undefined && !contact.suspended_at && !contact.deleted_at;
  await saveOrigin(tx, { id: user.id, email: form.email }, from, parts.context.clock.now(), hasCode);
  if (!code || !owner || !hasCode) return false;
  await queries.updateReferralCodes(tx, user.id, { referred_by_code: code });
  const couple = { referrer: { id: owner.id, email: contact.email }, referred: { id: user.id, email: form.email } };
  return isPending(await createReferral(parts, tx, { couple, code, step: 'registration', device: from.device }));
}

type NewReferral = {
  couple: Couple;
  code: string;
  step: Exclude<Scope, 'conversion'>;
  /** The device token of earlier sign-ins in this browser. */
  device: string | undefined;
  /** Defaults to now. */
  at?: Date;
  /** Publishes no notification and sends no email. */
  quiet?: boolean;
};

/** Creates a pending, held or refused referral, as the abuse rules decide. Both people must be locked. */
export async function createReferral(parts: ReferralParts, tx: Tx, entered: NewReferral): Promise<ReferralRow> {
  const known = await loadFacts(tx, parts.hooks, entered.couple, entered.device, parts.context.clock.now());
  return saveReferral(parts, tx, entered, known, evaluateRules(entered.step, known.facts));
}

async function saveReferral(
  { context }: ReferralParts,
  tx: Tx,
  entered: NewReferral,
  known: LoadedFacts,
  verdict: Verdict,
): Promise<ReferralRow> {
  const { couple, code, step, quiet = false } = entered;
  const now = context.clock.now();
  const { severity, findings, because } = verdict;
  const hold = severity === 'hold' ? toHold(verdict, now) : undefined;
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
  await queries.insertReferralFindings(tx, { id: row.id, referrerId: couple.referrer.id, referredId: couple.referred.id }, findings, now);
  if (isPending(row)) await issueReferralTickets(tx, context, row, 'signup', { quiet });
  if (hold && !quiet) await emailBoth(tx, context, row, (reader) => heldEmail(reader, hold));
  return row;
}

export const toHold = ({ because, lapses }: Verdict, now: Date): Hold => ({
  held_because: because,
  held_at: now,
  held_until: new Date(now.getTime() + (lapses ? lapseDays : heldDays) * dayMs),
  held_lapses: lapses,
});

/** Too few attempts to guess a code. */
const enterLimit = { max: 30, windowSeconds: 600 };

/**
 * Enters a code at the payment step for a user without an active referral; entering the same code again is idempotent. Throws
 * `free_month_used`, `own_referral_code`, `referral_refused`, `referral_code_set` if another code is active, or `invalid_input` for an unknown code.
 */
export async function enterReferralCode(parts: ReferralParts, userId: string, input: string, from: Origin): Promise<void> {
  const { db, clock } = parts.context;
  await countAttempt(db, `referral-code-by:${userId}`, enterLimit);
  const code = input.toUpperCase();
  const refused = await db.transaction().execute(async (tx) => {
    const owner = await queries.findCodeOwner(tx, code);
    await lockRingCheck(tx);
    // Sorted, so that two users who enter each other's codes do not deadlock.
    for (const id of [...new Set([userId, owner?.id ?? userId])].toSorted()) await lockAccount(tx, id);
    const own = await lockUser(tx, userId);
    if (await parts.hooks.hasHadPlan(tx, userId)) throw new AppError('free_month_used');
    if (!owner) throw invalidField('referralCode', 'Invalid referral code. Please try again.');
    const couple = { referrer: owner, referred: { id: userId, email: own.email } };
    const entered = { couple, code, step: 'payment_step', device: from.device } as const;
    const first = await queries.findReferralOfUser(tx, userId);
    if (first?.code === code) return undefined;
    if (!first) await saveOrigin(tx, couple.referred, from, clock.now(), true);
    const known = await loadFacts(tx, parts.hooks, couple, from.device, clock.now());
    const verdict = evaluateRules('payment_step', known.facts);
    if (verdict.severity === 'reject') return { couple, verdict };
    if (first) {
      const message = `Your first referral code, ${first.code}, stays. A second one cannot be added.`;
      throw new AppError('referral_code_set', { message });
    }
    await queries.updateReferralCodes(tx, userId, { referred_by_code: code });
    await saveReferral(parts, tx, entered, known, verdict);
    return undefined;
  });
  if (!refused) return;
  const { couple, verdict } = refused;
  await queries.insertReferralFindings(db, { id: null, referrerId: couple.referrer.id, referredId: userId }, verdict.findings, clock.now());
  const isOwn = verdict.findings.some(({ rule }) => rule === 'own_code' || rule === 'same_mailbox');
  throw isOwn ? new AppError('own_referral_code') : new AppError('referral_refused', { message: verdict.because });
}
