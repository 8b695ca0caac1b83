import { AsyncLocalStorage } from 'node:async_hooks';

const listeners = new AsyncLocalStorage<() => void>();

/** Runs `statement` and calls `onStart` when it is sent on a connection; until then it waits for one of the pool. */
export const withStatementStart = <Result>(onStart: () => void, statement: () => Result): Result => listeners.run(onStart, statement);

/** Called by a connection for each statement. */
export const reportStatementStart = (): void => listeners.getStore()?.();
