import { randomUUID } from 'node:crypto';
import { testApp } from '@handwise/sandbox/testing/app';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { recordPresence } from '../../kit/events/live-events.ts';
import { mailUnseen } from './messages.notify.ts';

const { app, besides, db, given, callers, outbox, parts } = await testApp();
const { as } = callers;
const { context, clock } = parts;

type User = Awaited<ReturnType<typeof given.user>>;

const confirm = (user: User) => db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
const minute = 60_000;
/** From now on: what was done before is at least so long ago. */
const pass = (minutes: number) => clock.set(new Date(clock.now().getTime() + minutes * minute));

async function talk({ confirmed = true, listing = {} } = {}) {
  clock.set(new Date());
  const [seller, buyer] = [await given.user({ fullName: 'Mere Kingi' }), await given.user({ fullName: 'Tama Rua' })];
  if (confirmed) await Promise.all([confirm(seller), confirm(buyer)]);
  const { id: listingId } = await given.listing({ sellerId: seller._id, ...listing });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' });
  const id = body.conversationId as string;
  const say = (user: User, message: string) => as(user).post(`/messages/${id}`, { message, clientId: randomUUID() });
  return { seller, buyer, id, say };
}

/** The mails about messages to somebody, oldest first. */
const mailsTo = async ({ email }: User) =>
  (await outbox.mails()).filter(({ to, limit }) => to === email && limit?.kind.startsWith('message.'));
const quotesOf = async (user: User) =>
  (await mailsTo(user)).map(({ blocks }) => blocks.flatMap((block) => (block.kind === 'quote' ? [block.text] : [])));
const presentNow = (user: User) => recordPresence(db, [user._id], clock.now());

test('the first message is mailed to the seller at once, with the buyer’s address to answer to', async () => {
  const { seller, buyer, id } = await talk();
  await presentNow(seller);
  expect(await mailsTo(seller)).toMatchObject([
    {
      to: seller.email,
      replyTo: buyer.email,
      subject: 'Message received for "Friendly local plumber"',
      greeting: 'Kia ora Mere Kingi',
      blocks: [
        { kind: 'text', text: 'Tama R. wrote to you about “Friendly local plumber”:' },
        { kind: 'quote', text: 'My tap drips.' },
        { kind: 'button', url: `http://localhost:3000/messages/${id}` },
        { kind: 'note', text: `A reply to this email goes to ${buyer.email} directly.` },
      ],
      limit: { perHour: 60 },
    },
  ]);
  expect(await mailsTo(buyer)).toEqual([]);
});

test('a line break in a title makes no second header, and a long title is cut', async () => {
  const { seller } = await talk({ listing: { title: `Plumber ${'x'.repeat(90)}` } });
  const [mail] = await mailsTo(seller);
  expect(mail?.subject).toBe(`Message received for "Plumber ${'x'.repeat(51)}…"`);
});

test('a stranger’s words are never mailed to an address that is not confirmed', async () => {
  const { seller, say, buyer } = await talk({ confirmed: false });
  await say(seller, 'Friday?');
  await say(buyer, 'Yes');
  pass(30);
  await mailUnseen(context);
  expect([await mailsTo(seller), await mailsTo(buyer)]).toEqual([[], []]);
});

test('a conversation says whether its messages are not emailed for want of a confirmed address', async () => {
  const { seller, buyer, id } = await talk({ confirmed: false });
  const waits = async (user: User) => (await as(user).get(`/messages/${id}`)).body.emailWaits;
  expect([await waits(buyer), await waits(seller)]).toEqual([true, true]);
  await confirm(buyer);
  expect([await waits(buyer), await waits(seller)]).toEqual([false, true]);
  // The confirmed address of the business gets them instead of the account's.
  const confirmed = { user_id: seller._id, email: 'office@kingi.example', asked_at: new Date(), confirmed_at: new Date() };
  await db.insertInto('business_addresses').values(confirmed).execute();
  expect(await waits(seller)).toBe(false);
});

test('later messages are collected for three minutes and mailed once, and the mail names no address of the seller', async () => {
  const { seller, buyer, say } = await talk();
  await say(seller, 'I can come on Friday.');
  pass(2);
  await say(seller, 'At ten?');
  await mailUnseen(context);
  expect(await mailsTo(buyer)).toEqual([]);
  pass(1);
  await mailUnseen(context);
  await mailUnseen(context);
  expect(await quotesOf(buyer)).toEqual([['I can come on Friday.', 'At ten?']]);
  const [mail] = await mailsTo(buyer);
  expect(mail).toMatchObject({ subject: '2 new messages about "Friendly local plumber"', limit: { perHour: 20 } });
  expect(mail?.replyTo).toBeUndefined();
  expect(JSON.stringify(mail)).not.toContain(seller.email);
  expect(JSON.stringify(mail)).toContain('Kingi & Daughters wrote to you');
});

test('one conversation mails once an hour at most, and then what has come since', async () => {
  const { seller, buyer, say } = await talk();
  await say(seller, 'One');
  pass(3);
  await mailUnseen(context);
  await say(seller, 'Two');
  pass(59);
  await mailUnseen(context);
  expect(await quotesOf(buyer)).toEqual([['One']]);
  pass(1);
  await mailUnseen(context);
  expect(await quotesOf(buyer)).toEqual([['One'], ['Two']]);
});

test('what was seen is not mailed', async () => {
  const { seller, buyer, id, say } = await talk();
  await say(seller, 'One');
  await say(seller, 'Two');
  await as(buyer).post(`/messages/${id}/seen`, { number: 2 });
  pass(3);
  await mailUnseen(context);
  expect(await quotesOf(buyer)).toEqual([['Two']]);
  await say(seller, 'Three');
  await as(buyer).post(`/messages/${id}/seen`, { number: 9 });
  pass(61);
  await mailUnseen(context);
  expect(await quotesOf(buyer)).toEqual([['Two']]);
});

test('whoever is online is not mailed; where they leave without having looked, they are', async () => {
  const { seller, buyer, say } = await talk();
  await say(seller, 'Are you there?');
  pass(3);
  await presentNow(buyer);
  await mailUnseen(context);
  pass(9);
  await mailUnseen(context);
  expect(await mailsTo(buyer)).toEqual([]);
  pass(1);
  await mailUnseen(context);
  expect(await quotesOf(buyer)).toEqual([['Are you there?']]);
});

test('of many messages five are shown and the others counted; links bring a warning', async () => {
  const { seller, buyer, say } = await talk();
  for (let at = 1; at <= 7; at += 1) await say(seller, `Part ${at}`);
  await say(seller, 'www.example.com');
  pass(3);
  await mailUnseen(context);
  const [mail] = await mailsTo(buyer);
  expect(mail?.blocks.map((block) => ('text' in block ? block.text : block.kind))).toMatchObject([
    expect.any(String),
    'Part 1',
    'Part 2',
    'Part 3',
    'Part 4',
    'Part 5',
    'And 3 more.',
    expect.stringContaining('Be careful'),
    'button',
    'Please use the button to answer: nobody reads replies to this email.',
  ]);
});

test('whoever has ended these mails, is suspended or has left gets none, and messages wait', async () => {
  const { seller, buyer, say } = await talk();
  await as(buyer).put('/mails', { kind: 'messages', on: false });
  await say(seller, 'One');
  pass(3);
  await mailUnseen(context);
  expect(await mailsTo(buyer)).toEqual([]);
  await as(buyer).put('/mails', { kind: 'messages', on: true });
  const set = (values: object) => db.updateTable('users').set(values).where('id', '=', buyer._id).execute();
  await say(seller, 'Two');
  await set({ suspended_at: new Date() });
  pass(3);
  await mailUnseen(context);
  await set({ suspended_at: null });
  await say(seller, 'Three');
  await set({ deleted_at: new Date() });
  pass(3);
  await mailUnseen(context);
  await set({ deleted_at: null });
  expect(await mailsTo(buyer)).toEqual([]);
  await say(seller, 'Four');
  pass(3);
  await mailUnseen(context);
  expect(await quotesOf(buyer)).toEqual([['One', 'Two', 'Three', 'Four']]);
});

test('the clock mails what is due', async () => {
  const { seller, buyer, say } = await talk();
  await say(seller, 'One');
  pass(3);
  await sql`insert into pgboss.job (name) values ('messages.mail-unseen')`.execute(db);
  await outbox.runJobs();
  expect(await quotesOf(buyer)).toEqual([['One']]);
});

test('answers by mail have an address of ours where they are taken, each side its own, and browsers are told', async () => {
  const { seller, buyer, say } = await talk();
  const relaying = { ...context, replyDomain: 'reply.handwise.example' };
  const server = await besides({ context: relaying, longestDelayMs: 0 });
  try {
    const told = async (asked: typeof server) => (await asked.inject('/api/config')).json().messages as { relayed: boolean };
    expect([await told(app), await told(server)]).toEqual([{ relayed: false }, { relayed: true }]);
    const { id: other } = await given.listing({ sellerId: seller._id });
    const { statusCode } = await server.inject({
      method: 'POST',
      url: '/api/email/send',
      headers: { authorization: `Bearer ${buyer.token}` },
      payload: { sellerId: seller._id, listingId: other, message: 'And this?' },
    });
    expect(statusCode).toBe(200);
    await say(seller, 'Friday');
    pass(3);
    await mailUnseen(relaying);
    const replies = [(await mailsTo(seller)).at(-1)?.replyTo, (await mailsTo(buyer)).at(-1)?.replyTo];
    expect(replies[0]).toMatch(/^reply\+[0-9a-f]{32}s[0-9a-f]{20}@reply\.handwise\.example$/);
    expect(replies[1]).toMatch(/^reply\+[0-9a-f]{32}b[0-9a-f]{20}@reply\.handwise\.example$/);
    expect((await mailsTo(seller)).at(-1)?.blocks.at(-1)).toEqual({
      kind: 'note',
      text: 'You can also reply to this email: what you write is sent as a message.',
    });
  } finally {
    await server.close();
  }
});
