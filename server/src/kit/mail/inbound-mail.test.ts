import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { openInboundMail } from './inbound-mail.ts';

const own = {
  appUrl: 'https://x.example',
  reader: 'A',
  ourAddresses: [],
  privateAddresses: [],
  secrets: [],
  sentences: [],
  messages: ['Friday?'],
};
const from = 'a@example.org';
const taken: { text: string; from: string }[] = [];
const server = await openInboundMail({
  host: '127.0.0.1',
  port: 0,
  logger: pino({ level: 'silent' }),
  authentication: null,
  isOurs: async (address) => address.startsWith('reply'),
  admit: async (mail) => {
    if (mail.from !== from) throw new AppError('forbidden', { message: 'Not your address' });
    return own;
  },
  take: async (mail) => void taken.push(mail),
  limits: { clientsPerNetwork: 3, parser: { cpuSeconds: 3, hangMs: 120_000, heapMb: 96 } },
});
const open = new Set<Socket>();
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await server.close();
});

/** A connection, with the server's answers one by one. */
function dial() {
  const socket = connect(server.port, '127.0.0.1');
  open.add(socket);
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  socket.on('error', () => {});
  const answer = async () => {
    for (;;) {
      const [found] = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(text) ?? [];
      if (found !== undefined) {
        text = text.slice(found.length);
        return found.trim();
      }
      if (socket.destroyed) return 'closed';
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    }
  };
  return { socket, answer };
}

/** The answer to a mail that is made of a part, repeated. */
async function deliver(head: string, part = '', times = 0, tail = '') {
  const { socket, answer } = dial();
  await answer();
  for (const line of ['EHLO x', `MAIL FROM:<${from}>`, 'RCPT TO:<reply@x.example>', 'DATA']) {
    socket.write(`${line}\r\n`);
    await answer();
  }
  socket.write(head);
  socket.write(Buffer.from(part.repeat(times)));
  socket.write(`${tail}\r\n.\r\n`);
  const last = await answer();
  socket.destroy();
  return last;
}

const known = `From: ${from}\r\nSubject: Hi\r\n`;
const multipart = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n';

test.each([
  ['1 MB of text', `${known}\r\n`, 'some words of text in a line\r\n', 40_000, '', /^552/],
  ['more than 15 MB', known + multipart, `${'QUJD'.repeat(19)}\r\n`, 220_000, '--b--', /^552/],
  ['100,000 parts', known + multipart, '--b\r\n\r\nx\r\n', 100_000, '--b--', /^55[24]/],
  ['60,000 commas in From', 'From: a@example.org', ',', 60_000, '\r\n\r\nx', /^550 This email does not have exactly one sender/],
  ['60,000 commas in To', `${known}To: a@example.org`, ',', 60_000, '\r\n\r\nx', /^250/],
  ['30,000 spaces in a header', `${known}Authentication-Results: a`, ' ', 30_000, 'b\r\n\r\nx', /^250/],
  ['headers without an end', known, 'X-Header: some words\r\n', 10_000, '', /^552 The headers/],
  ['500,000 spaces', `${known}\r\n`, ' ', 500_000, 'x', /^250/],
  ['flowed lines', `${known}Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n`, 'a \r\n', 30_000, '', /^(?:250|55)/],
  ['deeply nested HTML', `${known}Content-Type: text/html\r\n\r\n`, '<div>', 100_000, 'x', /^554 This email could not be read/],
  [
    'deeply nested parts',
    known + multipart,
    '--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n',
    2_000,
    '',
    /^554 This email could not be read/,
  ],
  ['10 MB from an unknown sender', `From: b@example.org\r\n${multipart}`, '--b\r\n\r\nx\r\n', 1_000_000, '--b--', /^550 Not your address/],
  ['two senders', `From: ${from}\r\nFrom: b@example.org\r\n`, '', 0, '\r\nx', /^550 This email does not have exactly one sender/],
])('answers %s without holding up the process', async (_, head, part, times, tail, answer) => {
  const started = process.threadCpuUsage();
  expect(await deliver(head, part, times, tail)).toMatch(answer);
  const { user, system } = process.threadCpuUsage(started);
  // Includes the client, which sends up to 17 MB in the same thread. Reading such a mail there took 0.4 to 4 s.
  expect((user + system) / 1_000_000).toBeLessThan(1.5);
});

test('rejects an unknown recipient before the content', async () => {
  const { socket, answer } = dial();
  await answer();
  socket.write(`EHLO x\r\n`);
  await answer();
  socket.write(`MAIL FROM:<${from}>\r\n`);
  await answer();
  socket.write('RCPT TO:<hello@x.example>\r\n');
  expect(await answer()).toBe('550 There is no such address');
  socket.destroy();
});

test('one network may hold a few connections only, and gets them back', async () => {
  const held = [dial(), dial(), dial()];
  for (const { answer } of held) expect(await answer()).toMatch(/^220/);
  const fourth = dial();
  expect(await fourth.answer()).toMatch(/^421/);
  for (const { socket } of held) socket.destroy();
  await expect.poll(async () => (await deliver(`${known}\r\n`, 'Yes.', 1)).slice(0, 3), { timeout: 30_000 }).toBe('250');
  expect(taken.at(-1)?.text).toBe('Yes.');
});

test('forgets a mail whose sender disconnects', async () => {
  const { socket, answer } = dial();
  await answer();
  for (const line of ['EHLO x', `MAIL FROM:<${from}>`, 'RCPT TO:<reply@x.example>', 'DATA']) {
    socket.write(`${line}\r\n`);
    await answer();
  }
  const before = taken.length;
  socket.write(`${known}\r\nHalf of a`);
  socket.destroy();
  expect(await deliver(`${known}\r\n`, 'Whole.', 1)).toMatch(/^250/);
  expect(taken.slice(before).map(({ text }) => text)).toEqual(['Whole.']);
});
