import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

// One attacking client in a process of its own, from an address of its own, until it is killed. Started by attacks.ts.
// Not autocannon: it cannot choose its own address, which the limits of connections go by.

export type Attack = { connections: number; paths: readonly string[]; tokens?: readonly string[] } & (
  | { kind: 'requests'; pauseMs?: number }
  /** Sends fifty requests at once and reads nothing. */
  | { kind: 'stall' }
);

const [address = '', localAddress = '', given = ''] = process.argv.slice(2);
const attack = JSON.parse(given) as Attack;
const { connections, paths, tokens } = attack;
const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress });

/** One request, to the end of its answer; whether there was one. */
const send = (path: string, token?: string) =>
  new Promise<boolean>((resolve) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const sent = request(address + path, { agent, headers }, (answer) => void answer.resume().once('close', () => resolve(true)));
    sent.once('error', () => resolve(false)).end();
  });

async function sendForever(pauseMs: number, index: number): Promise<never> {
  for (let turn = index; ; turn += connections) {
    const isAnswered = await send(paths[turn % paths.length] ?? '/', tokens?.[index % tokens.length]);
    if (pauseMs > 0 || !isAnswered) await pause(pauseMs || 50);
  }
}

async function stallForever(): Promise<never> {
  const { hostname, port } = new URL(address);
  const requests = Array.from({ length: 50 }, (_, index) => `GET ${paths[index % paths.length]} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  for (;;) {
    const socket = connect({ port: Number(port), host: hostname, localAddress });
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

await Promise.all(
  Array.from({ length: connections }, (_, index) => (attack.kind === 'stall' ? stallForever() : sendForever(attack.pauseMs ?? 0, index))),
);
