import { z } from 'zod';
import type { Call } from './call.ts';

/** Optional emails, which users can switch off, with their descriptions. */
export const mailKinds = {
  messages: 'Messages that arrive while you’re away',
  reviews: 'Being asked how it went with a business',
  figures: 'Your weekly views',
  referrals: 'Your new tickets for the monthly draw',
} as const;
export type MailKind = keyof typeof mailKinds;

const kind = z.enum(Object.keys(mailKinds) as [MailKind, ...MailKind[]]);
const preference = z.object({ kind, text: z.string(), on: z.boolean() });

export const listMailsCall = {
  method: 'GET',
  url: '/mails',
  summary: 'List which optional emails you get',
  access: 'session',
  response: z.object({ mails: z.array(preference) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

export const setMailsCall = {
  method: 'PUT',
  url: '/mails',
  summary: 'Turn one kind of email off or on',
  access: 'session',
  body: z.object({ kind, on: z.boolean() }),
  response: z.object({ mails: z.array(preference) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

/** The signed token of an unsubscribe link. The longest is for all alerts of a user. */
export const mailToken = z
  .string({ error: 'This link is not complete. Open it again from the email.' })
  .regex(/^[\w.-]{20,900}$/, 'This link is not complete. Open it again from the email.')
  .meta({ description: 'From the email' });

export const endMailsCall = {
  method: 'POST',
  url: '/mails/end',
  summary: 'Turn one kind of email off by the link in one of them',
  details: 'Needs no sign-in: mail programs do this in one click (RFC 8058).',
  access: 'public',
  query: z.object({ token: mailToken }),
  response: preference,
  errors: ['link_not_valid'],
} as const satisfies Call;

export const resumeMailsCall = {
  ...endMailsCall,
  url: '/mails/resume',
  summary: 'Turn one kind of email back on by the link in one of them',
  details: 'Needs no sign-in.',
} as const satisfies Call;
