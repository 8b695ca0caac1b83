import { checkReferralCode, referralCheckDelayMs, referralCodeMinLength } from '@handwise/contract/referrals';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api.ts';
import { askAfter } from '../../lib/ask-after.ts';

export type ReferralCheck = 'empty' | 'checking' | 'valid' | 'invalid' | 'failed';

/** Follows what is typed: asks the server once the typing has stopped. Codes that are too short are invalid without asking. */
export function useReferralCheck(typed: string): ReferralCheck {
  const code = typed.trim();
  const [answer, setAnswer] = useState<{ code: string; result: 'valid' | 'invalid' | 'failed' }>();
  useEffect(() => {
    if (code === '') return undefined;
    const ask = async (signal: AbortSignal) => {
      if (code.length < referralCodeMinLength) return setAnswer({ code, result: 'invalid' });
      try {
        const { valid } = await call(checkReferralCode, { params: { code } }, signal);
        setAnswer({ code, result: valid ? 'valid' : 'invalid' });
      } catch {
        if (!signal.aborted) setAnswer({ code, result: 'failed' });
      }
    };
    return askAfter(referralCheckDelayMs, (signal) => void ask(signal));
  }, [code]);
  if (code === '') return 'empty';
  return answer?.code === code ? answer.result : 'checking';
}
