import { checkReferralCode, referralCheckDelayMs, referralCodeMinLength } from '@handwise/contract/referrals';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api.ts';

export type ReferralCheck = 'empty' | 'checking' | 'valid' | 'invalid' | 'failed';

/** Follows what is typed: asks the server once the typing has stopped. Codes that are too short are invalid without asking. */
export function useReferralCheck(typed: string): ReferralCheck {
  const code = typed.trim();
  const [answer, setAnswer] = useState<{ code: string; result: 'valid' | 'invalid' | 'failed' }>();
  useEffect(() => {
    if (code === '') return;
    const abort = new AbortController();
    const ask = async () => {
      if (code.length < referralCodeMinLength) return setAnswer({ code, result: 'invalid' });
      try {
        const { valid } = await call(checkReferralCode, { params: { code } }, abort.signal);
        setAnswer({ code, result: valid ? 'valid' : 'invalid' });
      } catch {
        if (!abort.signal.aborted) setAnswer({ code, result: 'failed' });
      }
    };
    const timer = setTimeout(() => void ask(), referralCheckDelayMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [code]);
  if (code === '') return 'empty';
  return answer?.code === code ? answer.result : 'checking';
}
