import { z } from 'zod';
import { linkToken } from './account-links.ts';
import { deviceHeaders, passwordLength, registerForm, session } from './accounts.ts';
import type { Call } from './call.ts';
import { secret } from './text-fields.ts';

const done = z.object({ message: z.string() });

export const loginForm = z.object({
  email: registerForm.shape.email,
  password: secret('Password is required')
    .min(1, 'Password is required')
    .max(passwordLength.max, `Password must be at most ${passwordLength.max} characters`),
});
export type LoginForm = z.infer<typeof loginForm>;

export const login = {
  method: 'POST',
  url: '/auth/login',
  summary: 'Start a session',
  access: 'public',
  headers: deviceHeaders,
  body: loginForm,
  response: session,
  errors: ['invalid_credentials', 'busy'],
} as const satisfies Call;

export const logout = {
  method: 'POST',
  url: '/auth/logout',
  summary: 'End the session of the token at once',
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
  body: resetPasswordForm.extend({ token: linkToken }),
  response: session,
  errors: ['link_not_valid', 'busy'],
} as const satisfies Call;
