import type { WorkerResponse, Operation, Operations, WorkerRequest } from './check-messages.ts';
import { checkWork } from './check-work.ts';

// Runs in a worker, because a draw of 200,000 entries takes seconds.

async function read(path: string): Promise<string> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error('The published files of this draw could not be loaded. Please try again.');
  return answer.text();
}

const work = checkWork(read, () => performance.now());
const send = (message: WorkerResponse) => postMessage(message);

async function answer<Name extends Operation>(id: number, operation: Name, input: Operations[Name]['input']) {
  try {
    send({ id, output: await work[operation](input, (partial) => send({ id, partial })) });
  } catch (error) {
    send({ id, failed: error instanceof Error ? error.message : 'It could not be checked.' });
  }
}

addEventListener('message', ({ data: { id, operation, input } }: MessageEvent<WorkerRequest>) => void answer(id, operation, input));
