import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError } from '../api-error.ts';
import { useSession } from './session.ts';

/** The page of an emailed link with a token. It acts on a press instead of the visit, because mail programs and scanners open links. */
export function useMailedLink<Address extends string, Answer>(send: (address: Address, token: string) => Promise<Answer>) {
  const [search] = useSearchParams();
  const { initialized } = useSession();
  // Stays while another press is under way or has failed, because it still holds.
  const [answer, setAnswer] = useState<Answer>();
  const [state, setState] = useState<'ready' | 'busy' | 'refused' | 'failed'>('ready');
  const token = search.get('token') ?? '';

  async function press(address: Address) {
    setState('busy');
    try {
      setAnswer(await send(address, token));
      setState('ready');
    } catch (error) {
      setState(error instanceof ApiError && error.status === 400 ? 'refused' : 'failed');
    }
  }

  return {
    answer,
    isBusy: state === 'busy',
    hasFailed: state === 'failed',
    // The server renders the page without the token.
    isRejected: state === 'refused' || (initialized && token === ''),
    /** Empty until the browser has read it. */
    token: initialized ? token : '',
    press,
  };
}
