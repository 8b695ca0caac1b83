import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { PermanentError } from '../jobs/attempt.ts';
import { openMailer } from './mail-transport.ts';
import type { Mail } from './mail.ts';

const closing: (() => void)[] = [];
afterAll(() => closing.forEach((close) => close()));

/** A mail server that counts its connections, rejects mails to `nobody` and disconnects after this many mails. */
async function openServer({ mailsPerConnection = Infinity } = {}) {
  const seen = { connections: 0, subjects: [] as string[] };
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    seen.connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    const reply = (words: string) => socket.writable && socket.write(`${words}\r\n`);
    reply('220 here');
    let isMail = false;
    let taken = 0;
    createInterface({ input: socket }).on('line', (line) => {
      if (isMail) {
        const subject = /^Subject: (.*)$/.exec(line)?.[1];
        if (subject) seen.subjects.push(subject);
        if (line !== '.') return;
        isMail = false;
        taken += 1;
        reply('250 taken');
        if (taken >= mailsPerConnection) socket.end();
      } else if (line === 'DATA') {
        isMail = true;
        reply('354 go on');
      } else reply(line.startsWith('RCPT TO:<nobody') ? '550 nobody here' : '250 yes');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const out = openMailer({ smtpUrl, appUrl: 'https://handwise.example' });
  closing.push(() => {
    out.close();
    server.close();
    for (const socket of open) socket.destroy();
  });
  return { seen, out };
}

const mail = (index: number, to = 'mere'): Mail => ({ to: `${to}@example.org`, subject: `Mail ${index}`, preview: '', blocks: [] });
const indexes = Array.from({ length: 30 }, (_, index) => index);
const subjects = indexes.map((index) => `Mail ${index}`).toSorted();

test('mails share a few connections, and each arrives once', async () => {
  const { seen, out } = await openServer();
  await Promise.all(indexes.map((index) => out.send(mail(index), `job-${index}`)));
  expect(seen.subjects.toSorted()).toEqual(subjects);
  expect(seen.connections).toBeLessThanOrEqual(5);
});

test('a permanently rejected mail does not affect others on its connection', async () => {
  const { seen, out } = await openServer();
  const [refused, ...others] = await Promise.allSettled([
    out.send(mail(99, 'nobody'), 'job-99'),
    ...indexes.map((index) => out.send(mail(index), `job-${index}`)),
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(PermanentError) });
  expect(others.every(({ status }) => status === 'fulfilled')).toBe(true);
  expect(seen.subjects.toSorted()).toEqual(subjects);
});

test('delivers each mail once if the server disconnects after every second one', async () => {
  const { seen, out } = await openServer({ mailsPerConnection: 2 });
  for (const index of indexes) await out.send(mail(index), `job-${index}`);
  expect(seen.subjects.toSorted()).toEqual(subjects);
  expect(seen.connections).toBeGreaterThanOrEqual(15);
});

test('sends nothing once it is closed', async () => {
  const { seen, out } = await openServer();
  await out.send(mail(1), 'job-1');
  out.close();
  await expect(out.send(mail(2), 'job-2')).rejects.toThrow('closed');
  expect(seen.subjects).toEqual(['Mail 1']);
});
