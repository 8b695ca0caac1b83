import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';

const host = '127.0.0.1';

async function started() {
  const app = fastify({ forceCloseConnections: 'idle' });
  app.get('/', async () => 'here');
  const ended = await listen(app, { port: 0, host });
  const close = async () => {
    await app.close();
    await ended();
  };
  return { app, port: (app.server.address() as AddressInfo).port, close };
}

test.runIf(process.platform === 'linux')('takes many new connections in one turn of the event loop', async () => {
  const { app, port } = await started();
  const taken: unknown[] = [];
  app.server.on('connection', (socket) => taken.push(socket));
  const clients = new Worker(
    `const { connect } = require('node:net'); const { parentPort, workerData: port } = require('node:worker_threads');
     let open = 0; for (let i = 0; i < 96; i += 1) connect(port, '127.0.0.1').on('connect', () => ++open === 96 && parentPort.postMessage('all'));`,
    { eval: true, workerData: port },
  );
  onTestFinished(async () => {
    await clients.terminate();
    await app.close();
  });
  await once(clients, 'message');
  let turns = 0;
  while (taken.length < 96) {
    turns += 1;
    await new Promise((next) => setImmediate(next));
  }
  // One at a time would be some 96 turns; eight at a time are twelve, if the system spreads them evenly.
  expect(turns).toBeLessThan(48);
});

test('answers on every socket, and closes all of them with the app', async () => {
  const { port, close } = await started();
  // A connection of its own each.
  const answers = Array.from({ length: 40 }, async () => (await fetch(`http://${host}:${port}/`)).text());
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['here']));
  await close();
  await expect(fetch(`http://${host}:${port}/`)).rejects.toThrow('fetch failed');
  const next = createServer();
  next.listen(port, host);
  await once(next, 'listening');
  next.close();
});

test('while the app closes, requests that run are answered and waited for, and no socket takes a new connection', async () => {
  const app = fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let running = 0;
  app.get('/', async (_request, reply) => {
    running += 1;
    if (running === 20) begun.resolve();
    await gate.promise;
    void reply.header('connection', 'close');
    return 'done';
  });
  const ended = await listen(app, { port: 0, host });
  const { port } = app.server.address() as AddressInfo;
  const answers = Array.from({ length: 20 }, async () => (await fetch(`http://${host}:${port}/`)).text());
  await begun.promise;
  let isClosed = false;
  const closed = app
    .close()
    .then(ended)
    .then(() => (isClosed = true));
  const tryToConnect = async () => {
    const socket = connect(port, host);
    const [result] = await Promise.race([
      once(socket, 'connect').then(() => ['taken']),
      once(socket, 'error').then(() => ['refused']),
    ]).catch(() => ['refused']);
    socket.destroy();
    return result;
  };
  await expect.poll(tryToConnect).toBe('refused');
  for (let times = 0; times < 32; times += 1) expect(await tryToConnect()).toBe('refused');
  expect(isClosed).toBe(false);
  gate.resolve();
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, () => 'done'));
  await closed;
});

test('a port that another program has is refused', async () => {
  const { app, port } = await started();
  onTestFinished(() => app.close());
  await expect(listen(fastify(), { port, host })).rejects.toThrow('EADDRINUSE');
});
