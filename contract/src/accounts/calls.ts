import { z } from 'zod';
import type { Call } from '../call.ts';
import { deviceHeader } from '../call.ts';
import { emailAddress, personName, referralCodeText, secret } from '../text-fields.ts';
import { isMisleadingName, isReservedUsername } from './reserved-names.ts';
import { usernameLength } from './username.ts';

const role = z.enum(['user', 'admin']);

/** The signed-in user as the browser stores it, with the session's token. */
export const sessionUser = z.object({
  _id: z.uuid(),
  name: z.string(),
  fullName: z.string(),
  username: z.string(),
  email: z.string(),
  avatar: z.string().meta({ description: 'A path from the site’s root, or empty' }),
  role,
  referralCode: z.string(),
  emailConfirmed: z.boolean(),
  token: z.string(),
});
export type SessionUser = z.infer<typeof sessionUser>;

const email = emailAddress('Email is required', 'Invalid email format').meta({ example: 'aroha@example.org' });

/** Message: 'Password must be at least 6 characters'. */
export const passwordLength = { min: 6, max: 200 };

const username = z
  .string({ error: 'Username is required' })
  .min(1, 'Username is required')
  .refine((value) => !/\s/.test(value), { error: 'Username cannot contain spaces', abort: true })
  .min(usernameLength.min, `Username must be at least ${usernameLength.min} characters`)
  // Aborts for longer names because comparing with the reserved names, part by part, is slow.
  .max(usernameLength.max, { error: `Username must be less than ${usernameLength.max} characters`, abort: true })
  .regex(/^\w+$/, 'Username can only contain letters, numbers and underscores')
  .refine((value) => !isReservedUsername(value), 'This username is reserved')
  .meta({ example: 'aroha_n' });

const newPassword = secret('Password is required')
  .min(1, { error: 'Password is required', abort: true })
  .min(passwordLength.min, `Password must be at least ${passwordLength.min} characters`)
  .max(passwordLength.max, `Password must be at most ${passwordLength.max} characters`)
  .meta({ example: 'pohutukawa-9' });

export const registerForm = z.object({
  fullName: personName()
    .refine((value) => !isMisleadingName(value), 'This name is reserved')
    .meta({ example: 'Aroha Ngata' }),
  username,
  email,
  password: newPassword,
  referralCode: referralCodeText().max(64, 'Invalid referral code.').nullish(),
});
export type RegisterForm = z.infer<typeof registerForm>;

export const deviceHeaders = z.object({
  [deviceHeader]: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional()
    .catch(undefined)
    .meta({ description: 'The `device` from an earlier sign-in or sign-up on this device; anything else is ignored' }),
});

export const session = z.object({
  data: sessionUser,
  device: z.string().meta({ description: 'Keep it, even after signing out, and send it as x-device with the next sign-in' }),
});

export const registerCall = {
  method: 'POST',
  url: '/auth/register',
  summary: 'Create an account and start its first session',
  access: 'public',
  status: 201,
  headers: deviceHeaders,
  // Only a hint from the browser: the server looks the code up itself.
  body: registerForm.extend({ hasValidReferral: z.boolean().optional() }),
  response: session,
  errors: ['username_taken', 'email_taken', 'busy'],
} as const satisfies Call;

export const getSessionCall = {
  method: 'GET',
  url: '/auth/session',
  summary: 'Get the user the token belongs to',
  access: 'session',
  response: z.object({ data: sessionUser.omit({ token: true }) }),
  errors: ['not_authenticated'],
} as const satisfies Call;
