import { z } from 'zod';
import { pages } from '../admin/calls.ts';
import type { Call } from '../call.ts';
import { pageQuery } from '../listings/calls.ts';
import { requiredLines } from '../text-fields.ts';
import { noCard } from './holds.ts';

const time = z.iso.datetime();
const count = z.int().nonnegative();

/** reject: never counts; hold: waits for an administrator; watch: recorded for administrators only. */
const ruleSeverity = z.enum(['reject', 'hold', 'watch']);

const finding = z.object({
  rule: z.string().meta({ example: 'same_card' }),
  severity: ruleSeverity,
  text: z.string(),
  createdAt: time,
});

const person = z.object({
  _id: z.uuid(),
  fullName: z.string(),
  username: z.string(),
  email: z.string(),
  createdAt: time,
  emailConfirmed: z.boolean(),
});

const adminReferral = z.object({
  _id: z.uuid(),
  code: z.string(),
  status: z.enum(['held', 'pending', 'converted', 'refused']),
  createdAt: time,
  heldBecause: z
    .string()
    .nullable()
    .meta({ description: `As a sentence, also after the hold; ${noCard} if the reward waits for a card` }),
  heldUntil: time.nullable(),
  heldOutcome: z.enum(['counts', 'lapses']).nullable().meta({ description: 'What happens if nobody has decided by then' }),
  referrer: person,
  referred: person,
  listing: z.object({ _id: z.uuid(), title: z.string() }).nullable(),
  speaksFor: z.array(z.string()).meta({ description: 'What suggests that these are two different people, as sentences' }),
  speaksAgainst: z.array(finding),
  decision: z
    .object({
      approved: z.boolean(),
      reason: z.string(),
      decidedBy: z.string().nullable().meta({ description: 'Null if nobody decided in time, or a payment did' }),
      decidedAt: time,
    })
    .nullable(),
  mayDecide: z.boolean().meta({ description: 'False if you are one of the two, or it has been decided' }),
});
export type AdminReferral = z.infer<typeof adminReferral>;

export const listReferralsCall = {
  method: 'GET',
  url: '/admin/referrals',
  summary: 'List referrals: held ones oldest first, the others newest first',
  details: 'Held ones come with what speaks for and against them.',
  access: 'admin',
  query: z.strictObject({
    ...pageQuery,
    status: z.enum(['held', 'pending', 'converted', 'refused'], 'Use held, pending, converted or refused').optional(),
  }),
  response: z.object({
    referrals: z.array(adminReferral),
    counts: z.object({
      held: count.meta({ description: 'How many are waiting now' }),
      everHeld: count,
      refused: count.meta({ description: 'Refused by the rules and by administrators' }),
      wronglyHeld: count.meta({ description: 'Held, then approved' }),
    }),
    ...pages,
  }),
  errors: [],
} as const satisfies Call;

export const decideReferralCall = {
  method: 'POST',
  url: '/admin/referrals/:id/decide',
  summary: 'Decide a referral',
  details:
    'A held one can be approved: its tickets are issued straight away. Any can be refused: tickets whose draw is still open and unused free months are taken back. Both people are told.',
  access: 'admin',
  params: z.object({ id: z.uuid('Use the id of a referral') }),
  body: z.object({
    approve: z.boolean('Say whether it counts'),
    reason: requiredLines('Please say why: both people read it', 500),
  }),
  response: z.object({ message: z.string(), status: z.enum(['pending', 'converted', 'refused']) }),
  errors: ['referral_not_found', 'already_decided', 'own_matter'],
} as const satisfies Call;
