import { z } from 'zod';
import type { Call } from '../call.ts';
import { deviceHeaders, registerForm } from './calls.ts';
import { currentPassword, ownProfile } from './profile.ts';

/** Lifetime of the link that completes an address change. */
export const addressChangeHours = 24;

export const addressForm = z.object({ email: registerForm.shape.email, currentPassword });

export const changeAddressCall = {
  method: 'PUT',
  url: '/auth/email',
  summary: 'Ask to change your email address',
  details: `The new address takes over once the link sent to it is opened, within ${addressChangeHours} hours.`,
  access: 'session',
  headers: deviceHeaders,
  body: addressForm,
  response: ownProfile,
  errors: ['not_authenticated', 'email_taken', 'busy'],
} as const satisfies Call;

export const cancelAddressChangeCall = {
  method: 'DELETE',
  url: '/auth/email',
  summary: 'Keep your current email address',
  details: 'The link sent to the new one stops working.',
  access: 'session',
  response: ownProfile,
  errors: ['not_authenticated'],
} as const satisfies Call;
