import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError } from '../api-error.ts';
import { useSession } from './session.ts';

type State<Answer> = { at: 'ready' | 'busy' | 'refused' | 'failed' } | { at: 'done'; answer: Answer };

/**
 * A link of an email that proves by its token that it is ours, on a page where a press and not the visit does something: mail
 * programs and virus scanners open links by themselves.
 */
export function useMailedLink<Way extends string, Answer>(ask: (way: Way, token: string) => Promise<Answer>) {
  const [search] = useSearchParams();
  const { initialized } = useSession();
  const [state, setState] = useState<State<Answer>>({ at: 'ready' });
  const token = search.get('token') ?? '';

  async function press(way: Way) {
    setState({ at: 'busy' });
    try {
      setState({ at: 'done', answer: await ask(way, token) });
    } catch (error) {
      setState({ at: error instanceof ApiError && error.status === 400 ? 'refused' : 'failed' });
    }
  }

  return {
    answer: state.at === 'done' ? state.answer : undefined,
    isBusy: state.at === 'busy',
    hasFailed: state.at === 'failed',
    // The page is rendered without the token, which is nobody's but the reader's.
    isRefused: state.at === 'refused' || (initialized && token === ''),
    /** What it proves itself by; empty until the browser knows it. */
    token: initialized ? token : '',
    press,
  };
}
