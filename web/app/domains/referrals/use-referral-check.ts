import { cleanReferralCode } from '@handwise/contract/machine-text';
import { referralCheckDelayMs, referralCodeMinLength } from '@handwise/contract/referrals/calls';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { debounce } from '../../lib/debounce.ts';

type Answered = 'valid' | 'invalid' | 'failed';
export type ReferralCheck = 'empty' | 'checking' | Answered;

/** Checks a code on the server. Codes that are too short are invalid without a request. */
async function checkCode(code: string, signal?: AbortSignal): Promise<Answered> {
  if (code.length < referralCodeMinLength) return 'invalid';
  try {
    return (await call('GET /referral/check/:code', { params: { code } }, signal)).valid ? 'valid' : 'invalid';
  } catch {
    return 'failed';
  }
}

/** Throws an `ApiError` for the field if the code is invalid. If the check itself fails, the server decides on sign-up. */
export async function requireValidCode(typed: string, lastCheck: ReferralCheck): Promise<boolean> {
  const code = cleanReferralCode(typed);
  if (code === '') return false;
  const result = lastCheck === 'valid' || lastCheck === 'invalid' ? lastCheck : await checkCode(code);
  if (result === 'invalid') throw invalidCode();
  return result === 'valid';
}

function invalidCode(): ApiError {
  const message = 'Invalid referral code. Correct it, or leave the field empty.';
  return new ApiError(400, 'invalid_input', message, [{ field: 'referralCode', message }]);
}

/** Checks the code while it is typed, debounced. */
export function useReferralCheck(typed: string): ReferralCheck {
  const code = cleanReferralCode(typed);
  const [answer, setAnswer] = useState<{ code: string; result: Answered }>();
  useEffect(() => {
    if (code === '') return undefined;
    const check = async (signal: AbortSignal) => {
      const result = await checkCode(code, signal);
      if (!signal.aborted) setAnswer({ code, result });
    };
    return debounce(referralCheckDelayMs, (signal) => void check(signal));
  }, [code]);
  if (code === '') return 'empty';
  return answer?.code === code ? answer.result : 'checking';
}
