import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type Mail from 'nodemailer/lib/mailer/index.js';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo as createPhoto } from '@handwise/sandbox/testing/photos';
import { emailUnseenMessages } from '../domains/messages/messages.notify.ts';
import { readEnv } from '../env.ts';
import { openReplyServer } from './email-replies.ts';

const environment = { INBOUND_MAIL: '{"domain":"reply.handwise.example","port":0}' };
const { db, given, callers, outbox, parts } = await testApp(environment);
const { as } = callers;
const { context, clock } = parts;
const env = { ...readEnv({ NODE_ENV: 'test', ...environment }), host: '127.0.0.1' };
const inbound = await openReplyServer(context, env);
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

test('takes replies from addresses that were given to us in capitals', async () => {
  const { seller, buyer, texts, sellerAddress, buyerAddress } = await startConversation();
  await db.updateTable('users').set({ email: buyer.email.toUpperCase() }).where('id', '=', buyer._id).execute();
  const business = { user_id: seller._id, email: 'Office@Kingi.example', asked_at: new Date(), confirmed_at: new Date() };
  await db.insertInto('business_addresses').values(business).execute();
  await send({ from: 'office@kingi.example', to: sellerAddress, text: 'At ten?' });
  await send({ from: buyer.email, to: buyerAddress, text: 'Yes, please.' });
  expect(await texts()).toEqual(['Yes, please.', 'At ten?', 'Friday?', 'My tap drips.']);
});

test('receiving a mail is idempotent', async () => {
  const { seller, texts, sellerAddress } = await startConversation();
  const mail = { from: seller.email, to: sellerAddress, text: 'At ten?', messageId: '<one@example.org>' };
  await send(mail);
  await send(mail);
  await send({ ...mail, messageId: '<two@example.org>', text: 'Or eleven?' });
  // Some programs give several mails one id.
  await send({ ...mail, messageId: '<two@example.org>', text: 'Or twelve?' });
  expect(await texts()).toEqual(['Or twelve?', 'Or eleven?', 'At ten?', 'Friday?', 'My tap drips.']);
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
  expect(await refusal({ from, to: sellerAddress, text: quoted })).toMatch(/^550 This email has no text of its own/);
  expect(await refusal({ from, to: sellerAddress, text: 'x'.repeat(2_001) })).toBe('550 Message cannot exceed 2000 characters');
  expect(await refusal({ from, to: sellerAddress, text: 'Hello', attachments: [{ content: Buffer.alloc(12 * 1024 * 1024) }] })).toMatch(
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

const readCase = (name: string) => readFileSync(join(import.meta.dirname, `../../test/replies/${name}.eml`), 'utf8');

/** Sends one of the mails of `test/replies` as a reply. */
async function sendCase(name: string, { from, to, port }: { from: string; to: string; port?: number }) {
  const raw = readCase(name).replaceAll('seller@example.com', from).replace('reply+CONVERSATION@reply.handwise.test', to);
  return refusal({ envelope: { from, to }, raw }, port);
}

test.each([
  ['html-only', 'My answer.'],
  ['dashes', 'Prices:\n----------\nHallway $400\nLounge $700'],
  ['greater-than', 'Prices by size:\n>20 m2 is $30 per m2\n<20 m2 is $35 per m2'],
  ['intro-gmail-japanese', 'My answer.'],
  ['quote-outlook-german', 'My answer.'],
  ['text-and-photo', 'Here is the photo of the crack.'],
])('takes the whole answer of %s and nothing else', async (name, text) => {
  const { seller, texts, sellerAddress } = await startConversation();
  expect(await sendCase(name, { from: seller.email, to: sellerAddress })).toBe('taken');
  expect(await texts()).toEqual([text, 'Friday?', 'My tap drips.']);
});

test('two mails without an id are two messages, however often each is delivered', async () => {
  const { seller, texts, sellerAddress } = await startConversation();
  for (const name of ['without-id-1', 'without-id-2', 'without-id-1', 'without-id-2']) {
    expect(await sendCase(name, { from: seller.email, to: sellerAddress })).toBe('taken');
  }
  expect(await texts()).toEqual(['Second.', 'First.', 'Friday?', 'My tap drips.']);
});

/** The pictures of the newest message, and the emails to a user about what was left out. */
async function lastMessage({ seller, id }: { seller: User; id: string }) {
  const [message] = (await as(seller).get(`/messages/${id}`)).body.messages;
  const mails = (await outbox.mails()).filter(
    ({ to, subject }) => to === seller.email && subject.startsWith('Your message was sent without'),
  );
  const said = mails.flatMap(({ blocks }) => blocks.flatMap((block) => ('text' in block ? [block.text] : [])));
  return { text: message.text as string, pictures: message.pictures.length as number, pdf: message.pdf?.name as string | undefined, said };
}

test('pictures become pictures of the message, attached or inline, whatever their type is called', async () => {
  const one = await startConversation();
  const from = one.seller.email;
  const to = one.sellerAddress;
  expect(await sendCase('text-and-photo', { from, to })).toBe('taken');
  expect(await lastMessage(one)).toEqual({ text: 'Here is the photo of the crack.', pictures: 1, pdf: undefined, said: [] });

  const photo = await createPhoto();
  const attachments = [{ filename: 'a.jpg', content: photo, contentType: 'application/octet-stream' }];
  await send({ from, to, attachments });
  expect(await lastMessage(one)).toEqual({ text: '', pictures: 1, pdf: undefined, said: [] });

  // A picture in the text counts, one in the quote or the signature doesn't.
  const html =
    '<div>Like this?<img src="cid:one"></div><div class="gmail_signature"><img src="cid:logo"></div><blockquote type="cite">On 21 Nov 2026, at 10:00, Handwise &lt;hello@handwise.example&gt; wrote: <img src="cid:quoted"></blockquote>';
  const inline = ['one', 'logo', 'quoted'].map((cid) => ({
    cid,
    filename: `${cid}.jpg`,
    content: photo,
    contentDisposition: 'inline' as const,
  }));
  await send({ from, to, text: 'Like this? [image: one.jpg]', html, attachments: inline });
  expect(await lastMessage(one)).toEqual({ text: 'Like this?', pictures: 1, pdf: undefined, said: [] });

  // Files first, as some phones do.
  const raw = [
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: image/jpeg',
    'Content-Transfer-Encoding: base64',
    '',
    photo.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'After the photo.',
    '--b--',
    '',
  ];
  await send({
    envelope: { from, to },
    raw: [`From: ${from}`, `To: ${to}`, 'Subject: Re: Message', 'Message-ID: <file-first@x>', ...raw].join('\r\n'),
  });
  expect(await lastMessage(one)).toEqual({ text: 'After the photo.', pictures: 1, pdf: undefined, said: [] });
});

test('tells the writer what was not sent', async () => {
  const one = await startConversation();
  const from = one.seller.email;
  const to = one.sellerAddress;
  const photo = await createPhoto();
  const other = { filename: 'plan.docx', content: Buffer.from('PK') };
  const pdf = { filename: 'plan.pdf', content: Buffer.from('%PDF-1.7 …') };
  const second = { filename: 'second.pdf', content: pdf.content };
  const large = { filename: 'large.pdf', content: Buffer.concat([pdf.content, Buffer.alloc(10 * 1024 * 1024)]) };
  const broken = { filename: 'broken.jpg', content: photo.subarray(0, 200) };
  await send({ from, to, text: 'The plan.', attachments: [other, pdf, second, large, broken, { filename: 'good.jpg', content: photo }] });
  const { said, ...message } = await lastMessage(one);
  expect(message).toEqual({ text: 'The plan.', pictures: 1, pdf: 'plan.pdf' });
  expect(said.join('\n')).toMatch(
    /“plan.docx” is neither a PDF nor a picture.*\n“large.pdf” is larger than 10 MB.\n“second.pdf”: a message has one PDF.\n“broken.jpg” is/,
  );

  expect(await refusal({ from, to, text: '', attachments: [other] })).toMatch(
    /^550 Nothing was sent. “plan.docx” is neither a PDF nor a picture/,
  );
  expect(await refusal({ from, to, text: '', attachments: [broken] })).toMatch(/^550 Nothing was sent. “broken.jpg” is/);
  expect((await lastMessage(one)).text).toBe('The plan.');

  await send({
    from,
    to,
    text: 'Many.',
    messageId: '<many@x>',
    attachments: Array.from({ length: 12 }, (_, at) => ({ filename: `${at}.jpg`, content: photo })),
  });
  await send({
    from,
    to,
    text: 'Many.',
    messageId: '<many@x>',
    attachments: Array.from({ length: 12 }, (_, at) => ({ filename: `${at}.jpg`, content: photo })),
  });
  const many = await lastMessage(one);
  expect([many.text, many.pictures]).toEqual(['Many.', 10]);
  expect(many.said.filter((text) => text === '2 more: a message has at most 10 pictures.')).toHaveLength(1);
});

test('neither side’s address is shown, and the writer is told', async () => {
  const one = await startConversation();
  await send({ from: one.seller.email, to: one.sellerAddress, text: `Write to ${one.seller.email} or ${one.buyer.email.toUpperCase()}.` });
  const { text, said } = await lastMessage(one);
  expect(text).toBe('Write to [email address] or [email address].');
  expect(said.join(' ')).toContain('We took email addresses out of it.');
});

test.each([
  'Automatic reply: Message received',
  'Automatische Antwort: Message received',
  'Réponse automatique : Message received',
  'Respuesta automática: Message received',
  '自動応答: Message received',
  '自动答复: Message received',
  'Out of office Re: Message received',
  'Re: Automatic reply: Message received',
  'Automated Response: Re: Automated Response: Re: Message received',
  'Out of Office',
  'Abwesenheitsnotiz: Message received',
  'Read: Message received',
  'Gelesen: Message received',
  'Undeliverable: Message received',
])('accepts and drops a mail with the subject %s', async (subject) => {
  const { seller, texts, sellerAddress } = await startConversation();
  expect(await refusal({ from: seller.email, to: sellerAddress, subject, text: 'I am away until 7 December.' })).toBe('taken');
  expect(await texts()).toEqual(['Friday?', 'My tap drips.']);
});

test.each(['Re: Message received', 'AW: Reading list', 'Automatic gate', 'Re: Out of office hours', 'Vacation house'])(
  'takes a mail with the subject %s',
  async (subject) => {
    const { seller, texts, sellerAddress } = await startConversation();
    await send({ from: seller.email, to: sellerAddress, subject, text: 'At ten.' });
    expect(await texts()).toEqual(['At ten.', 'Friday?', 'My tap drips.']);
  },
);

test('drops receipts, reports and reactions', async () => {
  const { seller, texts, sellerAddress } = await startConversation();
  const [from, to] = [seller.email, sellerAddress];
  expect(await sendCase('out-of-office-subject-only', { from, to })).toBe('taken');
  for (const text of ['Liked “Friday?”', '👍 Mere Kingi reacted via Gmail']) await send({ from, to, text });
  await send({
    from,
    to,
    text: '👍',
    alternatives: [{ contentType: 'text/vnd.google.email-reaction+json', content: '{"emoji":"👍","version":1}' }],
  });
  const report = [
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
    '',
    '--b',
    '',
    'Your message was read.',
    '--b--',
    '',
  ];
  await send({ envelope: { from, to }, raw: [`From: ${from}`, `To: ${to}`, 'Subject: Message received', ...report].join('\r\n') });
  expect(await texts()).toEqual(['Friday?', 'My tap drips.']);
});

test('confirms senders by DKIM, SPF and DMARC itself', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const records: Record<string, string> = {
    'TXT k._domainkey.example.org': `v=DKIM1; k=rsa; p=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`,
    'TXT _dmarc.example.org': 'v=DMARC1; p=reject',
  };
  /** The records that DNS cannot answer about now. */
  let down: string[] = [];
  const resolve = async (domain: string, type: string) => {
    const record = records[`${type} ${domain}`];
    if (down.includes(`${type} ${domain}`)) throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
    if (record === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    return [[record]];
  };
  const open = (relays: string[]) =>
    openReplyServer(context, { ...env, inboundMail: { domain: 'reply.handwise.example', port: 0, authentication: { relays } } }, resolve);
  const [direct, relayed] = [await open([]), await open(['127.0.0.1'])];
  const { seller, texts, sellerAddress } = await startConversation();
  await db
    .updateTable('users')
    .set({ email: `${randomUUID()}@example.org` })
    .where('id', '=', seller._id)
    .execute();
  const { email: from } = await db.selectFrom('users').select('email').where('id', '=', seller._id).executeTakeFirstOrThrow();
  const key = { domainName: 'example.org', keySelector: 'k', privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() };
  const mail = { from, to: sellerAddress };

  expect(await refusal({ ...mail, text: 'Unsigned' }, direct.port)).toMatch(/^550 We could not verify/);
  expect(await refusal({ ...mail, text: 'Signed by another', dkim: { ...key, domainName: 'evil.example' } }, direct.port)).toMatch(
    /^550 We could not verify/,
  );
  expect(await refusal({ ...mail, text: 'Signed', dkim: key }, direct.port)).toBe('taken');
  records['TXT _dmarc.example.org'] = '';
  expect(await refusal({ ...mail, text: 'Signed, without a policy', dkim: key }, direct.port)).toBe('taken');

  // SPF is asked about the server that the relay names, never about the relay.
  records['TXT example.org'] = 'v=spf1 ip4:127.0.0.1 ip4:192.0.2.7 -all';
  expect(await refusal({ ...mail, text: 'From the relay’s address' }, direct.port)).toMatch(/^550 We could not verify/);
  const received = (ip: string) => ({
    Received: `from mail.example.org (mail.example.org [${ip}]) by mx.handwise.test with ESMTPS id 1; Sun, 29 Nov 2026 21:17:00 +1300`,
  });
  expect(await refusal({ ...mail, text: 'By another server', headers: received('192.0.2.8') }, relayed.port)).toMatch(
    /^550 We could not verify/,
  );
  expect(await refusal({ ...mail, text: 'By the domain’s server', headers: received('192.0.2.7') }, relayed.port)).toBe('taken');
  expect(await refusal({ ...mail, text: 'By a server without a name' }, relayed.port)).toMatch(/^550 We could not verify/);

  // Whichever of the three has no answer: the mail is not refused for good.
  for (const [record, sent, port] of [
    ['TXT k._domainkey.example.org', { dkim: key }, direct.port],
    ['TXT example.org', { headers: received('192.0.2.7') }, relayed.port],
    ['TXT _dmarc.example.org', {}, direct.port],
  ] as const) {
    down = [record];
    expect([record, await refusal({ ...mail, text: 'Meanwhile', ...sent }, port)]).toEqual([record, '451 Please try again later']);
  }
  down = Object.keys(records);
  expect(await refusal({ ...mail, text: 'Signed', dkim: key }, direct.port)).toBe('451 Please try again later');
  expect(await texts()).toEqual(['By the domain’s server', 'Signed, without a policy', 'Signed', 'Friday?', 'My tap drips.']);
  await Promise.all([direct.close(), relayed.close()]);
});

test('a PDF alone becomes the PDF of the message', async () => {
  const one = await startConversation();
  const attachments = [{ filename: 'plan.pdf', content: Buffer.from('%PDF-1.7 …'), contentType: 'application/octet-stream' }];
  await send({ from: one.seller.email, to: one.sellerAddress, text: '', attachments });
  expect(await lastMessage(one)).toEqual({ text: '', pictures: 0, pdf: 'plan.pdf', said: [] });
});
