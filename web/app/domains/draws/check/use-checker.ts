import { useCallback, useEffect, useRef, useState } from 'react';
import type { Question, Questions } from './check-messages.ts';
import { type Checker, openChecker } from './checker.ts';

/** One verifier per page, ended with it. */
export function useChecker(): Checker['ask'] {
  const checker = useRef<Checker>(null);
  useEffect(
    () => () => {
      checker.current?.close();
      checker.current = null;
    },
    [],
  );
  return useCallback((...question) => (checker.current ??= openChecker()).ask(...question), []);
}

/** `sofar`: the partial result. */
export type Answer<T> =
  | { state: 'none' }
  | { state: 'busy'; sofar: T | null }
  | { state: 'there'; value: T }
  | { state: 'failed'; message: string };

/** A request to the verifier with its progress. A newer request discards the result of an older one. */
export function useAnswer<What extends Question>(ask: Checker['ask'], what: What) {
  type Gets = Questions[What]['gets'];
  const [answer, setAnswer] = useState<Answer<Gets>>({ state: 'none' });
  const newest = useRef(0);
  const start = useCallback(
    async (asks: Questions[What]['asks']) => {
      newest.current += 1;
      const own = newest.current;
      const show = (next: Answer<Gets>) => own === newest.current && setAnswer(next);
      show({ state: 'busy', sofar: null });
      try {
        show({ state: 'there', value: await ask(what, asks, (sofar) => show({ state: 'busy', sofar })) });
      } catch (error) {
        show({ state: 'failed', message: error instanceof Error ? error.message : 'It could not be checked.' });
      }
    },
    [ask, what],
  );
  return [answer, start] as const;
}
