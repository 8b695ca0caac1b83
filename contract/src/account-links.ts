import { z } from 'zod';
import { deviceHeaders, loginForm, registerForm, session } from './accounts.ts';
import type { Call } from './call.ts';

const token = z
  .string({ error: 'This link is not complete. Open it again from the mail.' })
  .regex(/^[\w-]{43}$/, 'This link is not complete. Open it again from the mail.')
  .meta({ description: 'From the link in the mail' });

const done = z.object({ message: z.string() });

export const verifyEmail = {
  method: 'POST',
  url: '/auth/verify-email',
  summary: 'Confirm the address that the link was sent to. A link works once, for 7 days',
  access: 'public',
  body: z.object({ token }),
  response: done,
  errors: ['link_not_valid'],
} as const satisfies Call;

export const resendVerification = {
  method: 'POST',
  url: '/auth/verify-email/resend',
  summary: 'Send the link that confirms one’s address once more',
  access: 'session',
  response: done,
  errors: ['not_authenticated'],
} as const satisfies Call;

export const forgotPasswordForm = loginForm.pick({ email: true });

export const forgotPassword = {
  method: 'POST',
  url: '/auth/forgot-password',
  summary: 'Send a link to choose a new password. The answer is the same whether there is such an account or not',
  access: 'public',
  body: forgotPasswordForm,
  response: done,
  errors: [],
} as const satisfies Call;

export const resetPasswordForm = registerForm.pick({ password: true });

export const resetPassword = {
  method: 'POST',
  url: '/auth/reset-password',
  summary: 'Choose a new password with a mailed link, which works once and for an hour. Every session ends; a new one begins',
  access: 'public',
  headers: deviceHeaders,
  body: resetPasswordForm.extend({ token }),
  response: session,
  errors: ['link_not_valid', 'busy'],
} as const satisfies Call;
