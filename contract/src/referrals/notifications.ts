import { z } from 'zod';
import type { Call } from '../call.ts';

/** Sent to the owner of a code when somebody signs up with it, or when that person's first listing goes live. */
export const referralNotification = z.object({
  id: z.uuid(),
  type: z.enum(['signup', 'listing']),
  timestamp: z.iso.datetime(),
  tickets: z.int().positive(),
  prize: z.int().positive().optional().meta({ description: 'What the tickets’ draw pays, in whole dollars' }),
});
export type ReferralNotification = z.infer<typeof referralNotification>;

/** The most unseen notifications that are listed or marked as seen at once. */
export const maxNotificationsListed = 100;

export const listReferralNotificationsCall = {
  method: 'GET',
  url: '/referral/notifications',
  summary: 'List what is new from your referral code, newest first',
  access: 'session',
  response: z.object({ notifications: z.array(referralNotification) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

export const seeReferralNotificationsCall = {
  method: 'POST',
  url: '/referral/notifications/seen',
  summary: 'Mark notifications as seen',
  details: 'They are not listed again in any tab.',
  access: 'session',
  body: z.object({
    ids: z
      .array(z.uuid('Use the ids of notifications'), 'Say which notifications were seen')
      .max(maxNotificationsListed, `Use at most ${maxNotificationsListed}`),
  }),
  response: z.object({ seen: z.int().nonnegative() }),
  errors: ['not_authenticated'],
} as const satisfies Call;
