import type { FromWorker, Question, Questions, ToWorker } from './check-messages.ts';
import { checkWork } from './check-work.ts';

// Runs in a worker, because a draw of 200,000 entries takes seconds.

async function read(path: string): Promise<string> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error('The published files of this draw could not be loaded. Please try again.');
  return answer.text();
}

const work = checkWork(read, () => performance.now());
const send = (message: FromWorker) => postMessage(message);

async function answer<What extends Question>(id: number, what: What, asks: Questions[What]['asks']) {
  try {
    send({ id, gets: await work[what](asks, (sofar) => send({ id, sofar })) });
  } catch (error) {
    send({ id, failed: error instanceof Error ? error.message : 'It could not be checked.' });
  }
}

addEventListener('message', ({ data: { id, what, asks } }: MessageEvent<ToWorker>) => void answer(id, what, asks));
