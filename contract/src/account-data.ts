import { z } from 'zod';
import { currentPassword } from './account-profile.ts';
import { deviceHeaders } from './accounts.ts';
import type { Call } from './call.ts';

export const exportsADay = 5;

export const exportData = {
  method: 'GET',
  url: '/auth/export',
  summary: `What is kept of one’s account, as a zip of JSON files and pictures. ${exportsADay} times a day`,
  access: 'session',
  recent: true,
  response: z.unknown(),
  mediaType: 'application/zip',
  errors: ['not_authenticated', 'storage_unavailable'],
} as const satisfies Call;

export const deleteAccount = {
  method: 'DELETE',
  url: '/auth/account',
  summary: 'Delete one’s account for good. Listings end, what the books need stays without a name, and the address is free again',
  access: 'session',
  recent: true,
  headers: deviceHeaders,
  body: z.object({ currentPassword }),
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
