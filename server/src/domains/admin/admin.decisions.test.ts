import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { getOwnModerationData } from './admin.service.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock } = parts;

type User = Awaited<ReturnType<typeof given.user>>;
const unknown = '00000000-0000-4000-8000-000000000000';

const member = (fullName?: string) => given.member(fullName === undefined ? {} : { fullName });
const administrator = (fullName = 'Aroha Ngata') => given.administrator({ fullName });
const admin = await administrator();
const other = await administrator('Rawiri Tau');

async function sale(status: 'active' | 'inactive' | 'expired' = 'active') {
  const seller = await member('Tama Rua');
  const { id, listing_number: number } = await given.listing({ sellerId: seller._id, status });
  return { seller, id, number };
}
const decide = (kind: string, id: string, decision: string, more: object = {}) =>
  as(admin).post('/admin/decisions', { kind, id, decision, reason: 'It breaks our rules.', ...more });
const undo = (id: string, by: User = admin) => as(by).post(`/admin/decisions/${id}/undo`, { reason: 'We were wrong.' });
const mailsTo = async (user: User) =>
  (await outbox.mails()).filter((mail) => mail.to === user.email && !mail.subject.startsWith('Confirm'));
const linkOf = (mail: { blocks: readonly object[] } | undefined) =>
  (mail?.blocks ?? []).flatMap((block) => ('url' in block && typeof block.url === 'string' ? [block.url] : []))[0];
const statusOf = async (id: string) =>
  (await db.selectFrom('listings').select(['status', 'hidden_from']).where('id', '=', id).executeTakeFirstOrThrow()).status;
const own = async (user: User) => (await as(user).get('/decisions')).body.decisions;
const login = (user: User) => asVisitor.post('/auth/login', { email: user.email, password: 'correct-horse' });
const isFound = async (number: number) => (await asVisitor.get(`/listing/all?listingNumber=${number}`)).body.totalListings === 1;

test('hides a listing from everyone except its owner, who gets the reason by email and in the account', async () => {
  const { seller, id, number } = await sale();
  expect(await isFound(number)).toBe(true);
  expect((await decide('listing', id, 'hide_listing')).status).toBe(201);
  expect(await isFound(number)).toBe(false);
  expect((await asVisitor.get(`/listing/${id}`)).body.code).toBe('listing_gone');
  expect((await as(seller).get(`/listing/${id}`)).body).toMatchObject({ status: 'hidden' });
  expect((await as(seller).get('/listing/mylistings?status=hidden')).body.totalListings).toBe(1);
  const [mail, ...more] = await mailsTo(seller);
  expect([mail?.subject, more]).toEqual(['We have hidden your listing: Friendly local plumber', []]);
  expect(JSON.stringify(mail)).toContain('It breaks our rules.');
  expect(await own(seller)).toMatchObject([
    { decision: 'hide_listing', reason: 'It breaks our rules.', about: { title: 'Friendly local plumber' }, undone: null, mayAppeal: true },
  ]);
  expect(JSON.stringify(await own(seller))).not.toContain('Aroha');
  expect((await decide('listing', id, 'hide_listing')).body.code).toBe('already_decided');
});

test('lets the owner edit a hidden listing, but not deactivate, reactivate or buy it back', async () => {
  const { seller, id } = await sale();
  await decide('listing', id, 'hide_listing');
  const rejected = async (answer: Promise<{ status: number; body: { code: string } }>) => {
    const { status, body } = await answer;
    return [status, body.code];
  };
  const put = (path: string, body: object = {}) => rejected(as(seller).put(`/listing/${id}/${path}`, body));
  expect(await put('deactivate')).toEqual([409, 'listing_not_active']);
  expect(await put('reactivate')).toEqual([409, 'listing_hidden']);
  const quote = `/plan-user/quote?listingId=${id}&planId=${given.planId('basic')}`;
  expect(await rejected(as(seller).get(quote))).toEqual([409, 'listing_hidden']);
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic', { serviceTitle: 'Mended words' });
  expect((await as(seller).putForm(`/listing/${id}`, form)).status).toBe(200);
  expect((await as(seller).get(`/listing/${id}`)).body).toMatchObject({ status: 'hidden', serviceTitle: 'Mended words' });
  expect(await statusOf(id)).toBe('hidden');
});

test.each(['active', 'inactive', 'expired'] as const)('restores the state %s of a listing when its hiding is undone', async (status) => {
  const { seller, id } = await sale(status);
  const { body } = await decide('listing', id, 'hide_listing');
  expect(await statusOf(id)).toBe('hidden');
  expect((await undo(body._id, other)).status).toBe(200);
  expect(await statusOf(id)).toBe(status);
  expect((await mailsTo(seller)).map((mail) => mail.subject)).toContain(
    'Your listing is no longer hidden by this decision: Friendly local plumber',
  );
  expect(await own(seller)).toMatchObject([
    { decision: 'show_listing', reason: 'We were wrong.', mayAppeal: false },
    { decision: 'hide_listing', undone: { reason: 'We were wrong.' }, mayAppeal: false },
  ]);
  expect((await undo(body._id)).body.code).toBe('already_decided');
});

test('restores a hidden listing as expired when its plan has ended, and as active when it was renewed', async () => {
  const ended = await sale();
  const renewed = await sale('expired');
  const decisions = [await decide('listing', ended.id, 'hide_listing'), await decide('listing', renewed.id, 'hide_listing')];
  const setEnd = (id: string, days: number) =>
    db
      .updateTable('listings')
      .set({ subscription_ends_at: new Date(Date.now() + days * 86_400_000) })
      .where('id', '=', id)
      .execute();
  await setEnd(ended.id, -1);
  await setEnd(renewed.id, 10);
  for (const { body } of decisions) await undo(body._id);
  expect([await statusOf(ended.id), await statusOf(renewed.id)]).toEqual(['expired', 'active']);
});

test('records an undoing that cannot be undone, and allows the same decision again', async () => {
  const { seller, id } = await sale();
  const { body } = await decide('listing', id, 'hide_listing');
  const undone = await undo(body._id);
  expect((await undo(undone.body._id)).body.code).toBe('already_decided');
  expect((await undo(unknown)).body.code).toBe('decision_not_found');
  expect((await as(admin).post(`/admin/decisions/${body._id}/undo`, { reason: '' })).status).toBe(400);
  expect((await decide('listing', id, 'hide_listing')).status).toBe(201);
  const { decisions } = (await as(admin).get(`/admin/decisions?concerned=${seller._id}`)).body;
  expect(decisions.map((one: { decision: string; undone: boolean }) => [one.decision, one.undone])).toEqual([
    ['hide_listing', false],
    ['show_listing', false],
    ['hide_listing', true],
  ]);
  await expect(db.updateTable('decisions').set({ reason: 'x' }).where('id', '=', body._id).execute()).rejects.toThrow('only added to');
});

test('replaces a removed review by a note with the reason, and does not count it until it is restored', async () => {
  const { id } = await sale();
  const author = await member('Wiremu Pene');
  const review = (await as(author).post('/review/create', { listingId: id, rating: 1, comment: 'They never came.' })).body._id;
  const shown = async () => {
    const { reviews, removedReviews, ratingCounts } = (await asVisitor.get(`/listing/${id}`)).body;
    return [reviews.length, removedReviews.map((stub: { because: string }) => stub.because), ratingCounts[0]];
  };
  expect((await decide('review', review, 'remove_review')).status).toBe(400);
  expect((await decide('review', review, 'remove_review', { removedBecause: 'withdrawn' })).status).toBe(400);
  const { body } = await decide('review', review, 'remove_review', { removedBecause: 'offensive' });
  expect(await shown()).toEqual([0, ['offensive'], 0]);
  expect((await decide('review', review, 'remove_review', { removedBecause: 'legal' })).body.code).toBe('already_decided');
  expect((await as(author).put(`/review/${review}`, { rating: 5, comment: 'x' })).body.code).toBe('review_removed');
  expect((await mailsTo(author)).map((mail) => mail.subject)).toEqual(['We have removed your review: Review of “Friendly local plumber”']);
  await undo(body._id);
  expect(await shown()).toEqual([1, [], 1]);
});

test('does not remove a review that its author withdrew, and keeps it withdrawn', async () => {
  const { id } = await sale();
  const author = await member();
  const review = (await as(author).post('/review/create', { listingId: id, rating: 2, comment: 'Late.' })).body._id;
  await as(author).delete(`/review/${review}`);
  expect((await decide('review', review, 'remove_review', { removedBecause: 'legal' })).body.code).toBe('already_decided');
  expect(await db.selectFrom('reviews').select('removed_because').where('id', '=', review).execute()).toEqual([
    { removed_because: 'withdrawn' },
  ]);
});

test('ends all sessions and hides the listings of a suspended account until the suspension is undone', async () => {
  const { seller, id, number } = await sale();
  const switchedOff = await given.listing({ sellerId: seller._id, status: 'inactive' });
  const { body } = await decide('user', seller._id, 'suspend_account');
  expect((await as(seller).get('/auth/session')).status).toBe(401);
  expect((await login(seller)).status).toBe(401);
  expect([await isFound(number), await statusOf(id), await statusOf(switchedOff.id)]).toEqual([false, 'hidden', 'hidden']);
  expect((await decide('user', seller._id, 'suspend_account')).body.code).toBe('already_decided');
  await undo(body._id);
  expect([await isFound(number), await statusOf(id), await statusOf(switchedOff.id)]).toEqual([true, 'active', 'inactive']);
  expect((await login(seller)).status).toBe(200);
  // The old token stays invalid.
  expect((await as(seller).get('/auth/session')).status).toBe(401);
});

test('keeps a listing hidden while either its own decision or a suspension is in force', async () => {
  const { seller, id } = await sale();
  const hiding = await decide('listing', id, 'hide_listing');
  const suspension = await decide('user', seller._id, 'suspend_account');
  await undo(suspension.body._id);
  expect(await statusOf(id)).toBe('hidden');
  const again = await decide('user', seller._id, 'suspend_account');
  await undo(hiding.body._id);
  expect(await statusOf(id)).toBe('hidden');
  await undo(again.body._id);
  expect(await statusOf(id)).toBe('active');
});

test('restores an account that was suspended by hand, without a decision', async () => {
  const user = await member();
  expect((await decide('user', user._id, 'restore_account')).body.code).toBe('already_decided');
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user._id).execute();
  expect((await login(user)).status).toBe(401);
  expect((await decide('user', user._id, 'restore_account')).status).toBe(201);
  expect((await login(user)).status).toBe(200);
  const suspended = await decide('user', user._id, 'suspend_account');
  await decide('user', user._id, 'restore_account');
  const [undone] = (await as(admin).get(`/admin/decisions?concerned=${user._id}`)).body.decisions.slice(-2);
  expect(undone).toMatchObject({ _id: suspended.body._id, undone: true });
});

test('records a warning without effect, and rejects a decision about a missing subject', async () => {
  const { seller, id } = await sale();
  await decide('listing', id, 'warn');
  expect([await statusOf(id), (await own(seller))[0]?.decision]).toEqual(['active', 'warn']);
  expect((await decide('listing', unknown, 'warn')).body.code).toBe('nothing_to_decide');
  expect((await decide('listing', id, 'dismiss')).status).toBe(400);
});

test('rejects decisions about oneself while another administrator exists, and always self-suspension', async () => {
  const { id } = await given.listing({ sellerId: admin._id });
  expect((await decide('listing', id, 'warn')).body.code).toBe('own_matter');
  await as(await member()).post('/reports', { kind: 'listing', id, reason: 'spam' });
  const mine = (await as(admin).get('/admin/reports')).body.reports.find((one: { about: { id: string } }) => one.about.id === id);
  expect(mine.mayDecide).toBe(false);
  const ofOther = await sale();
  await as(await member()).post('/reports', { kind: 'listing', id: ofOther.id, reason: 'spam' });
  const [theirs] = (await as(admin).get('/admin/reports?limit=100')).body.reports.slice(-1);
  expect([theirs.about.id, theirs.mayDecide]).toEqual([ofOther.id, true]);
  expect((await as(admin).post(`/admin/reports/${mine._id}/decide`, { decision: 'dismiss', reason: 'x' })).body.code).toBe('own_matter');
  const setRole = (role: 'user' | 'admin') => db.updateTable('users').set({ role }).where('id', '=', other._id).execute();
  await setRole('user');
  try {
    expect((await decide('user', admin._id, 'suspend_account')).body.code).toBe('own_matter');
    expect((await as(admin).post(`/admin/reports/${mine._id}/decide`, { decision: 'dismiss', reason: 'x' })).status).toBe(200);
  } finally {
    await setRole('admin');
  }
});

test('reopens the reports of an undone dismissal, except of users who have reported again', async () => {
  const { id } = await sale();
  const [first, second] = [await member(), await member()];
  const report = (user: User) => as(user).post('/reports', { kind: 'listing', id, reason: 'spam' });
  const waiting = async () =>
    (await as(admin).get('/admin/reports?limit=100')).body.reports.find((one: { about: { id: string } }) => one.about.id === id);
  await report(first);
  await report(second);
  const { body } = await as(admin).post(`/admin/reports/${(await waiting())._id}/decide`, { decision: 'dismiss', reason: 'Fine.' });
  await report(first);
  expect((await waiting()).reports).toHaveLength(1);
  expect((await undo(body._id)).status).toBe(200);
  expect((await waiting()).reports).toHaveLength(2);
});

test('accepts one appeal by the person concerned, which another administrator upholds', async () => {
  const { seller, id } = await sale();
  const { body } = await decide('listing', id, 'hide_listing');
  const object = (user: User, text = 'The photos are mine.') => as(user).post(`/decisions/${body._id}/appeal`, { text });
  expect((await asVisitor.post(`/decisions/${body._id}/appeal`, { text: 'x' })).status).toBe(401);
  expect((await object(await member())).body.code).toBe('decision_not_found');
  expect((await object(seller, '')).status).toBe(400);
  expect((await object(seller, 'x'.repeat(2001))).status).toBe(400);
  const answers = await Promise.all([object(seller), object(seller), object(seller)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect(await own(seller)).toMatchObject([{ mayAppeal: false, appeal: { text: 'The photos are mine.', upheld: null } }]);

  const openTo = async (user: User) =>
    (await as(user).get('/admin/appeals?status=open')).body.appeals.find(
      (one: { decision: { _id: string } }) => one.decision._id === body._id,
    );
  const { _id, mayDecide } = await openTo(admin);
  expect([mayDecide, (await openTo(other)).mayDecide]).toEqual([false, true]);
  const answer = (user: User, uphold: boolean, reason = 'We have seen the originals.') =>
    as(user).post(`/admin/appeals/${_id}/decide`, { uphold, reason });
  expect((await answer(admin, false)).body.code).toBe('needs_another_administrator');
  expect((await answer(other, true, '')).status).toBe(400);
  expect((await as(other).post(`/admin/appeals/${unknown}/decide`, { uphold: true, reason: 'x' })).body.code).toBe('appeal_not_found');
  expect((await answer(other, true)).status).toBe(200);
  expect(await statusOf(id)).toBe('active');
  expect((await answer(other, false)).body.code).toBe('already_decided');
  expect((await own(seller)).at(-1)).toMatchObject({
    undone: { reason: 'We have seen the originals.' },
    appeal: { upheld: true, answer: 'We have seen the originals.' },
  });
  expect((await mailsTo(seller)).at(-1)).toMatchObject({ subject: 'Your objection: Friendly local plumber', preview: 'You were right.' });
  const answered = (await as(admin).get('/admin/appeals?status=answered')).body.appeals;
  expect(answered[0]).toMatchObject({ _id, upheld: true });
});

test('keeps the decision when an appeal is rejected, and emails the reason', async () => {
  const { seller, id } = await sale();
  const { body } = await decide('listing', id, 'hide_listing');
  await as(seller).post(`/decisions/${body._id}/appeal`, { text: 'Why?' });
  const [{ _id }] = (await as(other).get('/admin/appeals')).body.appeals;
  await as(other).post(`/admin/appeals/${_id}/decide`, { uphold: false, reason: 'The licence is not yours.' });
  expect([await statusOf(id), (await own(seller))[0]]).toMatchObject([
    'hidden',
    { undone: null, appeal: { upheld: false, answer: 'The licence is not yours.' } },
  ]);
  expect((await mailsTo(seller)).at(-1)).toMatchObject({ preview: 'The decision stays.' });
  // The log names who objected and who answered.
  const logged = await db.selectFrom('audit_log').select(['what', 'actor_id']).where('subject_id', '=', _id).orderBy('number').execute();
  expect(logged).toEqual([
    { what: 'appeals.insert', actor_id: seller._id },
    { what: 'appeals.update', actor_id: other._id },
  ]);
});

test('lets the only administrator answer an appeal against their own decision', async () => {
  const { seller, id } = await sale();
  const { body } = await decide('listing', id, 'hide_listing');
  await as(seller).post(`/decisions/${body._id}/appeal`, { text: 'Why?' });
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', other._id).execute();
  try {
    const [{ _id, mayDecide }] = (await as(admin).get('/admin/appeals')).body.appeals;
    expect(mayDecide).toBe(true);
    expect((await as(admin).post(`/admin/appeals/${_id}/decide`, { uphold: true, reason: 'Right.' })).status).toBe(200);
  } finally {
    await db.updateTable('users').set({ suspended_at: null }).where('id', '=', other._id).execute();
  }
});

test('answers an open appeal when the decision is undone', async () => {
  const { seller, id } = await sale();
  const { body } = await decide('listing', id, 'hide_listing');
  await as(seller).post(`/decisions/${body._id}/appeal`, { text: 'Why?' });
  await undo(body._id);
  expect((await own(seller)).at(-1)).toMatchObject({ appeal: { upheld: true, answer: 'We were wrong.' } });
});

test('lets a suspended user read the decision and appeal through the emailed link', async () => {
  const { seller } = await sale();
  await decide('user', seller._id, 'suspend_account');
  const link = new URL(linkOf((await mailsTo(seller))[0]) ?? '');
  expect(link.pathname).toBe('/decision');
  const token = link.searchParams.get('token') ?? '';
  const read = await asVisitor.post('/decisions/linked', { token });
  expect(read.body).toMatchObject({ decision: 'suspend_account', reason: 'It breaks our rules.', mayAppeal: true });
  expect((await asVisitor.post('/decisions/linked/appeal', { token, text: 'It was my cousin.' })).status).toBe(200);
  expect((await asVisitor.post('/decisions/linked', { token })).body).toMatchObject({
    mayAppeal: false,
    appeal: { text: 'It was my cousin.' },
  });
  expect((await asVisitor.post('/decisions/linked/appeal', { token, text: 'Again.' })).body.code).toBe('already_appealed');
  for (const wrong of [token.slice(1), 'x', '']) {
    expect([404, 400]).toContain((await asVisitor.post('/decisions/linked', { token: wrong })).status);
  }
});

test('limits a network to 60 attempts at decision links an hour', async () => {
  // One after another: of many at once, a busy server refuses some before it counts them.
  const guess = async () => (await callers.from('198.51.100.7').post('/decisions/linked', { token: 'no-such-link' })).status;
  for (let count = 0; count < 60; count += 1) expect(await guess()).toBe(404);
  expect(await guess()).toBe(429);
});

test('accepts appeals against decisions and warnings for six months', async () => {
  const { seller, id } = await sale();
  await decide('listing', id, 'warn');
  const token = new URL(linkOf((await mailsTo(seller))[0]) ?? '').searchParams.get('token') ?? '';
  const after = async (days: number) => {
    clock.set(new Date(Date.now() + days * 86_400_000));
    const { body } = await asVisitor.post('/decisions/linked', { token });
    return body.mayAppeal;
  };
  try {
    expect([await after(180), await after(185)]).toEqual([true, false]);
    expect((await asVisitor.post('/decisions/linked/appeal', { token, text: 'Late.' })).body.code).toBe('appeal_too_late');
  } finally {
    clock.set(new Date());
  }
  expect((await asVisitor.post('/decisions/linked/appeal', { token, text: 'In time.' })).status).toBe(200);
});

test('logs the administrator of each decision and its effects', async () => {
  const { seller, id } = await sale();
  await decide('listing', id, 'hide_listing');
  const suspended = await decide('user', seller._id, 'suspend_account');
  const entries = async (subject: string) =>
    (await as(admin).get(`/admin/audit?subject=${subject}`)).body.entries.map((one: { what: string; actor: { name: string } | null }) => [
      one.what,
      one.actor?.name,
    ]);
  expect(await entries(id)).toEqual([['listings.update', 'Aroha Ngata']]);
  expect((await entries(seller._id))[0]).toEqual(['users.update', 'Aroha Ngata']);
  const made = (await as(admin).get('/admin/audit?table=decisions&limit=1')).body.entries[0];
  expect(made).toMatchObject({
    what: 'decisions.insert',
    actor: { name: 'Aroha Ngata' },
    after: { kind: 'suspend_account', reason: 'It breaks our rules.' },
  });
  await undo(suspended.body._id, other);
  expect((await entries(seller._id))[0]).toEqual(['users.update', 'Rawiri Tau']);
  // There is no decision to undo about an account that was suspended by hand.
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', seller._id).execute();
  const restored = await decide('user', seller._id, 'restore_account');
  expect([(await entries(seller._id))[0], (await entries(restored.body._id))[0]]).toEqual([
    ['users.update', 'Aroha Ngata'],
    ['decisions.insert', 'Aroha Ngata'],
  ]);
});

test('emails no decision or report outcome to a deleted account', async () => {
  const { seller, id } = await sale();
  const reporter = await member();
  await as(reporter).post('/reports', { kind: 'listing', id, reason: 'spam' });
  await db.updateTable('users').set({ deleted_at: new Date() }).where('id', 'in', [seller._id, reporter._id]).execute();
  expect((await decide('listing', id, 'hide_listing')).status).toBe(201);
  expect([await mailsTo(seller), await mailsTo(reporter)]).toEqual([[], []]);
});

test('exports the user’s reports, decisions about them and staff views, and nothing of others', async () => {
  const { seller, id } = await sale();
  const reporter = await member();
  await as(reporter).post('/reports', { kind: 'listing', id, reason: 'spam', text: 'Again and again.' });
  await decide('listing', id, 'hide_listing');
  const [{ _id }] = await own(seller);
  await as(seller).post(`/decisions/${_id}/appeal`, { text: 'They are mine.' });
  await as(admin).post(`/admin/users/${seller._id}/look`, { reason: 'They asked.' });
  const listsOf = async (user: User) => {
    const { lists } = getOwnModerationData(db, user._id);
    return Object.fromEntries(await Promise.all(Object.entries(lists).map(async ([name, rows]) => [name, await rows()] as const)));
  };
  expect(await listsOf(reporter)).toMatchObject({
    'reports-by-you': [{ kind: 'listing', reason: 'spam', comment: 'Again and again.' }],
    'decisions-about-you': [],
    'looks-at-your-account': [],
  });
  expect(await listsOf(seller)).toMatchObject({
    'reports-by-you': [],
    'decisions-about-you': [{ decision: 'hide_listing', reason: 'It breaks our rules.', appeal: { text: 'They are mine.' } }],
    'looks-at-your-account': [{ reason: 'They asked.' }],
  });
  expect(JSON.stringify([await listsOf(seller), await listsOf(reporter)])).not.toContain('Aroha');
});
