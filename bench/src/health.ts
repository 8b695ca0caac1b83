import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { timed } from './load.ts';

/**
 * Asks for health and liveness ten times a second until the function that it returns is called, which returns how long the answers took in ms. In a
 * process of its own, because that of the load has no time for it.
 */
export function watchHealth(address: string): () => Promise<number[]> {
  const child = fork(import.meta.filename, [address], { serialization: 'advanced' });
  return async () => {
    child.send('end');
    const [times] = (await once(child, 'message')) as [number[]];
    return times;
  };
}

const [, script, address] = process.argv;
if (script === import.meta.filename && address && process.connected) {
  const times: number[] = [];
  const ending = new AbortController();
  process.once('message', () => ending.abort());
  process.once('disconnect', () => process.exit());
  const watch = async (path: string) => {
    while (!ending.signal.aborted) {
      const [ms, { status }] = await timed(() => fetch(address + path));
      times.push(status === 200 ? ms : Infinity);
      await pause(100);
    }
  };
  await Promise.all(['/api/health', '/api/live'].map(watch));
  process.send?.(times, () => process.disconnect());
}
