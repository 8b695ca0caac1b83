import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { handleError } from '../errors.ts';
import { readForm, registerForms } from '../files/multipart.ts';
import { type BodyLimits, limitUnfinishedBodies } from './unfinished-bodies.ts';

async function server(limits: Partial<BodyLimits>) {
  const app = fastify();
  const ended = limitUnfinishedBodies(app, { completeMs: 60_000, uploads: { bytes: 1, periodMs: 60_000, atOnce: 3 }, ...limits });
  app.setErrorHandler(handleError);
  const dir = await mkdtemp(join(tmpdir(), 'handwise-uploads-'));
  await registerForms(app, { dir, atOnce: 3 });
  const gate = Promise.withResolvers<void>();
  app.post('/slow', async () => gate.promise.then(() => 'done'));
  app.get('/', async () => 'page');
  app.route({
    method: 'POST',
    url: '/form',
    config: { takesForms: true },
    handler: async (request) => {
      const { files, cleanup } = await readForm(request, { pictures: { maxFiles: 3, maxBytes: 10_000_000 } });
      await cleanup();
      return files.map(({ bytes }) => bytes);
    },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    // A closed connection may report an error.
    socket.on('error', () => {}).on('data', (part) => (text += String(part)));
    onTestFinished(() => void socket.destroy());
    return { socket, text: () => text };
  };
  onTestFinished(async () => {
    gate.resolve();
    await app.close();
    await rm(dir, { recursive: true });
  });
  return { ended, open, gate, countFiles: async () => (await readdir(dir)).length };
}

const post = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
const json = (length: number) => post('/slow', 'application/json', length);
const formType = 'multipart/form-data; boundary=x';
const file = '--x\r\ncontent-disposition: form-data; name="pictures"; filename="a.jpg"\r\n\r\n';

test('answers 408 to a body that does not end, closes its connection, and leaves complete ones alone', async () => {
  const { ended, open, gate } = await server({ completeMs: 50 });
  const complete = open();
  complete.socket.write(`${json(2)}{}`);
  const unfinished = open();
  unfinished.socket.write(`${json(100)}{"a":`);
  await once(unfinished.socket, 'close');
  expect(unfinished.text()).toMatch(/^HTTP\/1\.1 408 /);
  expect(unfinished.text()).toContain('"code":"body_incomplete"');
  gate.resolve();
  await expect.poll(complete.text).toContain('done');
  expect(ended).toEqual({ unfinished: 1 });
});

test('closes a connection whose body nobody reads', async () => {
  const { ended, open } = await server({ completeMs: 50 });
  const { socket, text } = open();
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n');
  await once(socket, 'close');
  expect(text()).toContain('page');
  expect(ended).toEqual({ unfinished: 1 });
});

test('answers 408 to an upload that stops, deletes its files, and leaves one alone that goes on', async () => {
  const { ended, open, countFiles } = await server({ completeMs: 1, uploads: { bytes: 10, periodMs: 300, atOnce: 3 } });
  const steady = open();
  steady.socket.write(
    `POST /form HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${formType}\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const stalled = open();
  stalled.socket.write(`${post('/form', formType, 1_000_000)}${file}${'a'.repeat(100_000)}\r\n${file}bb`);
  await expect.poll(countFiles).toBe(2);
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  steady.socket.write(chunk(file));
  const timer = setInterval(() => steady.socket.write(chunk('a'.repeat(100))), 1);
  onTestFinished(() => clearInterval(timer));
  await once(stalled.socket, 'close');
  expect(stalled.text()).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(timer);
  steady.socket.write(`${chunk('\r\n--x--\r\n')}0\r\n\r\n`);
  await once(steady.socket, 'close');
  expect(steady.text()).toMatch(/^HTTP\/1\.1 200 /);
  await expect.poll(countFiles).toBe(0);
  expect(ended).toEqual({ unfinished: 1 });
});

test('deletes the files of an upload whose client closes the connection', async () => {
  const { ended, open, countFiles } = await server({});
  const { socket } = open();
  socket.write(`${post('/form', formType, 1_000_000)}${file}${'a'.repeat(100_000)}\r\n${file}bb`);
  await expect.poll(countFiles).toBe(2);
  socket.resetAndDestroy();
  await expect.poll(countFiles).toBe(0);
  expect(ended).toEqual({ unfinished: 0 });
});
