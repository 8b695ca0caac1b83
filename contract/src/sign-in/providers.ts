import { z } from 'zod';
import { deviceHeaders, registerForm, session } from '../accounts/calls.ts';
import { provider } from '../accounts/identities.ts';
import { linkToken } from '../accounts/links.ts';
import type { Call } from '../call.ts';
import { atMost, line, machineLine } from '../text-fields.ts';
import { recoveryForm, secondStepForm, secondStepNeeded } from './second-step.ts';

// Signing in with an account at Google or Apple (OpenID Connect). The browser goes to `GET /auth/with/:provider`, to the provider and back to the
// page `paths.providerReturn`, which finishes with the calls below.

const done = z.object({ message: z.string() });

const answered = (max: number) =>
  z
    .string({ error: 'Please sign in again' })
    .regex(/^[\x21-\x7e]+$/, 'Please sign in again')
    .max(max, 'Please sign in again');

/** What the provider sent back with the browser. */
const providerAnswer = z.object({
  provider,
  state: answered(100),
  code: answered(2000),
  iss: answered(500).optional(),
  name: line().max(200).optional().catch(undefined).meta({ description: 'Apple sends the name only the first time' }),
});

const providerSession = session.extend({
  isNew: z.boolean().meta({ description: 'Whether the account has just been created' }),
  isReferred: z.boolean().meta({ description: 'Whether it was, with a referral code that counts' }),
});

export const finishProviderSignInCall = {
  method: 'POST',
  url: '/auth/with/finish',
  summary: 'Finish what was begun at Google or Apple',
  details:
    'Signs in, creates an account for a new address that the provider has verified, connects the provider to the signed-in account, or confirms its owner’s identity, depending on what the browser began. The cookie that the start has set is needed.',
  access: 'optional',
  headers: deviceHeaders,
  body: providerAnswer,
  response: z.union([
    providerSession,
    secondStepNeeded,
    z.object({
      nameNeeded: z.object({
        token: z.string().meta({ description: 'For POST /auth/with/name, valid for half an hour' }),
        email: z.string(),
      }),
    }),
    z.object({
      accountExists: z.object({
        email: z.string(),
        isLinkSent: z.boolean().meta({ description: 'Whether a link that connects the provider was sent to the account’s address' }),
      }),
    }),
    z.object({ finished: z.enum(['connect', 'confirm']) }),
  ]),
  errors: [
    'sign_in_over',
    'provider_not_found',
    'provider_refused',
    'provider_address_not_verified',
    'provider_unavailable',
    'identity_taken',
    'identity_exists',
    'address_not_confirmed',
    'email_taken',
  ],
} as const satisfies Call;

export const newNameForm = registerForm.pick({ fullName: true });

export const nameProviderAccountCall = {
  method: 'POST',
  url: '/auth/with/name',
  summary: 'Create the account that still lacked a name',
  access: 'public',
  status: 201,
  headers: deviceHeaders,
  body: newNameForm.extend({ token: linkToken }),
  response: providerSession,
  errors: ['sign_in_over', 'email_taken'],
} as const satisfies Call;

export const connectByLinkCall = {
  method: 'POST',
  url: '/auth/with/connect',
  summary: 'Connect Google or Apple to an account by an emailed link',
  details: 'The link works once, for an hour. It does not sign in.',
  access: 'public',
  body: z.object({ token: linkToken }),
  response: z.object({ provider }),
  errors: ['link_not_valid', 'identity_taken', 'identity_exists'],
} as const satisfies Call;

const started = z.object({ url: z.url().meta({ description: 'Where to send the browser' }) });
const startForm = z.object({
  provider,
  redirect: machineLine()
    .max(...atMost(2000))
    .optional()
    .meta({ description: 'The page to return to' }),
});

export const startConnectingCall = {
  method: 'POST',
  url: '/auth/identities',
  summary: 'Start connecting Google or Apple to your account',
  details: 'The email address must be confirmed.',
  access: 'session',
  recent: true,
  body: startForm,
  response: started,
  errors: ['provider_not_found', 'provider_unavailable', 'identity_exists', 'address_not_confirmed'],
} as const satisfies Call;

export const startConfirmingCall = {
  method: 'POST',
  url: '/auth/confirm-identity/with',
  summary: 'Start confirming that it is you at Google or Apple',
  details: 'With a code from the app or a recovery code, if signing in takes one.',
  access: 'session',
  body: startForm.extend({ code: secondStepForm.shape.code.optional(), recoveryCode: recoveryForm.shape.recoveryCode.optional() }),
  response: started,
  errors: ['provider_not_found', 'provider_unavailable', 'identity_not_found'],
} as const satisfies Call;

export const disconnectProviderCall = {
  method: 'DELETE',
  url: '/auth/identities/:provider',
  summary: 'Disconnect Google or Apple from your account',
  details: 'Not if it is the only way to sign in.',
  access: 'session',
  recent: true,
  params: z.object({ provider }),
  response: done,
  errors: ['identity_not_found', 'last_credential'],
} as const satisfies Call;
