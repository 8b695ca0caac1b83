import { randomUUID } from 'node:crypto';
import { testApp } from '@handwise/sandbox/testing/app';
import { createTransport } from 'nodemailer';
import type Mail from 'nodemailer/lib/mailer/index.js';
import { afterAll, expect, test } from 'vitest';
import { emailUnseenMessages } from './domains/messages/messages.notify.ts';
import { readEnv } from './env.ts';
import { openInbound } from './inbound.ts';

const environment = { INBOUND_MAIL: 'reply.handwise.example', INBOUND_MAIL_PORT: '0' };
const { db, given, callers, outbox, parts } = await testApp(environment);
const { as } = callers;
const { context, clock } = parts;
const env = { ...readEnv({ NODE_ENV: 'test', ...environment }), host: '127.0.0.1' };
const inbound = await openInbound(context, env);
afterAll(() => inbound.close());

type User = Awaited<ReturnType<typeof given.user>>;

/** Sends a mail by SMTP. Rejects with the server's response. */
async function send(mail: Mail.Options, port = inbound.port) {
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
  try {
    return await transport.sendMail({ subject: 'Re: A new message', ...mail });
  } finally {
    transport.close();
  }
}
const refusal = (mail: Mail.Options, port?: number) =>
  send(mail, port).then(
    () => 'taken',
    (error: { response?: string }) => error.response ?? String(error),
  );

const quoted = '\n\nOn Sat, 21 Nov 2026 at 10:00, Handwise <hello@handwise.example> wrote:\n> My tap drips.\n';
const notOwn = '550 We only accept answers from your account’s own address.';

/** A conversation with the Reply-To addresses of the mails to both sides. */
async function startConversation() {
  const [seller, buyer] = [await given.user({ fullName: 'Mere Kingi' }), await given.user({ fullName: 'Tama Rua' })];
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).execute();
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' });
  const id = body.conversationId as string;
  await as(seller).post(`/messages/${id}`, { message: 'Friday?', clientId: randomUUID() });
  clock.set(new Date(clock.now().getTime() + 4 * 60_000));
  await emailUnseenMessages(context);
  const replyTo = async (user: User) =>
    (await outbox.mails()).findLast(({ to, replyTo: address }) => to === user.email && address)?.replyTo ?? '';
  const texts = async () => (await as(seller).get(`/messages/${id}`)).body.messages.map((one: { text: string }) => one.text);
  return { seller, buyer, id, texts, sellerAddress: await replyTo(seller), buyerAddress: await replyTo(buyer) };
}

test('a reply becomes a message of the mail’s recipient, without the quote', async () => {
  const { seller, buyer, id, texts, sellerAddress, buyerAddress } = await startConversation();
  await send({ from: `Mere <${seller.email}>`, to: sellerAddress, text: `At ten?${quoted}` });
  await send({ from: buyer.email.toUpperCase(), to: buyerAddress.toUpperCase(), text: `Yes, please.${quoted}`, html: '<p>Yes</p>' });
  expect(await texts()).toEqual(['Yes, please.', 'At ten?', 'Friday?', 'My tap drips.']);
  const { messages } = (await as(buyer).get(`/messages/${id}`)).body;
  expect(messages.map((one: { mine: boolean }) => one.mine)).toEqual([true, false, false, true]);
});

test('receiving a mail is idempotent', async () => {
  const { seller, texts, sellerAddress } = await startConversation();
  const mail = { from: seller.email, to: sellerAddress, text: 'At ten?', messageId: '<one@example.org>' };
  await send(mail);
  await send(mail);
  await send({ ...mail, messageId: '<two@example.org>', text: 'Or eleven?' });
  expect(await texts()).toEqual(['Or eleven?', 'At ten?', 'Friday?', 'My tap drips.']);
});

test('rejects a mail from another address, including the other side’s and an unconfirmed one', async () => {
  const { seller, buyer, texts, sellerAddress, buyerAddress } = await startConversation();
  expect(await refusal({ from: 'stranger@example.net', to: sellerAddress, text: 'Hello' })).toBe(notOwn);
  expect(await refusal({ from: buyer.email, to: sellerAddress, text: 'Hello' })).toBe(notOwn);
  // The From header counts, not the envelope.
  expect(
    await refusal({ from: 'stranger@example.net', to: sellerAddress, text: 'Hello', envelope: { from: seller.email, to: sellerAddress } }),
  ).toBe(notOwn);
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', seller._id).execute();
  expect(await refusal({ from: seller.email, to: sellerAddress, text: 'Hello' })).toBe(notOwn);
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', buyer._id).execute();
  expect(await refusal({ from: buyer.email, to: buyerAddress, text: 'Hello' })).toBe(notOwn);
  await db.updateTable('users').set({ suspended_at: null }).where('id', '=', buyer._id).execute();
  expect(await texts()).toEqual(['Friday?', 'My tap drips.']);
});

test('a seller may reply from the business’s confirmed address, a buyer may not', async () => {
  const { seller, buyer, texts, sellerAddress, buyerAddress } = await startConversation();
  const from = 'office@kingi.example';
  expect(await refusal({ from, to: sellerAddress, text: 'Too early' })).toBe(notOwn);
  const asked_at = new Date();
  for (const user of [seller, buyer]) {
    await db.insertInto('business_addresses').values({ user_id: user._id, email: from, asked_at, confirmed_at: asked_at }).execute();
  }
  await send({ from: from.toUpperCase(), to: sellerAddress, text: 'At ten?' });
  expect(await refusal({ from, to: buyerAddress, text: 'Hello' })).toBe(notOwn);
  expect(await refusal({ from: 'other@kingi.example', to: sellerAddress, text: 'Hello' })).toBe(notOwn);
  expect(await texts()).toEqual(['At ten?', 'Friday?', 'My tap drips.']);
});

test('rejects an unknown or modified recipient before the mail is sent', async () => {
  const { seller, texts, sellerAddress } = await startConversation();
  const from = seller.email;
  for (const to of [
    'hello@reply.handwise.example',
    sellerAddress.replace('reply.handwise.example', 'other.example'),
    sellerAddress.replace(/s(?=[0-9a-f]{20}@)/, 'b'),
    sellerAddress.replace(/(.)@/, (_, last: string) => `${last === '0' ? '1' : '0'}@`),
    sellerAddress.replace(/\+[0-9a-f]{8}/, '+00000000'),
  ]) {
    expect([to, await refusal({ from, to, text: 'Hello' })]).toEqual([to, expect.stringMatching(/^550 There is no such address/)]);
  }
  expect(await refusal({ from, to: [sellerAddress, sellerAddress.replace('reply+', 'REPLY+')], text: 'Hello' })).toBe('taken');
  expect(await texts()).toEqual(['Hello', 'Friday?', 'My tap drips.']);
});

test.each([
  ['an out-of-office note', { 'Auto-Submitted': 'auto-replied' }],
  ['a mail of our own', { 'Auto-Submitted': 'auto-generated' }],
  ['a bulk mail', { Precedence: 'bulk' }],
  ['a mail of a list', { 'List-Id': '<plumbers.example.org>' }],
  ['an old auto-reply', { 'X-Autoreply': 'yes' }],
])('accepts and drops %s', async (_, headers) => {
  const { seller, texts, sellerAddress } = await startConversation();
  await send({ from: seller.email, to: sellerAddress, text: 'I am away', headers });
  expect(await texts()).toEqual(['Friday?', 'My tap drips.']);
});

test('drops a bounce, which has no sender', async () => {
  const { seller, texts, sellerAddress } = await startConversation();
  await send({ from: seller.email, to: sellerAddress, text: 'Not delivered', envelope: { from: '', to: sellerAddress } });
  expect(await texts()).toEqual(['Friday?', 'My tap drips.']);
});

test('rejects a mail without own text, or with too much, with the reason', async () => {
  const { seller, texts, sellerAddress } = await startConversation();
  const from = seller.email;
  expect(await refusal({ from, to: sellerAddress, text: quoted })).toMatch(/^554 This email has no text of its own/);
  expect(await refusal({ from, to: sellerAddress, text: 'x'.repeat(2_001) })).toBe('550 Message cannot exceed 2000 characters');
  expect(await refusal({ from, to: sellerAddress, text: 'Hello', attachments: [{ content: Buffer.alloc(11 * 1024 * 1024) }] })).toMatch(
    /^552/,
  );
  expect(await texts()).toEqual(['Friday?', 'My tap drips.']);
});

test('rejects mail of blocked users, and defers mail above the limit', async () => {
  const { seller, buyer, id, texts, sellerAddress, buyerAddress } = await startConversation();
  await as(seller).post(`/messages/${id}/block`);
  expect(await refusal({ from: buyer.email, to: buyerAddress, text: 'Hello?' })).toBe(
    '550 This person has stopped messages from you. Nothing was sent.',
  );
  await as(seller).delete(`/messages/${id}/block`);
  await db.updateTable('attempts').set({ count: 30 }).where('key', '=', `messages-by:${seller._id}`).execute();
  expect(await refusal({ from: seller.email, to: sellerAddress, text: 'Hello' })).toBe('451 Please try again later');
  expect(await texts()).toEqual(['Friday?', 'My tap drips.']);
});

test('behind a server that authenticates senders, accepts only authenticated mail', async () => {
  const strict = await openInbound(context, {
    ...env,
    inboundMail: { domain: 'reply.handwise.example', port: 0, authenticatedBy: 'mx.handwise.example' },
  });
  const { seller, texts, sellerAddress } = await startConversation();
  const tried = (results?: string) =>
    refusal(
      {
        from: seller.email,
        to: sellerAddress,
        text: `By ${results}`,
        ...(results !== undefined && { headers: { 'Authentication-Results': results } }),
      },
      strict.port,
    );
  for (const results of [
    undefined,
    'mx.handwise.example; dmarc=fail header.from=example.org',
    'mx.other.example; dmarc=pass header.from=example.org',
    'mx.handwise.example; dmarc=pass header.from=evil.example',
    'mx.handwise.example; spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.org; y"@evil.example',
    'mx.handwise.example; dkim=pass header.d=evil.example',
    'mx.handwise.example; dkim=pass header.d=example.org.evil.example',
    'mx.handwise.example; spf=pass smtp.mailfrom=example.org',
  ]) {
    expect(await tried(results)).toMatch(/^550 We could not verify/);
  }
  expect(await tried('mx.handwise.example; spf=fail; dmarc=pass header.from=example.org')).toBe('taken');
  expect(await tried('mx.handwise.example; dkim=pass header.d=example.org header.s=1')).toBe('taken');
  expect(await texts()).toHaveLength(4);
  await strict.close();
});
