import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo } from '@handwise/sandbox/testing/photos';

const { app, db, given, callers, outbox } = await testApp();
const { as, asVisitor } = callers;

type User = Awaited<ReturnType<typeof given.user>>;
let made = 0;
const unknown = '00000000-0000-4000-8000-000000000000';

const member = (fullName?: string) => given.member(fullName === undefined ? {} : { fullName });
const administrator = (fullName = 'Aroha Ngata') => given.administrator({ fullName });
const admin = await administrator();

/** A published listing with its seller. */
async function sale() {
  const seller = await member('Tama Rua');
  made += 1;
  const { id } = await given.listing({ sellerId: seller._id, title: `Honest plumber ${made}` });
  return { seller, id, title: `Honest plumber ${made}` };
}
async function reviewOf(listingId: string) {
  const author = await member('Wiremu Pene');
  const { body } = await as(author).post('/review/create', { listingId, rating: 1, comment: 'They never came.' });
  return { author, id: body._id as string };
}
const report = (by: User, kind: string, id: string, more: object = {}) =>
  as(by).post('/reports', { kind, id, reason: 'misleading', text: 'Not their photos.', ...more });
const queue = async (status = 'open', more = '') => (await as(admin).get(`/admin/reports?status=${status}&limit=100${more}`)).body.reports;
const caseOf = async (id: string, status = 'open') => (await queue(status)).find((one: { about: { id: string } }) => one.about.id === id);
const mailsTo = async (user: User) =>
  (await outbox.mails()).filter((mail) => mail.to === user.email && !mail.subject.startsWith('Confirm'));

test('queues reports of a listing, review or person with the original text and all reporters', async () => {
  const { seller, id, title } = await sale();
  const { author, id: reviewId } = await reviewOf(id);
  const [first, second] = [await member('Hana Ward'), await member()];
  expect((await report(first, 'listing', id)).body.message).toBe('Thank you. We will look at it and tell you what we did.');
  expect((await report(second, 'listing', id, { reason: 'spam', text: '' })).status).toBe(201);
  expect((await report(second, 'review', reviewId)).status).toBe(201);
  expect((await report(second, 'user', seller._id)).status).toBe(201);
  await db.updateTable('listings').set({ service_title: 'Something else' }).where('id', '=', id).execute();
  expect(await caseOf(id)).toMatchObject({
    about: { kind: 'listing', id, title, listingId: id },
    words: expect.stringContaining('\n'),
    concerned: { _id: seller._id, name: 'Tama Rua', suspended: false },
    reports: [
      { reason: 'misleading', text: 'Not their photos.', by: { _id: first._id, name: 'Hana Ward' } },
      { reason: 'spam', text: '', by: { _id: second._id } },
    ],
    decision: null,
    earlier: 0,
    mayDecide: true,
  });
  expect(await caseOf(reviewId)).toMatchObject({
    about: { kind: 'review', title: expect.stringMatching(/^Review of “/), listingId: id },
    words: '1 of 5 stars\nThey never came.',
    concerned: { _id: author._id },
  });
  expect(await caseOf(seller._id)).toMatchObject({ about: { kind: 'user', title: `@${seller.username}`, listingId: null } });
});

test('lets the only administrator decide reports about themselves', async () => {
  const { id } = await given.listing({ sellerId: admin._id });
  await report(await member(), 'listing', id);
  expect(await caseOf(id)).toMatchObject({ concerned: { _id: admin._id }, mayDecide: true });
});

test('returns the number of earlier decisions about the person with a case', async () => {
  const { seller, id } = await sale();
  const other = await given.listing({ sellerId: seller._id });
  for (const one of [id, other.id]) {
    await as(admin).post('/admin/decisions', { kind: 'listing', id: one, decision: 'warn', reason: 'Mend your title.' });
  }
  await report(await member(), 'listing', id);
  expect(await caseOf(id)).toMatchObject({ concerned: { _id: seller._id }, earlier: 2 });
});

test('accepts a report of a message from its recipient only', async () => {
  const { seller, id } = await sale();
  const buyer = await member('Hana Ward');
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId: id, message: 'Send me your card number.' });
  const [message] = (await as(seller).get(`/messages/${body.conversationId}`)).body.messages;
  expect((await report(await member(), 'message', message._id)).body.code).toBe('nothing_to_report');
  expect((await report(buyer, 'message', message._id)).body.code).toBe('own_content');
  expect((await report(seller, 'message', message._id)).status).toBe(201);
  expect(await caseOf(message._id)).toMatchObject({
    about: { kind: 'message', title: expect.stringMatching(/^Message about “Honest plumber/), listingId: id },
    words: 'Send me your card number.',
    concerned: { _id: buyer._id },
  });
});

test('shows the photos and the PDF of a reported message to administrators only, and only once it is reported', async () => {
  const { seller, id } = await sale();
  const buyer = await member();
  const bytes = await photo(120);
  const content = Buffer.from('%PDF-1.7 your card number');
  const { body } = await as(buyer).postForm('/email/send', { sellerId: seller._id, listingId: id, message: 'Fill this in.' }, [
    { field: 'pictures', name: 'card.jpg', bytes },
    { field: 'pdf', name: 'formulaire.pdf', bytes: content },
  ]);
  const [message] = (await as(seller).get(`/messages/${body.conversationId}`)).body.messages;
  expect((await as(admin).get(message.pdf.url.replace('/api', ''))).status).toBe(404);
  await report(seller, 'message', message._id);
  const { pictures, pdf } = await caseOf(message._id);
  expect([pictures, pdf]).toMatchObject([[{ width: 120 }], { name: 'formulaire.pdf', bytes: content.length }]);
  const answer = await app.inject({ url: pdf.url, headers: { authorization: `Bearer ${admin.token}` } });
  expect([answer.statusCode, answer.rawPayload.equals(content)]).toEqual([200, true]);
  expect(answer.headers).toMatchObject({
    'content-disposition': `attachment; filename="file"; filename*=UTF-8''formulaire.pdf`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  expect((await as(seller).get(pdf.url.replace('/api', ''))).status).toBe(403);
  expect((await as(admin).get(`/admin/reports/${unknown}/pdf`)).body.code).toBe('report_not_found');
});

test('shows the photos of a review to administrators, in its report and in the search', async () => {
  const { id } = await sale();
  const author = await member();
  const bytes = await photo(120);
  const form = { listingId: id, rating: '1', comment: 'They never came.' };
  const { body } = await as(author).postForm('/review/create', form, [{ field: 'pictures', name: 'a.jpg', bytes }]);
  await report(await member(), 'review', body._id);
  const shown = await caseOf(body._id);
  expect(shown).toMatchObject({ pictures: [{ alt: 'Photo from a customer' }], pdf: null });
  expect((await as(admin).get(`/admin/reports/${shown._id}/pdf`)).body.code).toBe('file_not_found');
  const found = await as(admin).get(`/admin/reviews?q=${body._id}`);
  expect(found.body.reviews).toMatchObject([{ pictures: [{ alt: 'Photo from a customer' }] }]);
});

test('rejects reports by visitors, of one’s own content and of content the reporter cannot see', async () => {
  const { seller, id } = await sale();
  const { author, id: reviewId } = await reviewOf(id);
  const user = await member();
  const reported = async () => (await db.selectFrom('reports').select('id').execute()).length;
  const before = await reported();
  expect((await asVisitor.post('/reports', { kind: 'listing', id, reason: 'spam' })).status).toBe(401);
  for (const [who, kind, what] of [
    [seller, 'listing', id],
    [author, 'review', reviewId],
    [user, 'user', user._id],
  ] as const) {
    const { status, body } = await report(who, kind, what);
    expect([kind, status, body.code]).toEqual([kind, 403, 'own_content']);
  }
  const inactive = await given.listing({ status: 'inactive' });
  await db.updateTable('reviews').set({ removed_because: 'legal', removed_at: new Date() }).where('id', '=', reviewId).execute();
  const deleted = await member();
  await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', deleted._id).execute();
  for (const [kind, what] of [
    ['listing', inactive.id],
    ['listing', unknown],
    ['review', reviewId],
    ['review', unknown],
    ['user', unknown],
    ['user', deleted._id],
    ['message', unknown],
  ] as const) {
    const { status, body } = await report(user, kind, what);
    expect([kind, what, status, body.code]).toEqual([kind, what, 404, 'nothing_to_report']);
  }
  for (const wrong of [{ reason: 'dull' }, { kind: 'picture' }, { id: 'x' }, { text: 'x'.repeat(1001) }]) {
    expect((await report(user, 'listing', id, wrong)).status).toBe(400);
  }
  expect(await reported()).toBe(before);
  expect((await report(user, 'listing', id, { text: 'x'.repeat(1000) })).status).toBe(201);
});

test('keeps one open report per reporter and subject, and accepts another once it is answered', async () => {
  const { id } = await sale();
  const user = await member();
  const answers = await Promise.all(Array.from({ length: 5 }, () => report(user, 'listing', id)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('already_reported');
  await as(admin).post(`/admin/reports/${(await caseOf(id))._id}/decide`, { decision: 'dismiss', reason: 'It is fine.' });
  expect((await report(user, 'listing', id)).status).toBe(201);
});

test('limits a user to 30 reports a day', async () => {
  const { id } = await sale();
  const user = await member();
  const ids = await Promise.all(Array.from({ length: 30 }, () => report(user, 'listing', unknown)));
  expect(new Set(ids.map(({ status }) => status))).toEqual(new Set([404]));
  expect((await report(user, 'listing', id)).status).toBe(429);
  expect((await report(await member(), 'listing', id)).status).toBe(201);
});

test('lists open reports oldest first, by kind and page, and decided ones newest first', async () => {
  const everything = await queue();
  const times = everything.map((one: { createdAt: string }) => one.createdAt);
  expect(times).toEqual(times.toSorted());
  expect(everything.length).toBeGreaterThan(2);
  const kinds = new Set((await queue('open', '&kind=review')).map((one: { about: { kind: string } }) => one.about.kind));
  expect(kinds).toEqual(new Set(['review']));
  const { body } = await as(admin).get('/admin/reports?limit=1&page=2');
  expect(body).toMatchObject({ reports: [everything[1]], currentPage: 2, total: everything.length, totalPages: everything.length });
  const almost = (await as(admin).get(`/admin/reports?limit=${everything.length - 1}`)).body;
  expect([almost.reports.length, almost.totalPages]).toEqual([everything.length - 1, 2]);
  const [first, second] = [await sale(), await sale()];
  for (const { id } of [first, second]) {
    await report(await member(), 'listing', id);
    await as(admin).post(`/admin/reports/${(await caseOf(id))._id}/decide`, { decision: 'dismiss', reason: 'It is fine.' });
  }
  const decided = (await queue('decided')).map((one: { about: { id: string } }) => one.about.id);
  expect(decided.slice(0, 2)).toEqual([second.id, first.id]);
  expect((await as(admin).get('/admin/reports?status=lost')).status).toBe(400);
});

test('answers every open report of the subject and emails each reporter the outcome once', async () => {
  const { seller, id, title } = await sale();
  const [first, second, unconfirmed] = [await member(), await member(), await given.user()];
  // Who gets no email stands before those who do.
  for (const user of [unconfirmed, first, second]) await report(user, 'listing', id);
  const dismissed = await as(admin).post(`/admin/reports/${(await caseOf(id))._id}/decide`, {
    decision: 'dismiss',
    reason: 'The photos are theirs.',
  });
  expect([dismissed.status, await caseOf(id)]).toEqual([200, undefined]);
  expect(await caseOf(id, 'decided')).toMatchObject({
    decision: { decision: 'dismiss', by: { name: 'Aroha Ngata' } },
    reports: [{}, {}, {}],
  });
  for (const user of [first, second]) {
    const [mail, ...others] = await mailsTo(user);
    expect([mail?.subject, others]).toEqual([`Your report: ${title}`, []]);
    expect(JSON.stringify(mail)).toContain('The photos are theirs.');
  }
  expect(await mailsTo(unconfirmed)).toEqual([]);
  expect(await mailsTo(seller)).toEqual([]);
  expect((await as(seller).get('/decisions')).body.decisions).toEqual([]);

  await report(first, 'listing', id);
  await as(admin).post(`/admin/reports/${(await caseOf(id))._id}/decide`, { decision: 'warn', reason: 'Between us: mend your title.' });
  const acted = JSON.stringify((await mailsTo(first)).at(-1));
  expect(acted).toContain('we have acted on it');
  expect(acted).not.toContain('Between us');
});

test('accepts one of two concurrent decisions of a report', async () => {
  const { id, seller } = await sale();
  await report(await member(), 'listing', id);
  const { _id } = await caseOf(id);
  const other = await administrator();
  const decide = (who: User) => as(who).post(`/admin/reports/${_id}/decide`, { decision: 'warn', reason: 'Mend your title.' });
  const answers = await Promise.all([decide(admin), decide(other), decide(admin), decide(other)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  expect(await mailsTo(seller)).toHaveLength(1);
  expect((await as(admin).post(`/admin/reports/${unknown}/decide`, { decision: 'warn', reason: 'x' })).body.code).toBe('report_not_found');
});

test('requires a reason of at most 1,000 characters and a decision that fits the subject', async () => {
  const { id } = await sale();
  await report(await member(), 'listing', id);
  const { _id } = await caseOf(id);
  const decide = (body: object) => as(admin).post(`/admin/reports/${_id}/decide`, body);
  for (const body of [
    { decision: 'hide_listing' },
    { decision: 'hide_listing', reason: ' ' },
    { decision: 'hide_listing', reason: 'x'.repeat(1001) },
    { decision: 'remove_review', reason: 'x', removedBecause: 'offensive' },
    { decision: 'show_listing', reason: 'x' },
    { decision: 'hide_listing', reason: 'x', removedBecause: 'offensive' },
    { decision: 'delete', reason: 'x' },
  ]) {
    expect([body, (await decide(body)).status]).toEqual([body, 400]);
  }
  expect((await decide({ decision: 'hide_listing', reason: 'x'.repeat(1000) })).status).toBe(200);
});

test('rejects visitors and other users from the queue and from deciding', async () => {
  const { id } = await sale();
  const user = await member();
  await report(user, 'listing', id);
  const { _id } = await caseOf(id);
  const calls = [
    ['get', '/admin/overview'],
    ['get', '/admin/reports'],
    ['get', '/admin/decisions'],
    ['get', '/admin/appeals'],
    ['post', `/admin/reports/${_id}/decide`],
    ['post', '/admin/decisions'],
    ['post', `/admin/decisions/${_id}/undo`],
    ['post', `/admin/appeals/${_id}/decide`],
  ] as const;
  for (const [method, path] of calls) {
    const body = { decision: 'dismiss', reason: 'x', kind: 'listing', id, uphold: true };
    const send = (caller: typeof asVisitor) => (method === 'get' ? caller.get(path) : caller.post(path, body));
    expect([path, (await send(asVisitor)).status, (await send(as(user))).status]).toEqual([path, 401, 403]);
  }
  expect(await caseOf(id)).toBeDefined();
});

test('counts waiting items in the overview', async () => {
  const count = async () => (await as(admin).get('/admin/overview')).body;
  const before = await count();
  const { id, seller } = await sale();
  for (const user of [await member(), await member()]) await report(user, 'listing', id);
  const [oldest] = await queue();
  expect(await count()).toMatchObject({ openReports: before.openReports + 1, oldestReportAt: oldest.createdAt });
  await as(admin).post('/admin/decisions', { kind: 'listing', id, decision: 'hide_listing', reason: 'Not theirs.' });
  const [decision] = (await as(seller).get('/decisions')).body.decisions;
  await as(seller).post(`/decisions/${decision._id}/appeal`, { text: 'They are mine.' });
  expect(await count()).toMatchObject({
    openReports: before.openReports,
    openAppeals: before.openAppeals + 1,
    hiddenListings: before.hiddenListings + 1,
    suspendedAccounts: before.suspendedAccounts,
  });
  await as(admin).post('/admin/decisions', { kind: 'user', id: seller._id, decision: 'suspend_account', reason: 'A scam.' });
  expect(await count()).toMatchObject({
    suspendedAccounts: before.suspendedAccounts + 1,
    head: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
});
