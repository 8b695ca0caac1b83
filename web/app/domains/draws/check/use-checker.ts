import { useCallback, useEffect, useRef, useState } from 'react';
import type { Operation, Operations } from './check-messages.ts';
import { type Checker, openChecker } from './checker.ts';

/** One verifier per page, ended with it. */
export function useChecker(): Checker['runCheck'] {
  const checker = useRef<Checker>(null);
  useEffect(
    () => () => {
      checker.current?.close();
      checker.current = null;
    },
    [],
  );
  return useCallback((...question) => (checker.current ??= openChecker()).runCheck(...question), []);
}

export type CheckerResult<T> =
  | { state: 'idle' }
  | { state: 'busy'; partial: T | null }
  | { state: 'done'; value: T }
  | { state: 'failed'; message: string };

/** A request to the verifier with its progress. A newer request discards the result of an older one. */
export function useCheckerResult<Name extends Operation>(runCheck: Checker['runCheck'], operation: Name) {
  type Output = Operations[Name]['output'];
  const [answer, setAnswer] = useState<CheckerResult<Output>>({ state: 'idle' });
  const newest = useRef(0);
  const start = useCallback(
    async (input: Operations[Name]['input']) => {
      newest.current += 1;
      const own = newest.current;
      const show = (next: CheckerResult<Output>) => own === newest.current && setAnswer(next);
      show({ state: 'busy', partial: null });
      try {
        show({ state: 'done', value: await runCheck(operation, input, (partial) => show({ state: 'busy', partial })) });
      } catch (error) {
        show({ state: 'failed', message: error instanceof Error ? error.message : 'It could not be checked.' });
      }
    },
    [runCheck, operation],
  );
  return [answer, start] as const;
}
