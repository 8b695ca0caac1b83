import { checkReferralCode, referralCheckDelayMs, referralCodeMinLength } from '@handwise/contract/referrals/calls';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { debounce } from '../../lib/debounce.ts';

type Answered = 'valid' | 'invalid' | 'failed';
export type ReferralCheck = 'empty' | 'checking' | Answered;

/** Asks the server about a code. Codes that are too short are invalid without asking. */
async function checkCode(code: string, signal?: AbortSignal): Promise<Answered> {
  if (code.length < referralCodeMinLength) return 'invalid';
  try {
    return (await call(checkReferralCode, { params: { code } }, signal)).valid ? 'valid' : 'invalid';
  } catch {
    return 'failed';
  }
}

/**
 * Whether a code that is about to be sent is valid: an account is created with one whose check failed, and the server decides. Throws an `ApiError` for
 * the field where it is invalid.
 */
export async function requireValidCode(typed: string, known: ReferralCheck): Promise<boolean> {
  const code = typed.trim();
  if (code === '') return false;
  const result = known === 'valid' || known === 'invalid' ? known : await checkCode(code);
  if (result === 'invalid') throw invalidCode();
  return result === 'valid';
}

function invalidCode(): ApiError {
  const message = 'Invalid referral code. Correct it, or leave the field empty.';
  return new ApiError(400, 'invalid_input', message, [{ field: 'referralCode', message }]);
}

/** Follows what is typed: asks the server once the typing has stopped. */
export function useReferralCheck(typed: string): ReferralCheck {
  const code = typed.trim();
  const [answer, setAnswer] = useState<{ code: string; result: Answered }>();
  useEffect(() => {
    if (code === '') return undefined;
    const ask = async (signal: AbortSignal) => {
      const result = await checkCode(code, signal);
      if (!signal.aborted) setAnswer({ code, result });
    };
    return debounce(referralCheckDelayMs, (signal) => void ask(signal));
  }, [code]);
  if (code === '') return 'empty';
  return answer?.code === code ? answer.result : 'checking';
}
