import { z } from 'zod';
import type { Call } from './call.ts';
import { countryOfPlan, payable, payableErrors, planId } from './plans.ts';
import { line, requiredLine } from './text-fields.ts';

export const referralCodeMinLength = 5;
export const referralCodeMissing = 'Please enter a referral code';
/** How long the sign-up form waits after the last key before it asks the server. */
export const referralCheckDelayMs = 500;

export const checkReferralCode = {
  method: 'GET',
  url: '/referral/check/:code',
  summary: 'Whether a referral code is one that a new user can enter',
  access: 'public',
  params: z.object({ code: line().max(64).meta({ example: 'REF-DEM-1001' }) }),
  response: z.object({ valid: z.boolean() }),
  errors: [],
} as const satisfies Call;

export const useReferral = {
  method: 'POST',
  url: '/plan-user/use-referral',
  summary: 'Enter a referral code at the payment step: the first plan of an account is then free',
  access: 'session',
  body: z.object({
    planId,
    referralCode: requiredLine(referralCodeMissing, 64, 'Invalid referral code. Please try again.'),
    country: countryOfPlan,
  }),
  response: payable.extend({ success: z.boolean(), message: z.string() }),
  errors: payableErrors,
} as const satisfies Call;
