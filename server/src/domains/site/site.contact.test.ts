import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { deleteOldContactMessages } from './site.contact.ts';

const { app, db, callers, outbox, parts } = await testApp({ SITE: '{"supportEmail":"help@example.org"}' });
const { asVisitor } = callers;

const letter = (change: object = {}) => ({
  fullName: 'Mere Kingi',
  email: `mere.${randomUUID().slice(0, 8)}@example.org`,
  website: 'https://kingi.example.org',
  message: 'My listing shows the wrong suburb.\nCan you help?',
  ...change,
});
const write = (change: object = {}) => asVisitor.post('/contact', letter(change));
const stored = (email: string) =>
  db.selectFrom('contact_messages').select(['full_name', 'website', 'message']).where('email', '=', email).execute();

test('stores a message and emails it to support with the sender as reply address', async () => {
  const { email } = letter();
  expect(await write({ email })).toMatchObject({ status: 200, body: { message: 'Message sent' } });
  expect(await stored(email)).toEqual([
    { full_name: 'Mere Kingi', website: 'https://kingi.example.org', message: 'My listing shows the wrong suburb.\nCan you help?' },
  ]);
  const [mail, ...others] = (await outbox.mails()).filter((one) => one.replyTo === email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: 'help@example.org', subject: 'Handwise: a message from Mere Kingi' });
  const { id } = await db.selectFrom('contact_messages').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  for (const text of [
    'My listing shows the wrong suburb.',
    'https://kingi.example.org',
    id,
    'typed the address, and it is not confirmed',
  ]) {
    expect(JSON.stringify(mail?.blocks)).toContain(text);
  }
});

test('accepts a message without a website', async () => {
  const { website: _, ...rest } = letter();
  expect((await asVisitor.post('/contact', rest)).status).toBe(200);
  expect(await stored(rest.email)).toMatchObject([{ website: '' }]);
  const mail = (await outbox.mails()).find((one) => one.replyTo === rest.email);
  expect(JSON.stringify(mail?.blocks)).not.toContain('Website');
});

test('truncates the longest name in the subject only', async () => {
  const { email } = letter();
  const fullName = 'Mere '.repeat(20).trim();
  expect((await write({ email, fullName })).status).toBe(200);
  const mail = (await outbox.mails()).find((one) => one.replyTo === email);
  expect(mail?.subject.length).toBe('Handwise: a message from '.length + 60);
  expect(JSON.stringify(mail?.blocks)).toContain(fullName);
});

test.each([
  [{ fullName: '  ' }, 'fullName', 'Name is required'],
  [{ fullName: 'Mere\r\nBcc: all@example.org' }, 'fullName', 'Use one line of text without control characters'],
  [{ fullName: 'M'.repeat(101) }, 'fullName', 'Name must be at most 100 characters'],
  [{ email: 'mere@example.org\r\nBcc: all@example.org' }, 'email', 'Invalid email format'],
  [{ email: 'mere, tama@example.org' }, 'email', 'Invalid email format'],
  [{ website: 'javascript:alert(1)' }, 'website', 'Invalid URL format'],
  [{ message: '' }, 'message', 'Message is required'],
  [{ message: 'a'.repeat(2001) }, 'message', 'Message cannot exceed 2000 characters'],
])('rejects %j at its field and stores and sends nothing', async (change, field, message) => {
  const before = await db.selectFrom('contact_messages').select('id').execute();
  expect(await write(change)).toMatchObject({ status: 400, body: { errors: [{ field, message }] } });
  expect(await db.selectFrom('contact_messages').select('id').execute()).toEqual(before);
});

test('limits an address to 5 messages an hour in any spelling, also concurrently', async () => {
  // With letters, to vary their case.
  const name = `mere${randomUUID().slice(0, 8)}`;
  const spellings = [`${name}@example.org`, `${name.toUpperCase()}@example.org`, `${name}+tag@example.org`];
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, index) =>
      callers.from(`203.0.113.${index + 1}`).post('/contact', letter({ email: spellings[index % 3] })),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429]);
  const storedMessages = await Promise.all(
    [spellings[0], name.toUpperCase() + '@example.org', spellings[2]].map((email) => stored(email ?? '')),
  );
  expect(storedMessages.flat()).toHaveLength(5);
});

test('limits a network to 20 messages an hour with any addresses', async () => {
  const here = callers.from('198.51.100.7');
  const statuses: number[] = [];
  for (let turn = 0; turn < 21; turn += 1) statuses.push((await here.post('/contact', letter())).status);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  // These addresses belong to one household.
  const ofOne = Array.from({ length: 21 }, (_, index) => callers.from(`2001:db8:7:7::${index + 1}`).post('/contact', letter()));
  expect((await Promise.all(ofOne)).filter(({ status }) => status === 429)).toHaveLength(1);
});

test('a client at the limit can write again after an hour, not earlier', async () => {
  const { email } = letter();
  const from = (part: number) => callers.from(`203.0.113.${part}`).post('/contact', letter({ email }));
  for (let part = 101; part <= 105; part += 1) expect((await from(part)).status).toBe(200);
  const pass = (minutes: number) =>
    db
      .updateTable('attempts')
      .set({ window_ends_at: sql<Date>`window_ends_at - make_interval(mins => ${minutes})` })
      .where('key', 'like', `contact by ${email}%`)
      .execute();
  await pass(59);
  expect((await from(106)).status).toBe(429);
  await pass(2);
  expect((await from(107)).status).toBe(200);
});

test('stores nothing and answers with an error when the email cannot be queued', async () => {
  const { email } = letter();
  const { send } = parts.context.jobs;
  parts.context.jobs.send = () => Promise.reject(new Error('no queue'));
  try {
    expect((await write({ email })).status).toBe(500);
  } finally {
    parts.context.jobs.send = send;
  }
  expect(await stored(email)).toEqual([]);
});

test('deletes messages after 2 years, not earlier', async () => {
  const { email } = letter();
  await write({ email });
  const inTwoYears = (days: number) => () => {
    const time = new Date();
    time.setFullYear(time.getFullYear() + 2);
    return new Date(time.getTime() + days * 24 * 60 * 60 * 1000);
  };
  await deleteOldContactMessages({ ...parts.context, clock: { now: inTwoYears(-1) } });
  expect(await stored(email)).toHaveLength(1);
  await deleteOldContactMessages({ ...parts.context, clock: { now: inTwoYears(1) } });
  expect(await stored(email)).toEqual([]);
});

test('the API description names the limit per address', async () => {
  const document = (await app.inject('/api/openapi.json')).json();
  expect(document.paths['/api/contact'].post.description).toContain('At most 5 an hour');
});
