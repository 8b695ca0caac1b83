import type { FromWorker, Question, Questions } from './check-messages.ts';

type Gets<What extends Question> = Questions[What]['gets'];

export type Checker = {
  /** `onProgress` gets partial results. */
  ask<What extends Question>(what: What, asks: Questions[What]['asks'], onProgress?: (sofar: Gets<What>) => void): Promise<Gets<What>>;
  close(): void;
};

type Asked = { resolve: (gets: never) => void; reject: (error: Error) => void; onProgress: ((sofar: never) => void) | undefined };

/** The verifier, in a worker so that the page stays responsive. Loaded with the first request. */
export function openChecker(): Checker {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, Asked>();

  function started() {
    if (worker) return worker;
    worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      const asked = waiting.get(data.id);
      if (!('sofar' in data)) waiting.delete(data.id);
      if ('sofar' in data) asked?.onProgress?.(data.sofar as never);
      else if ('failed' in data) asked?.reject(new Error(data.failed));
      else asked?.resolve(data.gets as never);
    });
    worker.addEventListener('error', () => close('The check could not be loaded. Please load the page again.'));
    return worker;
  }

  function close(why: string) {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  }

  return {
    ask: (what, asks, onProgress) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject, onProgress });
        // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin of its own
        started().postMessage({ id: lastId, what, asks });
      }),
    close: () => close('The page was left.'),
  };
}
