import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { failingMailsTo } from '@handwise/sandbox/testing/failing-mails';
import { recordPresence } from '../../kit/events/live-events.ts';
import { emailUnseenMessages } from './messages.notify.ts';

const { app, besides, db, given, callers, outbox, parts } = await testApp();
const { as } = callers;
const { context, clock } = parts;

type User = Awaited<ReturnType<typeof given.user>>;

const confirm = (user: User) => db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
const minute = 60_000;
/** Moves the clock ahead by this time. */
const pass = (minutes: number) => clock.set(new Date(clock.now().getTime() + minutes * minute));

async function startConversation({ confirmed = true, listing = {} } = {}) {
  clock.set(new Date());
  const [seller, buyer] = [await given.user({ fullName: 'Mere Kingi' }), await given.user({ fullName: 'Tama Rua' })];
  if (confirmed) await Promise.all([confirm(seller), confirm(buyer)]);
  const { id: listingId } = await given.listing({ sellerId: seller._id, ...listing });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' });
  const id = body.conversationId as string;
  const sendMessage = (user: User, message: string) => as(user).post(`/messages/${id}`, { message, clientId: randomUUID() });
  return { seller, buyer, id, sendMessage };
}

/** The emails about messages to a user, oldest first. */
const mailsTo = async ({ email }: User) =>
  (await outbox.mails()).filter(({ to, limit }) => to === email && limit?.kind.startsWith('message.'));
const quotesOf = async (user: User) =>
  (await mailsTo(user)).map(({ blocks }) => blocks.flatMap((block) => (block.kind === 'quote' ? [block.text] : [])));
const presentNow = (user: User) => recordPresence(db, [user._id], clock.now());

test('emails the first message to the seller at once, with the buyer’s address as reply address', async () => {
  const { seller, buyer, id } = await startConversation();
  await presentNow(seller);
  expect(await mailsTo(seller)).toMatchObject([
    {
      to: seller.email,
      replyTo: buyer.email,
      subject: 'Message received for "Friendly local plumber"',
      greeting: 'Kia ora Mere',
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

test('strips line breaks from a title in the subject and truncates a long one', async () => {
  const { seller } = await startConversation({ listing: { title: `Plumber ${'x'.repeat(90)}` } });
  const [mail] = await mailsTo(seller);
  expect(mail?.subject).toBe(`Message received for "Plumber ${'x'.repeat(51)}…"`);
});

test('never emails a stranger’s text to an unconfirmed address', async () => {
  const { seller, sendMessage, buyer } = await startConversation({ confirmed: false });
  await sendMessage(seller, 'Friday?');
  await sendMessage(buyer, 'Yes');
  pass(30);
  await emailUnseenMessages(context);
  expect([await mailsTo(seller), await mailsTo(buyer)]).toEqual([[], []]);
});

test('a conversation shows when messages are not emailed because the address is unconfirmed', async () => {
  const { seller, buyer, id } = await startConversation({ confirmed: false });
  const waits = async (user: User) => (await as(user).get(`/messages/${id}`)).body.emailWaits;
  expect([await waits(buyer), await waits(seller)]).toEqual([true, true]);
  await confirm(buyer);
  expect([await waits(buyer), await waits(seller)]).toEqual([false, true]);
  // The confirmed business address is used instead of the account's.
  const confirmed = { user_id: seller._id, email: 'office@kingi.example', asked_at: new Date(), confirmed_at: new Date() };
  await db.insertInto('business_addresses').values(confirmed).execute();
  expect(await waits(seller)).toBe(false);
});

test('collects later messages for three minutes into one email without the seller’s address', async () => {
  const { seller, buyer, sendMessage } = await startConversation();
  await sendMessage(seller, 'I can come on Friday.');
  pass(2);
  await sendMessage(seller, 'At ten?');
  await emailUnseenMessages(context);
  expect(await mailsTo(buyer)).toEqual([]);
  pass(1);
  await emailUnseenMessages(context);
  await emailUnseenMessages(context);
  expect(await quotesOf(buyer)).toEqual([['I can come on Friday.', 'At ten?']]);
  const [mail] = await mailsTo(buyer);
  expect(mail).toMatchObject({ subject: '2 new messages about "Friendly local plumber"', limit: { perHour: 20 } });
  expect(mail?.replyTo).toBeUndefined();
  expect(JSON.stringify(mail)).not.toContain(seller.email);
  expect(JSON.stringify(mail)).toContain('Kingi & Daughters wrote to you');
});

test('emails everybody who waits, also more than one batch holds, and whoever is online keeps no other from it', async () => {
  const all = [await startConversation(), await startConversation(), await startConversation()];
  for (const { seller, sendMessage } of all) await sendMessage(seller, 'Friday?');
  pass(3);
  const [online, ...others] = all;
  if (online) await presentNow(online.buyer);
  await emailUnseenMessages(context, 1);
  expect(await Promise.all(all.map(({ buyer }) => quotesOf(buyer)))).toEqual([[], ...others.map(() => [['Friday?']])]);
});

test('an email that fails keeps no other from being sent, and is tried again', async () => {
  const [broken, whole] = [await startConversation(), await startConversation()];
  for (const { seller, sendMessage } of [broken, whole]) await sendMessage(seller, 'Friday?');
  pass(3);
  const failing = failingMailsTo(context, broken.buyer);
  // A batch in which all fail is the last of its run.
  await emailUnseenMessages(failing, 1);
  await emailUnseenMessages(failing);
  expect([await quotesOf(broken.buyer), await quotesOf(whole.buyer)]).toEqual([[], [['Friday?']]]);
  await emailUnseenMessages(context);
  expect([await quotesOf(broken.buyer), await quotesOf(whole.buyer)]).toEqual([[['Friday?']], [['Friday?']]]);
});

test('sends at most one email per conversation and hour, with all messages since the last one', async () => {
  const { seller, buyer, sendMessage } = await startConversation();
  await sendMessage(seller, 'One');
  await sendMessage(seller, 'Two');
  pass(3);
  await emailUnseenMessages(context);
  await sendMessage(seller, 'Three');
  pass(59);
  await emailUnseenMessages(context);
  expect(await quotesOf(buyer)).toEqual([['One', 'Two']]);
  pass(1);
  await emailUnseenMessages(context);
  expect(await quotesOf(buyer)).toEqual([['One', 'Two'], ['Three']]);
});

test('collects for three minutes again once everything was seen', async () => {
  const { seller, buyer, id, sendMessage } = await startConversation();
  await sendMessage(seller, 'One');
  await as(buyer).post(`/messages/${id}/seen`, { number: 9 });
  pass(2);
  await sendMessage(seller, 'Two');
  pass(2);
  await emailUnseenMessages(context);
  expect(await quotesOf(buyer)).toEqual([]);
  pass(1);
  await emailUnseenMessages(context);
  expect(await quotesOf(buyer)).toEqual([['Two']]);
});

test('sends no email about messages that were seen', async () => {
  const { seller, buyer, id, sendMessage } = await startConversation();
  await sendMessage(seller, 'One');
  await sendMessage(seller, 'Two');
  await as(buyer).post(`/messages/${id}/seen`, { number: 2 });
  pass(3);
  await emailUnseenMessages(context);
  expect(await quotesOf(buyer)).toEqual([['Two']]);
  await sendMessage(seller, 'Three');
  await as(buyer).post(`/messages/${id}/seen`, { number: 9 });
  pass(61);
  await emailUnseenMessages(context);
  expect(await quotesOf(buyer)).toEqual([['Two']]);
});

test('emails an online user only after they go offline without having seen the message', async () => {
  const { seller, buyer, sendMessage } = await startConversation();
  await sendMessage(seller, 'Are you there?');
  pass(3);
  await presentNow(buyer);
  await emailUnseenMessages(context);
  pass(9);
  await emailUnseenMessages(context);
  expect(await mailsTo(buyer)).toEqual([]);
  pass(1);
  await emailUnseenMessages(context);
  expect(await quotesOf(buyer)).toEqual([['Are you there?']]);
});

test('an email shows five messages, counts the others and warns about links', async () => {
  const { seller, buyer, sendMessage } = await startConversation();
  for (let at = 1; at <= 7; at += 1) await sendMessage(seller, `Part ${at}`);
  await sendMessage(seller, 'www.example.com');
  pass(3);
  await emailUnseenMessages(context);
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

test('sends no email to a user who unsubscribed, is suspended or deleted their account', async () => {
  const { seller, buyer, sendMessage } = await startConversation();
  await as(buyer).put('/mails', { kind: 'messages', on: false });
  await sendMessage(seller, 'One');
  pass(3);
  await emailUnseenMessages(context);
  expect(await mailsTo(buyer)).toEqual([]);
  await as(buyer).put('/mails', { kind: 'messages', on: true });
  const set = (values: object) => db.updateTable('users').set(values).where('id', '=', buyer._id).execute();
  await sendMessage(seller, 'Two');
  await set({ suspended_at: new Date() });
  pass(3);
  await emailUnseenMessages(context);
  await set({ suspended_at: null });
  await sendMessage(seller, 'Three');
  await set({ deleted_at: new Date() });
  pass(3);
  await emailUnseenMessages(context);
  await set({ deleted_at: null });
  expect(await mailsTo(buyer)).toEqual([]);
  await sendMessage(seller, 'Four');
  pass(3);
  await emailUnseenMessages(context);
  expect(await quotesOf(buyer)).toEqual([['One', 'Two', 'Three', 'Four']]);
});

test('the scheduled job sends the emails that are due', async () => {
  const { seller, buyer, sendMessage } = await startConversation();
  await sendMessage(seller, 'One');
  pass(3);
  await sql`insert into pgboss.job (name) values ('messages.email-unseen-messages')`.execute(db);
  await outbox.runJobs();
  expect(await quotesOf(buyer)).toEqual([['One']]);
});

test('with email replies enabled, each side gets its own reply address and the configuration says so', async () => {
  const { seller, buyer, sendMessage } = await startConversation();
  const relaying = { ...context, replyDomain: 'reply.handwise.example' };
  const server = await besides({ context: relaying });
  try {
    const getConfig = async (of: typeof server) => (await of.inject('/api/config')).json().messages as { relayed: boolean };
    expect([await getConfig(app), await getConfig(server)]).toEqual([{ relayed: false }, { relayed: true }]);
    const { id: other } = await given.listing({ sellerId: seller._id });
    const { statusCode } = await server.inject({
      method: 'POST',
      url: '/api/email/send',
      headers: { authorization: `Bearer ${buyer.token}` },
      payload: { sellerId: seller._id, listingId: other, message: 'And this?' },
    });
    expect(statusCode).toBe(200);
    await sendMessage(seller, 'Friday');
    pass(3);
    await emailUnseenMessages(relaying);
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
