import { z } from 'zod';
import type { Call } from '../call.ts';
import { wonDraw } from '../draws/calls.ts';
import { referralTickets } from '../draws/prize.ts';
import { counted, inWords } from '../numbers.ts';
import { businessNumberOfPlan, countryOfPlan, payable, payableErrors } from '../plans/calls.ts';
import { referralCodeText } from '../text-fields.ts';
import { drawEntry } from '../tickets/calls.ts';
import { noCard } from './holds.ts';

export const referralCodeMinLength = 5;
export const referralCodeMissing = 'Please enter a referral code';
/** Debounce of the check in the sign-up form. */
export const referralCheckDelayMs = 500;

export const maxReferralsShown = 200;
export const chartMonths = 12;

const time = z.iso.datetime();
const count = z.int().nonnegative();
const referralId = z.object({ id: z.uuid('Use the id of a referral') });

export const checkReferralCodeCall = {
  method: 'GET',
  url: '/referral/check/:code',
  summary: 'Check whether a new member can use a referral code',
  access: 'public',
  params: z.object({ code: referralCodeText().max(64).meta({ example: 'REF-DEM-1001' }) }),
  response: z.object({ valid: z.boolean() }),
  errors: [],
} as const satisfies Call;

export const useReferralCall = {
  method: 'POST',
  url: '/plan-user/use-referral',
  summary: 'Enter a referral code at the payment step',
  details: 'It makes the account’s first plan free. The first code that counts stays: another one is refused.',
  access: 'session',
  body: z.object({
    planId: z.uuid('Please select a plan first'),
    referralCode: referralCodeText(referralCodeMissing)
      .min(1, referralCodeMissing)
      .max(64, { error: 'Invalid referral code. Please try again.', abort: true }),
    country: countryOfPlan,
    businessNumber: businessNumberOfPlan,
  }),
  response: payable.extend({ success: z.boolean(), message: z.string() }),
  errors: payableErrors,
} as const satisfies Call;

export const generateReferralCodeCall = {
  method: 'POST',
  url: '/referral/generate-code',
  summary: 'Get your referral code, which is created if you have none',
  access: 'session',
  response: z.object({ code: z.string().meta({ example: 'REF-MER-4821' }) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

const referralStatus = z.enum(['pending', 'converted', 'refused']);

const rewardType = z.enum(['draw_entries', 'free_month']);

const heldOutcome = z.enum(['counts', 'lapses']).nullable();

const held = {
  heldBecause: z
    .string()
    .nullable()
    .meta({
      description: `Why it is waiting for an administrator, as a sentence; ${noCard} if it converted and its reward waits until the new account has saved a card that no other account uses, or has paid; else null`,
    }),
  heldUntil: time.nullable().meta({ description: 'Until when it can be decided; null if it is not held' }),
  heldOutcome: heldOutcome.meta({ description: 'What happens if nobody has decided by then: it counts, or it lapses' }),
  refusedBecause: z.string().nullable(),
};

const referral = z.object({
  id: z.uuid(),
  code: z.string(),
  status: referralStatus,
  ...held,
  rewardType: rewardType.nullable().meta({ description: 'Null while the referral is pending or its reward is waiting' }),
  swapUntil: time.nullable().meta({
    description: `Until when its ${counted(referralTickets.listing, 'ticket')} can be swapped for a free month: the moment their draw closes. Null if they cannot be swapped`,
  }),
  referredUser: z.object({
    name: z.string(),
    username: z.string().meta({ description: 'Empty, like the email address, if they have left' }),
    email: z.string(),
    joinedAt: time,
  }),
  listing: z.object({ title: z.string() }).nullable(),
});
export type Referral = z.infer<typeof referral>;

const winnerStatus = z.object({ isWinner: z.boolean(), winningDraw: wonDraw.nullable() });
export type WinnerStatus = z.infer<typeof winnerStatus>;

const tickets = count.meta({ description: 'How many tickets' });

export const getReferralDashboardCall = {
  method: 'GET',
  url: '/referral/dashboard',
  summary: 'Get your referral code, who signed up with it, and your tickets in the current draw',
  access: 'session',
  response: z.object({
    referralCode: z.string(),
    referralLink: z.url(),
    codeUsageCount: count.meta({ description: 'How many accounts signed up with the code' }),
    user: z.object({
      fullName: z.string(),
      username: z.string(),
      email: z.string(),
      emailConfirmed: z.boolean().meta({ description: 'Tickets only take part if the email address is confirmed when the draw closes' }),
    }),
    referralStats: z.object({
      referralsCount: count,
      successfulConversions: count,
      activeDrawTickets: count,
      pendingReferrals: count,
      drawEntriesEarned: count.meta({ description: 'All tickets your referrals have ever earned, including void ones' }),
      conversionRate: z.int().min(0).max(100).meta({ description: 'The share of referrals that converted, in whole per cent' }),
    }),
    drawEntries: z.object({
      total: count.meta({ description: 'Active tickets in the current draw' }),
      entries: z.array(drawEntry),
    }),
    currentDraw: z.object({
      drawDate: time,
      month: z.int().min(0).max(11).meta({ description: 'Counted from 0' }),
      year: z.int(),
      daysUntilDraw: count,
      hoursUntilDraw: z.int().min(0).max(23).meta({ description: 'Whole hours left after the whole days' }),
    }),
    winnerStatus,
    analytics: z.object({
      referralsByMonth: z
        .array(z.object({ month: z.string().meta({ example: '2026-11' }), referrals: count, converted: count }))
        .meta({ description: `The last ${inWords(chartMonths)} months, oldest first` }),
      rewardTypes: z.object({ free_month: count, draw_entries: count }),
      entriesBySource: z.object({ signup: tickets, listing: tickets, referral: tickets, other: tickets }),
    }),
    referrals: z.array(referral).meta({ description: `Newest first, at most ${maxReferralsShown}` }),
    ownReferral: z
      .object({ status: referralStatus, ...held })
      .nullable()
      .meta({ description: 'Your own sign-up with somebody’s code; null if you used none' }),
  }),
  errors: ['not_authenticated'],
} as const satisfies Call;
export type ReferralDashboard = z.infer<(typeof getReferralDashboardCall)['response']>;

export const takeRewardCall = {
  method: 'POST',
  url: '/referral/rewards/:id',
  summary: 'Swap the tickets of a converted referral for a free month',
  details: 'This can be done once, until their draw closes.',
  access: 'session',
  params: referralId,
  body: z.object({ rewardType: z.literal('free_month', 'Choose the free month') }),
  response: z.object({
    message: z.string(),
    credit: z.object({ id: z.uuid(), createdAt: time }),
  }),
  errors: ['not_authenticated', 'referral_not_found', 'reward_not_ready', 'reward_taken', 'reward_too_late'],
} as const satisfies Call;
