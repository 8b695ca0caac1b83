import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo } from '@handwise/sandbox/testing/photos';
import { times } from '@handwise/sandbox/testing/times';
import { unzipped } from '@handwise/sandbox/testing/zip';
import { emailUnseenMessages } from './messages.notify.ts';

const { app, db, given, callers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;

type User = Awaited<ReturnType<typeof given.user>>;

const megabyte = 1024 * 1024;
const pdfBytes = (length = 300) => Buffer.concat([Buffer.from('%PDF-1.7\n%âãÏÓ\n'), Buffer.alloc(length - 19, 'x')]);
const pdf = (name = 'plan.pdf', bytes: Uint8Array = pdfBytes()) => ({ field: 'pdf', name, bytes });
const small = await photo(120);
const pictures = (count: number) => Array.from({ length: count }, (_, at) => ({ field: 'pictures', name: `${at}.jpg`, bytes: small }));

async function people() {
  const [seller, buyer] = [await given.user({ fullName: 'Mere Kingi' }), await given.user({ fullName: 'Tama Rua' })];
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).execute();
  await db.deleteFrom('attempts').execute();
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  return { seller, buyer, listingId };
}
type People = Awaited<ReturnType<typeof people>>;
type Files = Parameters<ReturnType<typeof as>['postForm']>[2];

const contact = ({ seller, buyer, listingId }: People, files: Files, clientId: string = randomUUID()) =>
  as(buyer).postForm('/email/send', { sellerId: seller._id, listingId, message: 'Can you fix this?', clientId }, files);

async function conversation() {
  const all = await people();
  const { body } = await as(all.buyer).post('/email/send', {
    sellerId: all.seller._id,
    listingId: all.listingId,
    message: 'My tap drips.',
  });
  return { ...all, id: body.conversationId as string };
}
const send = (user: User, id: string, files: Files, message = '') =>
  as(user).postForm(`/messages/${id}`, { message, clientId: randomUUID() }, files);
const newest = async (user: User, id: string) => (await as(user).get(`/messages/${id}`)).body.messages[0];
/** States of the stored files by how many have each. */
const states = async () => {
  const rows = await db.selectFrom('files').select('state').execute();
  return Object.fromEntries(
    ['unattached', 'attached', 'deleting'].map((state) => [state, rows.filter((row) => row.state === state).length]),
  );
};
const withoutFiles = async <T>(work: () => Promise<T>) => {
  const before = await states();
  const done = await work();
  expect(await states()).toEqual(before);
  return done;
};

test('a first message brings five photos and a PDF to both sides', async () => {
  const all = await people();
  const { status, body } = await contact(all, [...pictures(5), pdf()]);
  expect(status).toBe(200);
  for (const side of [all.seller, all.buyer]) {
    expect(await newest(side, body.conversationId)).toMatchObject({
      text: 'Can you fix this?',
      pictures: Array.from({ length: 5 }, () => ({ src: expect.stringMatching(/^\/files\/pictures\//) })),
      pdf: { name: 'plan.pdf', bytes: 300, url: `/api/messages/${body.conversationId}/pdf/1` },
    });
  }
});

test('a first message takes no sixth photo, and nothing of it is sent or stored', async () => {
  const all = await people();
  const answer = await withoutFiles(() => contact(all, pictures(6)));
  expect([answer.status, answer.body.code]).toEqual([400, 'too_many_files']);
  expect((await as(all.buyer).get('/messages')).body.totalConversations).toBe(0);
});

test('a first message sent again under its id is sent once, with its files once', async () => {
  const all = await people();
  const clientId = randomUUID();
  const before = (await states())['attached'] ?? 0;
  const answers = await times(3, () => contact(all, [...pictures(2), pdf()], clientId));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await contact(all, [...pictures(2), pdf()], clientId)).status).toBe(200);
  expect((await as(all.seller).get(`/messages/${answers[0]?.body.conversationId}`)).body.messages).toHaveLength(1);
  expect(await states()).toEqual({ unattached: 0, attached: before + 3, deleting: 0 });
});

test('discards the files of a first message to someone who has blocked its writer', async () => {
  const all = await conversation();
  await as(all.seller).post(`/messages/${all.id}/block`);
  const answer = await withoutFiles(() => contact(all, [...pictures(1), pdf()]));
  expect(answer.body.code).toBe('blocked');
});

test.each([
  ['a web page', '<!doctype html><script>alert(1)</script>'],
  ['a web page with a PDF in it', '<script>alert(1)</script>%PDF-1.7'],
  ['a drawing', '<svg onload="alert(1)">'],
  ['a picture', small],
  ['nothing', ''],
])('rejects %s that calls itself a PDF, by name', async (_, content) => {
  const { buyer, id } = await conversation();
  const { status, body } = await withoutFiles(() =>
    send(buyer, id, [...pictures(1), pdf('rechnung.pdf', Buffer.from(content))], 'See this'),
  );
  expect([status, body.code, body.errors]).toEqual([
    400,
    'unsupported_pdf',
    [{ field: 'pdf', message: '“rechnung.pdf” is not a PDF. Save it as a PDF and try that.' }],
  ]);
  expect((await newest(buyer, id)).text).toBe('My tap drips.');
});

test('accepts a PDF of 10 MB alone, and none that is larger', async () => {
  const { seller, buyer, id } = await conversation();
  const sent = await send(buyer, id, [pdf('whole.pdf', pdfBytes(10 * megabyte))]);
  expect([sent.status, sent.body.pdf]).toMatchObject([200, { name: 'whole.pdf', bytes: 10 * megabyte }]);
  const { body } = await withoutFiles(() => send(buyer, id, [pdf('big.pdf', pdfBytes(10 * megabyte + 1))]));
  expect([body.code, body.errors]).toEqual(['file_too_large', [{ field: 'pdf', message: '“big.pdf” is larger than 10 MB.' }]]);
  expect((await as(seller).get('/messages')).body.conversations[0].lastMessage).toMatchObject({ text: '', pictures: 0, hasPdf: true });
});

test('accepts a photo of 15 MB, and none that is larger', async () => {
  const { buyer, id } = await conversation();
  const padded = (length: number) => ({
    field: 'pictures',
    name: 'large.jpg',
    bytes: Buffer.concat([small, Buffer.alloc(length - small.length)]),
  });
  expect((await send(buyer, id, [padded(15 * megabyte)])).body.pictures).toHaveLength(1);
  const { body } = await send(buyer, id, [padded(15 * megabyte + 1)]);
  expect([body.code, body.errors]).toEqual(['file_too_large', [{ field: 'pictures[0]', message: '“large.jpg” is larger than 15 MB.' }]]);
});

test('a message takes one PDF', async () => {
  const { buyer, id } = await conversation();
  const { body } = await withoutFiles(() => send(buyer, id, [pdf('one.pdf'), pdf('two.pdf')]));
  expect(body.code).toBe('too_many_files');
});

test('a PDF is a download for both sides that no browser runs, caches or lists', async () => {
  const { seller, buyer, id } = await conversation();
  const { body } = await send(buyer, id, [pdf()]);
  for (const { token } of [seller, buyer]) {
    const answer = await app.inject({ url: body.pdf.url, headers: { authorization: `Bearer ${token}` } });
    expect(answer.rawPayload.equals(pdfBytes())).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '300',
      'content-disposition': `attachment; filename="file"; filename*=UTF-8''plan.pdf`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-store',
    });
  }
});

test('nobody else gets a PDF, also not by the address of its file', async () => {
  const { buyer, id } = await conversation();
  const { body } = await send(buyer, id, [pdf()]);
  const path = (body.pdf.url as string).replace('/api', '');
  expect((await asVisitor.get(path)).status).toBe(401);
  expect(await as(await given.user()).get(path)).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } });
  const stored = await db.selectFrom('messages').select('pdf').where('conversation_id', '=', id).where('number', '=', 2).executeTakeFirst();
  const key = stored?.pdf?.key ?? '';
  expect(key).toMatch(/^private\/pdfs\/[\da-f]{2}\/[\da-f]{24}\.pdf$/);
  for (const address of [
    `/files/${key}`,
    `/files/${key.toUpperCase()}`,
    `/files//${key}`,
    `/files/./${key}`,
    `/files/${key.replace('/', '%2f')}`,
  ])
    expect((await app.inject({ url: address })).statusCode).toBeOneOf([403, 404]);
});

test('a message without a PDF has none to download', async () => {
  const { buyer, id } = await conversation();
  for (const number of ['1', '2', '999999999'])
    expect(await as(buyer).get(`/messages/${id}/pdf/${number}`)).toMatchObject({ status: 404, body: { code: 'file_not_found' } });
  for (const number of ['x', '-1', '1e3', '9999999999']) expect((await as(buyer).get(`/messages/${id}/pdf/${number}`)).status).toBe(400);
});

test.each([
  ['レポート ẞüß.pdf', 'レポート ẞüß.pdf'],
  ['عرض السعر.pdf', 'عرض السعر.pdf'],
  ['a\u202efdp.exe.pdf', 'afdp.exe.pdf'],
  ['../../etc/passwd.pdf', 'passwd.pdf'],
  ["it's (100%) *new*.pdf", "it's (100%) *new*.pdf"],
  [`${'x'.repeat(500)}.pdf`, `${'x'.repeat(76)}.pdf`],
  [`${'x'.repeat(75)}😀😀.pdf`, `${'x'.repeat(75)}.pdf`],
])('shows the file name %j as %j, also in the download', async (name, shown) => {
  const { buyer, seller, id } = await conversation();
  const { body } = await send(buyer, id, [pdf(name)]);
  expect((await newest(seller, id)).pdf.name).toBe(shown);
  const { headers } = await app.inject({ url: body.pdf.url, headers: { authorization: `Bearer ${seller.token}` } });
  const [, encoded = ''] =
    /^attachment; filename="file"; filename\*=UTF-8''([\w.~%!-]+)$/.exec(String(headers['content-disposition'])) ?? [];
  expect(decodeURIComponent(encoded)).toBe(shown);
});

test('the other side’s open page gets a PDF at once', async () => {
  const { buyer, seller, id } = await conversation();
  await send(buyer, id, [pdf()]);
  const events = await db
    .selectFrom('user_events')
    .select(['kind', 'data'])
    .where('user_id', '=', seller._id)
    .orderBy('seq', 'desc')
    .execute();
  expect(events.find(({ kind }) => kind === 'message')?.data).toMatchObject({ message: { pdf: { name: 'plan.pdf', bytes: 300 } } });
});

test('emails name the photos and the PDF that came with a message', async () => {
  const all = await people();
  const { body } = await contact(all, [...pictures(2), pdf('plan der Küche.pdf')]);
  await as(all.seller).post(`/messages/${body.conversationId}/seen`, { number: 1 });
  await send(all.seller, body.conversationId, [pdf('quote.pdf')]);
  parts.clock.set(new Date(Date.now() + 10 * 60_000));
  await emailUnseenMessages(parts.context);
  parts.clock.set(new Date());
  const quotes = (await outbox.mails())
    .filter(({ to }) => to === all.seller.email || to === all.buyer.email)
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'quote' ? [block.text] : [])));
  expect(quotes).toEqual(['Can you fix this?\n[2 pictures]\n[a PDF: plan der Küche.pdf]', '[a PDF: quote.pdf]']);
});

test('the export of either side has the PDF and its name', async () => {
  const { buyer, seller, id } = await conversation();
  await send(buyer, id, [pdf()]);
  for (const { token } of [buyer, seller]) {
    const answer = await app.inject({ url: '/api/auth/export', headers: { authorization: `Bearer ${token}` } });
    const files = unzipped(answer.rawPayload);
    const [talk] = JSON.parse(files.get('conversations.json')?.toString() ?? '[]');
    expect(talk.messages[1].pdf).toEqual({ name: 'plan.pdf', file: expect.stringMatching(/^files\/messages\/[\da-f]{24}\.pdf$/) });
    expect(files.get(talk.messages[1].pdf.file)?.equals(pdfBytes())).toBe(true);
  }
});

test('a request for quotes takes five photos', async () => {
  const { buyer, listingId } = await people();
  const job = { job: 'A tap drips.', category: 'Plumbing', place: 'Taupō', when: 'asap', listingId };
  const ask = (count: number) => as(buyer).postForm('/quote-requests', { ...job, clientId: randomUUID() }, pictures(count));
  expect((await ask(6)).body.code).toBe('too_many_files');
  expect((await ask(5)).status).toBe(200);
});
