import { z } from 'zod';
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
