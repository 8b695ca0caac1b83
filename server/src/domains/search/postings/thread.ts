import { parentPort, workerData } from 'node:worker_threads';
import { Follower } from './follower.ts';
import type { FromThread, ToThread } from './messages.ts';

// The thread that search.postings.ts starts: it reads the listings, follows their changes, and answers searches from memory.

const port = parentPort;
if (!port) throw new Error('started without anybody to answer');
const { url } = workerData as { url: string };
const follower = new Follower(url, (message: FromThread) => port.postMessage(message));

port.on('message', (message: ToThread) => {
  if (message.kind === 'all') follower.readAll(message.generation);
  else if (message.kind === 'changed') follower.changed(message.ids);
  else if (message.kind === 'words') follower.wordsChanged(message.words);
  else void follower.find(message.search).then((page) => port.postMessage({ kind: 'found', id: message.id, page } satisfies FromThread));
});
