import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { smallDisk } from '@handwise/sandbox/testing/disk';
import { handleError } from '../errors.ts';
import { registerForms, readForm } from './multipart.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-uploads-'));
const megabyte = 1024 * 1024;

async function formServer(uploads: string) {
  const app = fastify({ bodyLimit: 256 * 1024 });
  app.setErrorHandler(handleError);
  await registerForms(app, { dir: uploads, atOnce: 3 });
  app.post('/json', async () => ({}));
  app.route({
    method: 'POST',
    url: '/form',
    config: { takesForms: true },
    handler: async (request) => {
      const form = await readForm(request, {
        serviceImages: { maxFiles: 10, maxBytes: 5 * megabyte },
        logo: { maxFiles: 1, maxBytes: 2 * megabyte },
      });
      try {
        const files = form.files.map(({ path, ...file }) => ({
          ...file,
          start: readFileSync(path).toString('latin1', 0, 20),
          // No other user of the machine may read it.
          othersMay: statSync(path).mode & 0o077,
        }));
        return { fields: form.fields, files, uploadCount: readdirSync(uploads).length };
      } finally {
        await form.cleanup();
      }
    },
  });
  return app;
}

const app = await formServer(dir);
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
const address = `http://127.0.0.1:${port}/form`;
afterAll(async () => {
  await app.close();
  rmSync(dir, { recursive: true, force: true });
});

type Entry = [name: string, value: string] | [name: string, content: Uint8Array<ArrayBuffer> | string, filename: string];

function formOf(entries: Entry[]) {
  const form = new FormData();
  for (const [name, value, filename] of entries) {
    if (filename === undefined) form.append(name, value);
    else form.append(name, new Blob([value]), filename);
  }
  return form;
}

async function send(entries: Entry[]) {
  const answer = await fetch(address, { method: 'POST', body: formOf(entries) });
  return { status: answer.status, body: (await answer.json()) as any };
}

const file = (name: string, filename: string, bytes = 100): Entry => [name, new Uint8Array(bytes).fill(65), filename];
const nothingLeft = () => expect.poll(() => readdirSync(dir)).toEqual([]);

test('reads texts and files, each file at its own path, and cleanup deletes them', async () => {
  const { status, body } = await send([
    ['serviceTitle', 'Taupō plumbing'],
    file('serviceImages', 'a.jpg', 300),
    ['website', ''],
    file('serviceImages', 'b.png', 200),
    file('logo', 'logo.webp'),
  ]);
  expect(status).toBe(200);
  expect(body).toEqual({
    fields: { serviceTitle: 'Taupō plumbing', website: '' },
    files: [
      { field: 'serviceImages', fieldPath: 'serviceImages[0]', filename: 'a.jpg', bytes: 300, start: 'A'.repeat(20), othersMay: 0 },
      { field: 'serviceImages', fieldPath: 'serviceImages[1]', filename: 'b.png', bytes: 200, start: 'A'.repeat(20), othersMay: 0 },
      { field: 'logo', fieldPath: 'logo', filename: 'logo.webp', bytes: 100, start: 'A'.repeat(20), othersMay: 0 },
    ],
    uploadCount: 3,
  });
  await nothingLeft();
});

test.each([
  ['services[]', ['services[]', 'services[]'], ['a', 'b']],
  ['services[0]', ['services[0]', 'services[1]'], ['a', 'b']],
  ['a repeated name', ['services', 'services'], ['a', 'b']],
  ['services[] alone', ['services[]'], ['a']],
  ['services[0] alone', ['services[0]'], ['a']],
  ['a name alone', ['services'], 'a'],
])('reads %s as one field', async (_, names, services) => {
  const { body } = await send(names.map((name, index): Entry => [name, 'ab'[index] ?? '']));
  expect(body.fields).toEqual({ services });
});

test('ignores a field without a chosen file', async () => {
  const { status, body } = await send([file('logo', '', 0), file('serviceImages[]', '', 0)]);
  expect([status, body.files]).toEqual([200, []]);
});

test.each([
  ['../../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['/etc/cron.d/x', 'x'],
  ['..', 'file'],
  ['a\u202egpj.exe', 'agpj.exe'],
  ['x'.repeat(500), 'x'.repeat(80)],
  [`${'x'.repeat(500)}.jpeg`, `${'x'.repeat(75)}.jpeg`],
  [`${'x'.repeat(79)}😀`, 'x'.repeat(79)],
  ['e\u0301te\u0301.jpg', 'été.jpg'],
])('displays the file name %j as %j', async (filename, shown) => {
  const { body } = await send([file('logo', filename)]);
  expect(body).toMatchObject({ files: [{ filename: shown }], uploadCount: 1 });
});

test('accepts a file at its size limit', async () => {
  const { status, body } = await send([file('serviceImages', 'a.jpg', 5 * megabyte), file('logo', 'b.jpg', 2 * megabyte)]);
  expect([status, body.files?.length]).toEqual([200, 2]);
});

test.each([
  [
    'a photo over 5 MB',
    [file('serviceImages', 'a.jpg'), file('serviceImages', 'big.jpg', 5 * megabyte + 1)],
    413,
    'file_too_large',
    'serviceImages[1]',
    '“big.jpg” is larger than 5 MB.',
  ],
  ['a logo over 2 MB', [file('logo', 'big.png', 2 * megabyte + 1)], 413, 'file_too_large', 'logo', '“big.png” is larger than 2 MB.'],
  [
    'an eleventh photo',
    Array.from({ length: 11 }, () => file('serviceImages', 'a.jpg')),
    400,
    'too_many_files',
    'serviceImages',
    'Choose at most 10 files',
  ],
  ['a second logo', [file('logo', 'a.jpg'), file('logo', 'b.jpg')], 400, 'too_many_files', 'logo', 'Choose one file only'],
  ['a file in a field for text', [file('serviceTitle', 'a.jpg')], 400, 'invalid_input', 'serviceTitle', 'This field takes no files'],
  ['a file in a field of every object', [file('toString', 'a.jpg')], 400, 'malformed_request', undefined, undefined],
  ['a text over 16 kB', [['serviceTitle', 'x'.repeat(16_385)]], 400, 'invalid_input', 'serviceTitle', 'This text is too long'],
] as [string, Entry[], number, string, string | undefined, string | undefined][])(
  'rejects %s by name and deletes all of the form’s files',
  async (_, entries, status, code, field, message) => {
    const answer = await send(entries);
    expect(answer).toMatchObject({ status, body: { code, errors: field ? [{ field, message }] : [] } });
    await nothingLeft();
  },
);

test.each([
  ['200 parts', Array.from({ length: 200 }, (_, index): Entry => [`field${index}`, 'x']), 413],
  ['200 parts of one name', Array.from({ length: 200 }, (): Entry => ['services[]', 'x']), 413],
  ['200 files', Array.from({ length: 200 }, () => file('serviceImages', 'a.jpg', 10)), 400],
  ['a very long name', [['x'.repeat(1000), 'x']], 400],
  ['__proto__', [['__proto__', 'x']], 400],
  ['__proto__[0]', [['__proto__[0]', 'x']], 400],
  ['a path as a name', [['a.b.c', 'x']], 400],
] as [string, Entry[], number][])('%s is refused', async (_, entries, status) => {
  const answer = await send([file('logo', 'logo.png'), ...entries]);
  expect(answer).toMatchObject({ status, body: { code: expect.any(String), message: expect.any(String) } });
  await nothingLeft();
  expect((await send([['still', 'alive']])).status).toBe(200);
});

test('answers a browser that is still sending its rejected form, on a connection that stays open', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { status } = await send([
      file('unknown', 'a.jpg'),
      ...Array.from({ length: 9 }, () => file('serviceImages', 'b.jpg', 5 * megabyte)),
    ]);
    expect(status).toBe(400);
  }
});

const head = (boundary: string) => ({ 'content-type': `multipart/form-data; boundary=${boundary}` });
const part = (name: string, filename?: string) =>
  `--X\r\ncontent-disposition: form-data; name="${name}"${filename ? `; filename="${filename}"` : ''}\r\n\r\n`;

test.each([
  ['cut off within a file', head('X'), `${part('logo', 'a.jpg')}half of`],
  ['cut off within a head', head('X'), `${part('logo', 'a.jpg')}whole\r\n--X\r\ncontent-disp`],
  ['cut off within a text', head('X'), `${part('title')}half of`],
  ['without its end', head('X'), `${part('logo', 'a.jpg')}whole\r\n--X\r\n`],
  ['with another boundary', head('Y'), `${part('title')}text\r\n--X--\r\n`],
  ['without a boundary', { 'content-type': 'multipart/form-data' }, `${part('title')}text\r\n--X--\r\n`],
  ['of noise', head('X'), '\0\xff'.repeat(2000)],
  ['JSON that says it is one', { 'content-type': 'application/json' }, '{}'],
])('rejects a form %s and leaves no file', async (_, headers, payload) => {
  const answer = await app.inject({ method: 'POST', url: '/form', headers: headers as Record<string, string>, payload });
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(answer.statusCode).toBeLessThan(500);
  expect(answer.json()).toMatchObject({ code: expect.stringMatching(/malformed_request|unsupported_media_type/) });
  await nothingLeft();
});

test('accepts a text of 16 kB', async () => {
  const { status, body } = await send([['serviceTitle', 'x'.repeat(16_384)]]);
  expect([status, body.fields.serviceTitle.length]).toEqual([200, 16_384]);
});

test('accepts at most 100 texts and 120 parts', async () => {
  const texts = (count: number) => Array.from({ length: count }, (): Entry => ['services[]', 'x']);
  const empty = (count: number) => Array.from({ length: count }, () => file('serviceImages[]', '', 0));
  expect((await send(texts(100))).body.fields.services).toHaveLength(100);
  expect((await send(texts(101))).status).toBe(413);
  expect((await send([...texts(90), ...empty(29)])).status).toBe(200);
  expect((await send([...texts(90), ...empty(31)])).status).toBe(413);
  await nothingLeft();
});

test('a name has at most 100 letters', async () => {
  expect((await send([['x'.repeat(100), 'x']])).status).toBe(200);
  expect(await send([['x'.repeat(101), 'x']])).toMatchObject({ status: 400, body: { code: 'malformed_request' } });
});

test('rejects a form by its Content-Length, unread', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/form',
    headers: { ...head('X'), 'content-length': String(200 * megabyte) },
    payload: '',
  });
  expect(answer.statusCode).toBe(413);
});

test('a call without forms rejects one', async () => {
  const answer = await fetch(address.replace('form', 'json'), { method: 'POST', body: formOf([['a', 'b']]) });
  expect(answer.status).toBe(415);
});

test('leaves no file when the connection breaks during an upload', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /form HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=X\r\ncontent-length: 1000000\r\n\r\n`);
  socket.write(`${part('logo', 'a.jpg')}${'x'.repeat(100_000)}`);
  await expect.poll(() => readdirSync(dir)).toHaveLength(1);
  socket.destroy();
  await nothingLeft();
  expect((await send([['still', 'alive']])).status).toBe(200);
});

test('ends a body without a length that never gets to a part', async () => {
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise((resolve) => void socket.once('close', () => resolve(true)));
  socket.on('error', () => {});
  socket.write(`POST /form HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=X\r\ntransfer-encoding: chunked\r\n\r\n`);
  const chunk = `100000\r\n${'x'.repeat(megabyte)}\r\n`;
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pour);
  pour();
  await expect(closed).resolves.toBe(true);
});

test('does not hold ten photos of 5 MB in memory', async () => {
  const photos = Array.from({ length: 10 }, () => file('serviceImages', 'a.jpg', 5 * megabyte));
  // In a child process, because this one holds what it sends.
  const script = `
    import fastify from 'fastify';
    import { registerForms, readForm } from '${join(import.meta.dirname, 'multipart.ts')}';
    const app = fastify();
    await registerForms(app, { dir: '${join(dir, 'other')}', atOnce: 3 });
    app.post('/form', { config: { takesForms: true } }, async (request) => {
      let [received, looked, most] = [0, 0, 0];
      // Every 5 MB: memory in use after garbage collection.
      request.raw.on('data', (chunk) => {
        received += chunk.length;
        if (received < looked + 5e6) return;
        looked = received;
        gc();
        most = Math.max(most, process.memoryUsage().arrayBuffers);
      });
      const form = await readForm(request, { serviceImages: { maxFiles: 10, maxBytes: 5e7 } });
      await form.cleanup();
      return { files: form.files.length, held: most / 1024 / 1024 };
    });
    console.log(await app.listen({ port: 0, host: '127.0.0.1' }));`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await new Promise<Buffer>((resolve) => void child.stdout.once('data', resolve))).toString().split('\n');
    const post = async () => (await fetch(`${line}/form`, { method: 'POST', body: formOf(photos) })).json() as Promise<any>;
    const { files, held } = await post();
    expect(files).toBe(10);
    expect(held).toBeLessThan(20);
  } finally {
    child.kill();
    rmSync(join(dir, 'other'), { recursive: true, force: true });
  }
});

test('deletes temporary files of a killed process after an hour, but not those in use', async () => {
  const old = mkdtempSync(join(tmpdir(), 'handwise-old-'));
  writeFileSync(join(old, 'left'), 'x');
  writeFileSync(join(old, 'new'), 'x');
  utimesSync(join(old, 'left'), new Date(), new Date(Date.now() - 61 * 60 * 1000));
  const later = await formServer(old);
  expect(readdirSync(old)).toEqual(['new']);
  await later.close();
  rmSync(old, { recursive: true });
});

const disk = smallDisk(1024);
test.runIf(disk)('reports a full disk as full and deletes the partial files', async () => {
  const uploads = join(disk ?? '', 'uploads');
  mkdirSync(uploads);
  const full = await formServer(uploads);
  const post = async (entries: Entry[]) => {
    const body = new Response(formOf(entries));
    const headers = { 'content-type': body.headers.get('content-type') ?? '' };
    return full.inject({ method: 'POST', url: '/form', headers, payload: Buffer.from(await body.arrayBuffer()) });
  };
  const answer = await post([file('serviceImages', 'a.jpg', megabyte / 2), file('serviceImages', 'b.jpg', megabyte)]);
  expect([answer.statusCode, answer.json().code]).toEqual([507, 'storage_full']);
  expect(readdirSync(uploads)).toEqual([]);
  expect((await post([file('serviceImages', 'a.jpg', megabyte / 2)])).statusCode).toBe(200);
  await full.close();
});
