import { z } from 'zod';
import { deviceHeaders, session } from '../accounts/calls.ts';
import type { Call } from '../call.ts';
import { requiredLine } from '../text-fields.ts';

const done = z.object({ message: z.string() });

const bytes = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(max);
const credential = { id: bytes(1400), rawId: bytes(1400), type: z.literal('public-key'), clientExtensionResults: z.object({}) };

/** The answer of a browser that created a passkey. */
const newPasskeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(40_000),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .optional(),
  }),
});
export type NewPasskeyAnswer = z.output<typeof newPasskeyAnswer>;

/** The answer of a browser that used a passkey. */
export const passkeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(4000),
    userHandle: bytes(200).optional(),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

/** Options of the Web Authentication API, for the browser's dialog. */
export const passkeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });

export const passkeyNameLength = 60;
export const passkeyNameForm = z.object({
  name: requiredLine('Name is required', passkeyNameLength).meta({ example: 'My phone' }),
});

export const onePasskey = z.object({
  _id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type OnePasskey = z.infer<typeof onePasskey>;

const params = z.object({ id: z.uuid() });

export const newPasskeyOptionsCall = {
  method: 'POST',
  url: '/auth/passkeys/options',
  summary: 'Start creating a passkey',
  details: 'The email address must be confirmed.',
  access: 'session',
  recent: true,
  response: passkeyOptions,
  errors: ['address_not_confirmed', 'too_many_passkeys'],
} as const satisfies Call;

export const addPasskeyCall = {
  method: 'POST',
  url: '/auth/passkeys',
  summary: 'Save the passkey the browser created',
  details: 'It is named after the browser.',
  access: 'session',
  recent: true,
  status: 201,
  body: z.object({ answer: newPasskeyAnswer }),
  response: z.object({ passkey: onePasskey }),
  errors: ['address_not_confirmed', 'passkey_refused', 'passkey_exists', 'too_many_passkeys'],
} as const satisfies Call;

export const renamePasskeyCall = {
  method: 'PUT',
  url: '/auth/passkeys/:id',
  summary: 'Rename one of your passkeys',
  access: 'session',
  params,
  body: passkeyNameForm,
  response: done,
  errors: ['passkey_not_found'],
} as const satisfies Call;

export const removePasskeyCall = {
  method: 'DELETE',
  url: '/auth/passkeys/:id',
  summary: 'Remove one of your passkeys',
  details: 'It can no longer be used to sign in. Not if it is the only way.',
  access: 'session',
  recent: true,
  params,
  response: done,
  errors: ['passkey_not_found', 'last_credential'],
} as const satisfies Call;

export const passkeySignInOptionsCall = {
  method: 'POST',
  url: '/auth/login/passkey/options',
  summary: 'Start signing in with a passkey',
  access: 'public',
  response: passkeyOptions,
  errors: [],
} as const satisfies Call;

export const passkeySignInCall = {
  method: 'POST',
  url: '/auth/login/passkey',
  summary: 'Sign in with a passkey, which replaces both the password and the second step',
  access: 'public',
  headers: deviceHeaders,
  body: z.object({ answer: passkeyAnswer }),
  response: session,
  errors: ['passkey_refused'],
} as const satisfies Call;

export const passkeyConfirmOptionsCall = {
  method: 'POST',
  url: '/auth/confirm-identity/passkey-options',
  summary: 'Start confirming that it is you with a passkey',
  access: 'session',
  response: passkeyOptions,
  errors: ['passkey_not_found'],
} as const satisfies Call;
