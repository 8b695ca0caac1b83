import { z } from 'zod';
import { deviceHeaders, passwordLength, registerForm, session, sessionUser } from '../accounts/calls.ts';
import { linkToken } from '../accounts/links.ts';
import type { Call } from '../call.ts';
import { inWords } from '../numbers.ts';
import { lastUseMinutes, recentMinutes } from '../periods.ts';
import { secret } from '../text-fields.ts';
import { passkeyAnswer } from './passkeys.ts';
import { recoveryForm, secondStepForm, secondStepNeeded } from './second-step.ts';

const done = z.object({ message: z.string() });

export const loginForm = z.object({
  email: registerForm.shape.email,
  password: secret('Password is required')
    .min(1, 'Password is required')
    .max(passwordLength.max, `Password must be at most ${passwordLength.max} characters`),
});
export type LoginForm = z.infer<typeof loginForm>;

/** Wrong passwords per account and hour, over all networks; beyond them, only devices that signed in before may try. */
export const guessesPerHour = 100;

export const loginCall = {
  method: 'POST',
  url: '/auth/login',
  summary: 'Sign in, or start the second step if the account has one',
  details: `After ${guessesPerHour} wrong passwords for an account within an hour, over all networks, only devices that have signed in to it before get in with the password.`,
  access: 'public',
  headers: deviceHeaders,
  body: loginForm,
  response: z.union([session, secondStepNeeded]),
  errors: ['invalid_credentials', 'busy'],
} as const satisfies Call;

export const logoutCall = {
  method: 'POST',
  url: '/auth/logout',
  summary: 'Sign out: end the session of the token at once',
  access: 'session',
  response: done,
  errors: ['not_authenticated'],
} as const satisfies Call;

export const restoreSessionCall = {
  method: 'POST',
  url: '/auth/restore',
  summary: 'Restore the session whose token the browser has lost',
  details:
    'By an HttpOnly cookie that only this call gets. It is set at sign-in, lasts 30 days, is renewed by use and works once: used again, it ends the session. The session gets a new token.',
  access: 'public',
  response: z.object({ data: sessionUser }),
  errors: ['session_over'],
} as const satisfies Call;

/** Proves again that the caller owns the account, which some calls require (403 `confirm_identity`). */
export const confirmIdentityForm = loginForm.pick({ password: true });

export const confirmIdentityCall = {
  method: 'POST',
  url: '/auth/confirm-identity',
  summary: 'Confirm that it is you',
  details: `By a passkey, or by the password and, if signing in takes one, a code from the app or a recovery code. It holds for ${recentMinutes} minutes in this session. Attempts count towards the sign-in limit.`,
  access: 'session',
  headers: deviceHeaders,
  body: z.object({
    password: confirmIdentityForm.shape.password.optional(),
    code: secondStepForm.shape.code.optional(),
    recoveryCode: recoveryForm.shape.recoveryCode.optional(),
    passkey: passkeyAnswer.optional(),
  }),
  response: done,
  errors: ['busy', 'passkey_refused'],
} as const satisfies Call;

const oneSession = z.object({
  _id: z.uuid(),
  browser: z.string().meta({ example: 'Chrome on Windows' }),
  current: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().meta({ description: `Exact to ${inWords(lastUseMinutes)} minutes` }),
  look: z
    .object({ reason: z.string(), ended: z.boolean() })
    .nullable()
    .meta({ description: 'A member of our staff who viewed the site as you, and why. They could not change anything' }),
});
export type OneSession = z.infer<typeof oneSession>;

export const listSessionsCall = {
  method: 'GET',
  url: '/auth/sessions',
  summary: 'List where you are signed in, last used first',
  access: 'session',
  response: z.object({ sessions: z.array(oneSession) }),
  errors: [],
} as const satisfies Call;

export const endSessionCall = {
  method: 'DELETE',
  url: '/auth/sessions/:id',
  summary: 'End one of your sessions',
  access: 'session',
  recent: true,
  params: z.object({ id: z.uuid() }),
  response: done,
  errors: ['session_not_found'],
} as const satisfies Call;

export const endOtherSessionsCall = {
  method: 'DELETE',
  url: '/auth/sessions',
  summary: 'End all your sessions except this one',
  access: 'session',
  recent: true,
  response: done,
  errors: [],
} as const satisfies Call;

export const forgotPasswordForm = loginForm.pick({ email: true });

export const forgotPasswordCall = {
  method: 'POST',
  url: '/auth/forgot-password',
  summary: 'Send a link to choose a new password',
  details: 'The answer is the same whether or not there is such an account.',
  access: 'public',
  body: forgotPasswordForm,
  response: done,
  errors: [],
} as const satisfies Call;

export const resetPasswordForm = registerForm.pick({ password: true });

export const resetPasswordCall = {
  method: 'POST',
  url: '/auth/reset-password',
  summary: 'Choose a new password with an emailed link',
  details:
    'The link works once, within an hour. Every session and a pending change of address end, and a new session begins, after the second step if the account has one. If the address was never confirmed before, every passkey, authenticator app and recovery code is removed as well.',
  access: 'public',
  headers: deviceHeaders,
  body: resetPasswordForm.extend({ token: linkToken }),
  response: z.union([
    session.extend({
      credentialsEnded: z.boolean().meta({
        description: 'Whether every passkey, authenticator app and recovery code was removed, because the address had never been confirmed',
      }),
    }),
    secondStepNeeded,
  ]),
  errors: ['link_not_valid', 'busy'],
} as const satisfies Call;
