import { z } from 'zod';
import type { Call } from '../call.ts';

/** What somebody is told about their code: that somebody signed up with it, or that a listing of theirs is live. */
export const referralNotification = z.object({
  id: z.uuid(),
  type: z.enum(['signup', 'listing']),
  timestamp: z.iso.datetime(),
  tickets: z.int().positive(),
});
export type ReferralNotification = z.infer<typeof referralNotification>;

/** So many unseen ones are listed, and can be said to be seen at once. */
export const mostNotifications = 100;

export const listReferralNotifications = {
  method: 'GET',
  url: '/referral/notifications',
  summary: 'List what is new from your referral code, newest first',
  access: 'session',
  response: z.object({ notifications: z.array(referralNotification) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

export const seeReferralNotifications = {
  method: 'POST',
  url: '/referral/notifications/seen',
  summary: 'Mark notifications as seen',
  details: 'They are not listed again in any tab.',
  access: 'session',
  body: z.object({
    ids: z
      .array(z.uuid('Use the ids of notifications'), 'Say which notifications were seen')
      .max(mostNotifications, `Use at most ${mostNotifications}`),
  }),
  response: z.object({ seen: z.int().nonnegative() }),
  errors: ['not_authenticated'],
} as const satisfies Call;
