import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError } from '../api-error.ts';
import { useSession } from './session.ts';

type State<Answer> = { at: 'ready' | 'busy' | 'refused' | 'failed' } | { at: 'done'; answer: Answer };

/** The page of an emailed link with a token. It acts on a press instead of the visit, because mail programs and scanners open links. */
export function useMailedLink<Address extends string, Answer>(send: (address: Address, token: string) => Promise<Answer>) {
  const [search] = useSearchParams();
  const { initialized } = useSession();
  const [state, setState] = useState<State<Answer>>({ at: 'ready' });
  const token = search.get('token') ?? '';

  async function press(address: Address) {
    setState({ at: 'busy' });
    try {
      setState({ at: 'done', answer: await send(address, token) });
    } catch (error) {
      setState({ at: error instanceof ApiError && error.status === 400 ? 'refused' : 'failed' });
    }
  }

  return {
    answer: state.at === 'done' ? state.answer : undefined,
    isBusy: state.at === 'busy',
    hasFailed: state.at === 'failed',
    // The server renders the page without the token.
    isRejected: state.at === 'refused' || (initialized && token === ''),
    /** Empty until the browser has read it. */
    token: initialized ? token : '',
    press,
  };
}
