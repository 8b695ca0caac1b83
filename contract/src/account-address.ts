import { z } from 'zod';
import { currentPassword, ownProfile } from './account-profile.ts';
import { deviceHeaders, registerForm } from './accounts.ts';
import type { Call } from './call.ts';

/** So long the link holds that makes an address the account’s. */
export const addressChangeHours = 24;

export const addressForm = z.object({ email: registerForm.shape.email, currentPassword });

export const changeAddress = {
  method: 'PUT',
  url: '/auth/email',
  summary: `Ask for another address of mail. It takes the place of the old one when the link that is sent there is used, within ${addressChangeHours} hours`,
  access: 'session',
  headers: deviceHeaders,
  body: addressForm,
  response: ownProfile,
  errors: ['not_authenticated', 'email_taken', 'busy'],
} as const satisfies Call;

export const keepAddress = {
  method: 'DELETE',
  url: '/auth/email',
  summary: 'Keep the address that one has: the link to another one no longer works',
  access: 'session',
  response: ownProfile,
  errors: ['not_authenticated'],
} as const satisfies Call;
