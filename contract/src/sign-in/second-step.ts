import { z } from 'zod';
import { deviceHeaders, session } from '../accounts/calls.ts';
import { oneIdentity } from '../accounts/identities.ts';
import type { Call } from '../call.ts';
import { secondStepMinutes } from '../periods.ts';
import { machineLine } from '../text-fields.ts';
import { onePasskey, passkeyAnswer, passkeyOptions } from './passkeys.ts';

// An optional step after the password: a code of an authenticator app, a recovery code or a passkey.

const done = z.object({ message: z.string() });

export const appCodeDigits = 6;
export const recoveryCodeLength = 24;

/** The digits of an app's code, with or without a space. */
const appCode = machineLine('Enter the code from your app')
  .overwrite((text) => text.replaceAll(' ', ''))
  .min(1, { error: 'Enter the code from your app', abort: true })
  .regex(new RegExp(`^\\d{${appCodeDigits}}$`), `The code has ${appCodeDigits} digits`)
  .meta({ example: '123456' });

/** With or without its hyphens, in any case. */
const recoveryCode = machineLine('Enter a recovery code')
  .overwrite((text) => text.toUpperCase().replaceAll(/[ -]/g, ''))
  .min(1, { error: 'Enter a recovery code', abort: true })
  .regex(new RegExp(`^[A-Z2-9]{${recoveryCodeLength}}$`), `A recovery code has ${recoveryCodeLength} letters and digits`)
  .meta({ example: 'ABCDEF-GHJKMN-PQRSTV-WXYZ23' });

export const recoveryCodeCount = 10;

const recoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()) })
  .meta({ description: 'Shown only this once; each code signs you in once if you lose your phone' });

export const secondStepForm = z.object({ code: appCode });
export const recoveryForm = z.object({ recoveryCode });

export const secondStepMethods = ['code', 'recoveryCode', 'passkey'] as const;

/** The response of a sign-in that needs a second step. */
export const secondStepNeeded = z.object({
  secondStep: z.object({
    token: z.string().meta({ description: `For POST /auth/login/second-step, valid for ${secondStepMinutes} minutes` }),
    methods: z.array(z.enum(secondStepMethods)),
  }),
});

const stepToken = z
  .string({ error: 'Please sign in again' })
  .regex(/^[\w-]{43}$/, 'Please sign in again')
  .meta({ description: 'The token from the first step’s answer' });

export const finishSignInCall = {
  method: 'POST',
  url: '/auth/login/second-step',
  summary: 'Finish signing in with a code from the app, a recovery code or a passkey',
  details: 'A code works once.',
  access: 'public',
  headers: deviceHeaders,
  body: z.object({ token: stepToken, code: appCode.optional(), recoveryCode: recoveryCode.optional(), passkey: passkeyAnswer.optional() }),
  response: session,
  errors: ['sign_in_over', 'passkey_refused'],
} as const satisfies Call;

export const secondStepPasskeyOptionsCall = {
  method: 'POST',
  url: '/auth/login/second-step/passkey-options',
  summary: 'Start the second step of signing in with a passkey',
  access: 'public',
  body: z.object({ token: stepToken }),
  response: passkeyOptions,
  errors: ['sign_in_over', 'passkey_not_found'],
} as const satisfies Call;

export const getSecurityCall = {
  method: 'GET',
  url: '/auth/security',
  summary: 'Get how you sign in',
  access: 'session',
  response: z.object({
    authenticator: z.boolean().meta({ description: 'Whether signing in takes more than the password' }),
    recoveryCodesLeft: z.number().int(),
    passkeys: z.array(onePasskey),
    identities: z.array(oneIdentity),
    hasPassword: z.boolean(),
  }),
  errors: [],
} as const satisfies Call;

export const setUpAuthenticatorCall = {
  method: 'POST',
  url: '/auth/authenticator',
  summary: 'Get a secret for an authenticator app',
  details: 'It takes effect with its first code. The email address must be confirmed.',
  access: 'session',
  recent: true,
  response: z.object({
    secret: z.string(),
    uri: z.string().meta({ description: 'The content of the QR code: otpauth://…' }),
  }),
  errors: ['address_not_confirmed', 'authenticator_exists'],
} as const satisfies Call;

export const confirmAuthenticatorCall = {
  method: 'POST',
  url: '/auth/authenticator/confirm',
  summary: 'Confirm the authenticator app with its first code',
  details: 'From then on, signing in asks for a code.',
  access: 'session',
  recent: true,
  body: secondStepForm,
  response: recoveryCodes,
  errors: ['address_not_confirmed', 'authenticator_exists', 'authenticator_not_found'],
} as const satisfies Call;

export const removeAuthenticatorCall = {
  method: 'DELETE',
  url: '/auth/authenticator',
  summary: 'Turn off the authenticator app',
  details: 'The password alone signs you in again, and the recovery codes are deleted.',
  access: 'session',
  recent: true,
  response: done,
  errors: ['authenticator_not_found'],
} as const satisfies Call;

export const renewRecoveryCodesCall = {
  method: 'POST',
  url: '/auth/recovery-codes',
  summary: 'Get new recovery codes',
  details: 'The earlier ones stop working.',
  access: 'session',
  recent: true,
  response: recoveryCodes,
  errors: ['authenticator_not_found'],
} as const satisfies Call;
