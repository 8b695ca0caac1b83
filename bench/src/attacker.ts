import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { load } from './load.ts';

// One attacking client until its thread ends. Started by attacks.ts.

/**
 * `tokens` are sent in turn. With `readsNothing`, each connection sends fifty requests at once and leaves the answers unread; with `networks`, each
 * sends half a body, again when it is closed, as one of so many networks.
 */
export type Attack = {
  connections: number;
  paths: readonly string[];
  tokens?: readonly string[];
  readsNothing?: boolean;
  networks?: number;
};

const { address, connections, paths, tokens, readsNothing, networks } = workerData as Attack & { address: string };

/** From an address of its own, which the limits of connections go by. */
async function stall(): Promise<never> {
  const { hostname, port } = new URL(address);
  const requests = Array.from({ length: 50 }, (_, index) => `GET ${paths[index % paths.length]} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  for (;;) {
    const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.2.1' });
    socket.pause();
    const closed = new Promise((resolve) => void socket.once('error', resolve).once('close', resolve));
    socket.write(requests.join(''));
    // A paused socket notices its end only when it writes.
    const writing = setInterval(() => socket.write('GET / HTTP/1.1\r\n'), 1_000);
    await closed;
    clearInterval(writing);
    await pause(3_000);
  }
}

async function sendHalf(network: number): Promise<never> {
  const { hostname, port } = new URL(address);
  const head = `POST ${paths[0]} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 192.0.2.${network}\r\n`;
  for (;;) {
    const socket = connect({ port: Number(port), host: hostname }).resume();
    const closed = new Promise((resolve) => void socket.once('error', resolve).once('close', resolve));
    socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"email":`);
    await closed;
  }
}

if (networks) await Promise.all(Array.from({ length: connections }, (_, index) => sendHalf((index % networks) + 1)));
else if (readsNothing) await Promise.all(Array.from({ length: connections }, stall));
else {
  const headersOf = (index: number) => ({
    'x-forwarded-for': '198.51.100.1',
    ...(tokens && { authorization: `Bearer ${tokens[index % tokens.length]}` }),
  });
  await load({ address, connections, paths, seconds: 3_600, headersOf });
}
