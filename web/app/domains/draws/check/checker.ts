import type { WorkerResponse, Operation, Operations } from './check-messages.ts';

type Output<Name extends Operation> = Operations[Name]['output'];

export type Checker = {
  /** `onProgress` gets partial results. */
  runCheck<Name extends Operation>(
    operation: Name,
    input: Operations[Name]['input'],
    onProgress?: (partial: Output<Name>) => void,
  ): Promise<Output<Name>>;
  close(): void;
};

type Pending = { resolve: (output: never) => void; reject: (error: Error) => void; onProgress: ((partial: never) => void) | undefined };

/** The verifier, in a worker so that the page stays responsive. Loaded with the first request. */
export function openChecker(): Checker {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, Pending>();

  function getWorker() {
    if (worker) return worker;
    worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
      const request = waiting.get(data.id);
      if (!('partial' in data)) waiting.delete(data.id);
      if ('partial' in data) request?.onProgress?.(data.partial as never);
      else if ('failed' in data) request?.reject(new Error(data.failed));
      else request?.resolve(data.output as never);
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
    runCheck: (operation, input, onProgress) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject, onProgress });
        // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin of its own
        getWorker().postMessage({ id: lastId, operation, input });
      }),
    close: () => close('The page was left.'),
  };
}
