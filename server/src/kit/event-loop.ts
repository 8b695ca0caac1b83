import { setImmediate } from 'node:timers/promises';

const longestMs = 10;

/** For long loops: the function lets other requests be answered once its caller has held the event loop for 10 ms. */
export function openPauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestMs) return;
    await setImmediate();
    since = performance.now();
  };
}
