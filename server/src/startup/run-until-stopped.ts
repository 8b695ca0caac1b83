import { isUnavailable } from '../kit/database/database.ts';
import { StartupError, reportStartupError } from '../kit/startup-error.ts';

type Running = { close(): Promise<void> };

/**
 * Runs a service until the process gets SIGTERM or SIGINT, then exits with 0, even during the start. A failed start is reported and exits with 1.
 */
export async function runUntilStopped(start: (stopping: AbortSignal) => Promise<Running>): Promise<void> {
  const stopping = new AbortController();
  const running = start(stopping.signal);
  stopOnSignal(async () => {
    stopping.abort();
    // A start that fails because of the signal has stopped.
    await running.then(
      (one) => one.close(),
      () => {},
    );
  });
  try {
    await running;
  } catch (error) {
    if (stopping.signal.aborted) return;
    reportStartupError(!(error instanceof StartupError) && isUnavailable(error) ? lostWhileStarting(error) : error);
    process.exit(1);
  }
}

const lostWhileStarting = (error: unknown) =>
  new StartupError(
    `DATABASE_URL points to a database that went away during the start: ${error instanceof Error ? error.message : String(error)}.`,
  );

// Supervisors usually allow 10 seconds.
const stopMs = process.env['SLOW_MACHINE'] === '1' ? 200_000 : 9_000;

/** On SIGTERM and SIGINT, calls `close` and exits with 0, or with 1 after `stopMs`. */
export function stopOnSignal(close: () => Promise<void>) {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), stopMs).unref();
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
