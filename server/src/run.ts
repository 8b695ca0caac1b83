import { isUnavailable } from './kit/database/database.ts';
import { StartFault, sayWhyNotStarted } from './kit/start-fault.ts';

type Running = { close(): Promise<void> };

/**
 * Starts something and runs it until the process is told to end: exit code 0 then, also in the middle of the start. A start that fails says why
 * and ends with 1.
 */
export async function runUntilStopped(start: (stopping: AbortSignal) => Promise<Running>): Promise<void> {
  const stopping = new AbortController();
  const running = start(stopping.signal);
  stopOnSignal(async () => {
    stopping.abort();
    // What fails because it was told to stop has stopped.
    await running.then(
      (one) => one.close(),
      () => {},
    );
  });
  try {
    await running;
  } catch (error) {
    if (stopping.signal.aborted) return;
    sayWhyNotStarted(!(error instanceof StartFault) && isUnavailable(error) ? lostWhileStarting(error) : error);
    process.exit(1);
  }
}

const lostWhileStarting = (error: unknown) =>
  new StartFault(
    `DATABASE_URL leads to a database that went away during the start: ${error instanceof Error ? error.message : String(error)}.`,
  );

/** Ends the process well on SIGTERM and SIGINT: `close` first, exit 0, and exit 1 where that takes longer than `STOP_SECONDS`, 9 without it. */
export function stopOnSignal(close: () => Promise<void>) {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), 1_000 * (Number(process.env['STOP_SECONDS']) || 9)).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return stop;
}
