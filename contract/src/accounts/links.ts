import { z } from 'zod';
import type { Call } from '../call.ts';

/** Lifetime of the link that confirms an address. */
export const confirmDays = 7;

/** The token of an emailed link. */
export const linkToken = z
  .string({ error: 'This link is not complete. Open it again from the email.' })
  .regex(/^[\w-]{43}$/, 'This link is not complete. Open it again from the email.')
  .meta({ description: 'From the link in the email' });

const done = z.object({ message: z.string() });

export const verifyEmailCall = {
  method: 'POST',
  url: '/auth/verify-email',
  summary: 'Confirm the email address that the link was sent to',
  details: `Either the account’s own address, within ${confirmDays} days, or the one it is changing to. A link works once.`,
  access: 'public',
  body: z.object({ token: linkToken }),
  response: done,
  errors: ['link_not_valid', 'email_taken'],
} as const satisfies Call;

export const resendVerificationCall = {
  method: 'POST',
  url: '/auth/verify-email/resend',
  summary: 'Send the link that confirms your email address again',
  access: 'session',
  query: z.strictObject({
    conversation: z
      .uuid('Use the id of a conversation')
      .optional()
      .meta({ description: 'Where the page that confirms the address leads back to' }),
  }),
  response: done,
  errors: ['not_authenticated'],
} as const satisfies Call;
