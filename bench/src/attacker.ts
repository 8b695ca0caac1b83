import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

// One client that takes what it can get, in a process of its own until somebody ends it. attacks.ts starts it with what it is to do.

export type Attack = {
  address: string;
  /** The address that it comes from. */
  from: string;
} & (
  | { kind: 'ask'; connections: number; paths: readonly string[]; token?: string }
  | { kind: 'stall'; connections: number; paths: readonly string[] }
  | { kind: 'listen'; streams: number; tokens: readonly string[] }
);

const attack = JSON.parse(process.argv[2] ?? '') as Attack;
const localAddress = attack.from;
const headersOf = (token?: string) => (token ? { authorization: `Bearer ${token}` } : {});

/** Asks for a path and reads the answer to its end: its status, 0 where there was none. */
const ask = (agent: Agent, path: string, token?: string) =>
  new Promise<number>((resolve) => {
    const asked = request(attack.address + path, { agent, headers: headersOf(token) }, (answer) => {
      answer.resume();
      answer.once('close', () => resolve(answer.statusCode ?? 0));
    });
    asked.once('error', () => resolve(0));
    asked.end();
  });

/** Each connection asks again as soon as it was answered. */
async function askForEver({ connections, paths, token }: Extract<Attack, { kind: 'ask' }>) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress });
  let next = 0;
  const loop = async (): Promise<never> => {
    for (;;) {
      const status = await ask(agent, paths[(next += 1) % paths.length] ?? '/', token);
      if (status === 0) await pause(50);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
}

/** Each connection sends fifty requests in one piece and reads nothing; three seconds after it was ended the next one does the same. */
async function stall({ address, connections, paths }: Extract<Attack, { kind: 'stall' }>) {
  const { hostname, port } = new URL(address);
  const piece = Array.from({ length: 50 }, (_, index) =>
    [`GET ${paths[index % paths.length]} HTTP/1.1`, 'host: localhost', '', ''].join('\r\n'),
  ).join('');
  const loop = async (): Promise<never> => {
    for (;;) {
      const socket = connect({ port: Number(port), host: hostname, localAddress });
      socket.pause();
      const over = new Promise((resolve) => void socket.once('error', resolve).once('close', resolve));
      socket.write(piece);
      // Whoever does not read hears of the end only by writing.
      const writing = setInterval(() => socket.write('GET / HTTP/1.1\r\n'), 1_000);
      await over;
      clearInterval(writing);
      await pause(3_000);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
}

/** Each stream is asked for again a second after it was refused or ended. */
async function listen({ streams, tokens }: Extract<Attack, { kind: 'listen' }>) {
  const agent = new Agent({ keepAlive: false, localAddress });
  const loop = async (_: unknown, index: number): Promise<never> => {
    for (;;) {
      await ask(agent, '/api/events', tokens[index % tokens.length]);
      await pause(1_000);
    }
  };
  await Promise.all(Array.from({ length: streams }, loop));
}

if (attack.kind === 'ask') await askForEver(attack);
else if (attack.kind === 'stall') await stall(attack);
else await listen(attack);
