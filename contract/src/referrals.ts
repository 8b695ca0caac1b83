import { z } from 'zod';
import type { Call } from './call.ts';
import { line } from './text-fields.ts';

export const referralCodeMinLength = 5;
/** How long the sign-up form waits after the last key before it asks the server. */
export const referralCheckDelayMs = 500;

export const checkReferralCode = {
  method: 'GET',
  url: '/referral/check/:code',
  summary: 'Whether a referral code is one that a new user can enter',
  access: 'public',
  params: z.object({ code: line().max(64).meta({ example: 'REF-BUY-1001' }) }),
  response: z.object({ valid: z.boolean() }),
  errors: [],
} as const satisfies Call;
