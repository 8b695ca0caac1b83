import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { limitSlowClients } from './slow-clients.ts';

/** More than the system buffers for a client that does not read. */
const big = Buffer.alloc(64 * 1024 * 1024, 'a');

async function server(
  limits: { stalledMs: number; pipelined: number; cuts?: number; refusedMs?: number },
  peer: { network: string | null } = { network: null },
) {
  const app = fastify();
  const ended = limitSlowClients(app, { cuts: 3, refusedMs: 3_600_000, ...limits }, () => peer.network);
  const requested: string[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  app.get('/big', () => big);
  app.get('/small', () => 'small');
  app.get('/slow', async (_request, reply) => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    const parts = async function* () {
      yield 'begun ';
      await gate.promise;
      yield 'ended';
    };
    return reply.send(Readable.from(parts()));
  });
  app.get('/held/:name', async ({ params }) => {
    requested.push((params as { name: string }).name);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return 'done';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    // A closed connection may report an error.
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  onTestFinished(async () => {
    for (const gate of gates) gate.resolve();
    await app.close();
  });
  return { ended, requested, gates, open, app };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));

test('closes a connection that reads nothing of a large response', async () => {
  const { ended, open, app } = await server({ stalledMs: 50, pipelined: 16 });
  const socket = open();
  socket.pause();
  const connected = once(app.server, 'connection') as Promise<[Socket]>;
  socket.write(get('/big'));
  await once((await connected)[0], 'close');
  expect(ended).toEqual({ stalled: 1, pipelined: 0, refused: 0 });
});

test('does not close a connection that waits for the server', async () => {
  const { ended, gates, open, app } = await server({ stalledMs: 10, pipelined: 16 });
  let fired = 0;
  app.server.on('connection', (served) => served.on('timeout', () => (fired += 1)));
  const socket = open();
  let text = '';
  socket.on('data', (part) => (text += String(part)));
  socket.write(get('/slow'));
  await expect.poll(() => fired).toBeGreaterThan(2);
  gates[0]?.resolve();
  await expect.poll(() => text).toContain('ended');
  expect(ended).toEqual({ stalled: 0, pipelined: 0, refused: 0 });
});

test('closes a connection with one pipelined request too many, before it is handled', async () => {
  const { ended, requested, gates, open } = await server({ stalledMs: 60_000, pipelined: 4 });
  const few = open();
  few.write(times(4, (index) => get(`/held/few-${index}`)).join(''));
  await expect.poll(() => requested).toHaveLength(4);
  const many = open();
  many.resume();
  many.write(times(200, (index) => get(`/held/many-${index}`)).join(''));
  await once(many, 'close');
  expect(requested.filter((name) => name.startsWith('many'))).toHaveLength(4);
  expect(ended).toEqual({ stalled: 0, pipelined: 1, refused: 0 });
  // Answered requests do not count.
  let text = '';
  few.on('data', (part) => (text += String(part)));
  for (const round of [1, 2, 3]) {
    for (const gate of gates) gate.resolve();
    await expect.poll(() => text.split('done')).toHaveLength(4 * round + 1);
    if (round < 3) few.write(times(4, (index) => get(`/held/again-${round}-${index}`)).join(''));
    await expect.poll(() => requested.filter((name) => !name.startsWith('many'))).toHaveLength(Math.min(12, 4 * (round + 1)));
  }
  expect(ended.pipelined).toBe(1);
});

test('answers injected requests, which have no connection', async () => {
  const { app } = await server({ stalledMs: 50, pipelined: 1 });
  const answers = await Promise.all(times(5, () => app.inject({ url: '/small' })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(times(5, () => 200));
});

/** Opens a connection that is closed for sending too many requests. */
async function cut(open: () => Socket) {
  const socket = open();
  socket.resume();
  socket.write(get('/held/cut').repeat(50));
  await once(socket, 'close');
}

test('closes all connections of a network once several were closed, and rejects new ones for a while', async () => {
  const peer = { network: 'another' };
  const { ended, open, app } = await server({ stalledMs: 60_000, pipelined: 1 }, peer);
  const accept = async () => {
    const accepted = once(app.server, 'connection');
    const socket = open().resume();
    await accepted;
    return socket;
  };
  const other = await accept();
  peer.network = 'a network';
  const idle = await accept();
  await cut(open);
  await cut(open);
  expect([idle.closed, ended]).toEqual([false, { stalled: 0, pipelined: 2, refused: 0 }]);
  await Promise.all([cut(open), once(idle, 'close')]);
  expect(ended).toEqual({ stalled: 0, pipelined: 3, refused: 1 });
  await cut(open);
  expect(ended).toEqual({ stalled: 0, pipelined: 3, refused: 2 });
  other.write(get('/small'));
  await once(other, 'data');
});

test('accepts a network again after that time', async () => {
  const { ended, open } = await server({ stalledMs: 60_000, pipelined: 1, cuts: 1, refusedMs: 1 }, { network: 'a network' });
  await cut(open);
  await expect
    .poll(async () => {
      await cut(open);
      return ended.pipelined;
    })
    .toBeGreaterThan(1);
});

test('rejects no network if networks can’t be distinguished', async () => {
  const { ended, open } = await server({ stalledMs: 60_000, pipelined: 1, cuts: 1 });
  for (const _ of times(3, () => 0)) await cut(open);
  expect(ended).toEqual({ stalled: 0, pipelined: 3, refused: 0 });
});
