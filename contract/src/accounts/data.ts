import { z } from 'zod';
import type { Call } from '../call.ts';
import { deviceHeaders } from './calls.ts';
import { currentPassword } from './profile.ts';

export const maxExportsPerDay = 5;

export const exportDataCall = {
  method: 'GET',
  url: '/auth/export',
  summary: 'Download everything we keep about you',
  details: `A zip of JSON files and pictures, at most ${maxExportsPerDay} times a day.`,
  access: 'session',
  recent: true,
  response: z.unknown(),
  mediaType: 'application/zip',
  errors: ['not_authenticated', 'storage_unavailable'],
} as const satisfies Call;

export const deleteAccountCall = {
  method: 'DELETE',
  url: '/auth/account',
  summary: 'Delete your account for good',
  details: 'Your listings end, payment records and tax invoices are kept as long as tax law requires, and the email address is free again.',
  access: 'session',
  recent: true,
  headers: deviceHeaders,
  body: z.object({ currentPassword: currentPassword.optional().meta({ description: 'Needed if the account has a password' }) }),
  response: z.object({ message: z.string() }),
  errors: [
    'not_authenticated',
    'last_administrator',
    'payment_processing',
    'payment_provider_unavailable',
    'payment_provider_refused',
    'busy',
  ],
} as const satisfies Call;
