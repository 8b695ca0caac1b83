import sharp from 'sharp';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo } from '@handwise/sandbox/testing/photos';
import { deleteOrphanedFiles } from '@handwise/server/kit/stored-files';

const { app, given, db, callers, outbox, parts } = await testApp();
const { asVisitor, as, from } = callers;

const logIn = (email: string, password: string) => asVisitor.post('/auth/login', { email, password });
const rowOf = (id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const privateFields = { phoneNumber: '021 345 678', address: '5 Rātā Street\nTaupō', about: 'I fix roofs.' };

test('returns private fields to the owner and rejects everyone else', async () => {
  const user = await given.user({ fullName: 'Aroha Ngata' });
  await as(user).put('/auth/update', privateFields);
  const { status, body } = await as(user).get('/auth/me');
  const { token: _, ...stored } = user;
  expect([status, body]).toEqual([200, { data: { ...stored, ...privateFields, avatar: '', hasPassword: true, pendingEmail: null } }]);
  expect((await asVisitor.get('/auth/me')).status).toBe(401);
  const other = await given.user();
  expect((await as(other).get('/auth/me')).body.data).toMatchObject({ _id: other._id, phoneNumber: '', address: '', about: '' });
});

test('returns whether the address is confirmed', async () => {
  const user = await given.user();
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
  expect((await as(user).get('/auth/me')).body.data.emailConfirmed).toBe(true);
});

test('changes only the sent fields of the caller’s account and keeps the session', async () => {
  const user = await given.user();
  const other = await given.user();
  await as(user).put('/auth/update', privateFields);
  const answer = await as(user).put('/auth/update', { fullName: '  Aroha  Rangi ' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ data: { ...(await as(user).get('/auth/me')).body.data, token: user.token } });
  expect(answer.body.data).toMatchObject({ ...privateFields, fullName: 'Aroha  Rangi', name: 'Aroha  Rangi', username: user.username });
  expect((await as(user).put('/auth/update', { phoneNumber: '', about: '' })).body.data).toMatchObject({
    phoneNumber: '',
    about: '',
    address: privateFields.address,
  });
  expect((await as(other).get('/auth/me')).body.data).toMatchObject({ fullName: 'Mere Kingi', address: '' });
  expect((await asVisitor.put('/auth/update', privateFields)).status).toBe(401);
});

test('returns the unchanged account for an empty request', async () => {
  const user = await given.user();
  const { status, body } = await as(user).put('/auth/update', { username: user.username });
  expect([status, body.data]).toEqual([200, { ...(await as(user).get('/auth/me')).body.data, token: user.token }]);
});

test('rejects a new user name and stores nothing of the request', async () => {
  const user = await given.user();
  const answer = await as(user).put('/auth/update', { username: 'somebody_else', fullName: 'New Name' });
  expect([answer.status, answer.body.errors]).toEqual([400, [{ field: 'username', message: 'Your username cannot be changed' }]]);
  expect(await rowOf(user._id)).toMatchObject({ username: user.username, full_name: 'Mere Kingi' });
});

test('ignores an email address, role, tickets or id in the body', async () => {
  const user = await given.user();
  const before = await rowOf(user._id);
  const harm = { email: 'x@example.org', role: 'admin', _id: before.id, referralCode: 'REF-XXX-1', emailConfirmed: true, avatar: '/x' };
  expect((await as(user).put('/auth/update', harm)).status).toBe(200);
  expect(await rowOf(user._id)).toEqual(before);
});

test.each([
  ['021 345 678'],
  ['0213456789'],
  ['(09) 555 1234'],
  ['+64 21 345 678'],
  ['0412 345 678'],
  ['+61 412 345 678'],
  ['02 9876 5432'],
])('accepts the phone number %s', async (phoneNumber) => {
  const user = await given.user();
  expect((await as(user).put('/auth/update', { phoneNumber })).body.data.phoneNumber).toBe(phoneNumber);
});

test.each([['12345'], ['+1 212 555 0123'], ['+44 20 7946 0958'], ['call 021 345 678'], ['021 345 678 ext 5'], ['0213456789012345678901']])(
  'rejects the phone number %s',
  async (phoneNumber) => {
    const user = await given.user();
    const { status, body } = await as(user).put('/auth/update', { phoneNumber });
    expect([status, body.errors]).toEqual([400, [{ field: 'phoneNumber', message: 'Phone number must be exactly 10 digits' }]]);
  },
);

test('asks for the area code of a local number, and ignores what nobody typed', async () => {
  const user = await given.user();
  const save = (phoneNumber: string) => as(user).put('/auth/update', { phoneNumber });
  for (const local of ['9123 4567', '345 6789']) {
    expect((await save(local)).body.errors).toEqual([{ field: 'phoneNumber', message: 'Add the area code, such as 03' }]);
  }
  expect((await save('\u202a021\u2011345\u200b678\u202c')).body.data.phoneNumber).toBe('021-345678');
});

test.each([
  [{ fullName: '' }, 'fullName', 'Name is required'],
  [{ fullName: 'Handwise Support' }, 'fullName', 'This name is reserved'],
  [{ fullName: 'x'.repeat(101) }, 'fullName', 'Name must be at most 100 characters'],
  [{ address: 'x'.repeat(301) }, 'address', 'Use at most 300 characters'],
  [{ about: 'x'.repeat(501) }, 'about', 'Use at most 500 characters'],
  [{ password: '', currentPassword: 'correct-horse' }, 'password', 'New password is required'],
  [{ password: '12345', currentPassword: 'correct-horse' }, 'password', 'New password must be at least 6 characters'],
  [{ password: 'x'.repeat(201), currentPassword: 'correct-horse' }, 'password', 'New password must be at most 200 characters'],
  [{ password: 'Password1', currentPassword: 'correct-horse' }, 'password', 'This password is too common'],
  [{ password: 'kowhai-blossom' }, 'currentPassword', 'Current password is required'],
  [{ password: 'kowhai-blossom', currentPassword: '' }, 'currentPassword', 'Current password is required'],
  [{ password: 'kowhai-blossom', currentPassword: '12345' }, 'currentPassword', 'Current password must be at least 6 characters'],
  [{ password: 'kowhai-blossom', currentPassword: 'wrong-horse' }, 'currentPassword', 'Current password is incorrect'],
])('rejects a change to %j with a field error', async (change, field, message) => {
  const user = await given.user();
  const { status, body } = await as(user).put('/auth/update', change);
  expect([status, body.errors]).toEqual([400, [{ field, message }]]);
  expect((await logIn(user.email, 'correct-horse')).status).toBe(200);
});

test('accepts texts of the maximum length', async () => {
  const user = await given.user();
  const longest = { fullName: 'x'.repeat(100), address: 'x'.repeat(300), about: 'x'.repeat(500) };
  expect((await as(user).put('/auth/update', longest)).body.data).toMatchObject(longest);
});

test('ends every session and forgets every device on a new password, gives the caller a new token and emails the owner', async () => {
  const user = await given.user();
  const elsewhere = (await logIn(user.email, 'correct-horse')).body;
  const before = (await rowOf(user._id)).password_hash;
  const change = { password: 'kowhai-blossom', currentPassword: 'correct-horse', about: 'Both at once' };
  const { status, body } = await as(user).put('/auth/update', change);
  expect([status, body.data.about]).toEqual([200, 'Both at once']);
  expect(body.data.token).not.toBe(user.token);
  for (const token of [user.token, elsewhere.data.token]) expect((await as({ token }).get('/auth/me')).status).toBe(401);
  expect((await as(body.data).get('/auth/me')).status).toBe(200);
  expect((await logIn(user.email, 'correct-horse')).status).toBe(401);
  expect((await logIn(user.email, 'kowhai-blossom')).status).toBe(200);
  expect((await rowOf(user._id)).password_hash).not.toBe(before);
  // Of the devices only the one of this answer is known, and the one that has signed in since.
  const known = await db.selectFrom('devices').select('token_hash').where('user_id', '=', user._id).execute();
  expect(known).toHaveLength(2);
  expect(body.device).toMatch(/^[\w-]{43}$/);
  expect(body.device).not.toBe(elsewhere.device);
  const mails = (await outbox.mails()).filter((mail) => mail.to === user.email && mail.subject.endsWith('was changed'));
  expect(mails).toHaveLength(1);
});

test('emails the time of a password change in the time zone of the owner’s listing, else New Zealand’s', async () => {
  const [seller, member] = [await given.user(), await given.user()];
  // The first is in Perth, the second in Auckland.
  for (const district of [2101, 306]) await given.listing({ sellerId: seller._id, district });
  const change = { password: 'kowhai-blossom', currentPassword: 'correct-horse' };
  for (const user of [seller, member]) expect((await as(user).put('/auth/update', change)).status).toBe(200);
  const textTo = async ({ email }: { email: string }) =>
    JSON.stringify((await outbox.mails()).find((mail) => mail.to === email && mail.subject.endsWith('was changed'))?.blocks[0]);
  expect(await textTo(seller)).toMatch(/[ap]m Perth time, from/);
  expect(await textTo(member)).toMatch(/[ap]m New Zealand time, from/);
});

test('invalidates reset links on a new password', async () => {
  const user = await given.user();
  await asVisitor.post('/auth/forgot-password', { email: user.email });
  await outbox.runJobs();
  const mail = (await outbox.mails()).findLast((one) => one.to === user.email && one.subject.startsWith('Choose a new password'));
  const button = mail?.blocks.find((block) => block.kind === 'button');
  const token = new URL(button?.url ?? 'http://nowhere').searchParams.get('token') ?? '';
  await as(user).put('/auth/update', { password: 'kowhai-blossom', currentPassword: 'correct-horse' });
  const answer = await asVisitor.post('/auth/reset-password', { token, password: 'another-horse' });
  expect(answer.body.code).toBe('link_not_valid');
});

test('checks the caller’s password without changing anything', async () => {
  const user = await given.user();
  const check = (currentPassword: string) => as(user).post('/auth/check-password', { currentPassword });
  expect((await check('correct-horse')).body).toEqual({ isValid: true });
  expect((await check('wrong-horse')).body).toEqual({ isValid: false });
  expect((await check('')).body.message).toBe('Current password is required');
  expect((await check('12345')).body.message).toBe('Current password must be at least 6 characters');
  expect((await asVisitor.post('/auth/check-password', { currentPassword: 'correct-horse' })).status).toBe(401);
  expect((await as(user).get('/auth/me')).status).toBe(200);
});

test('counts wrong passwords towards the sign-in limit on every call that takes one', async () => {
  const user = await given.user({ email: 'guessed@example.org' });
  const attacker = from('198.51.100.7', { authorization: `Bearer ${user.token}` });
  const guess = (at: number) =>
    at % 2 === 0
      ? attacker.post('/auth/check-password', { currentPassword: `wrong-${at}` })
      : attacker.put('/auth/update', { password: 'kowhai-blossom', currentPassword: `wrong-${at}` });
  const statuses = [];
  for (let at = 0; at < 10; at += 1) statuses.push((await guess(at)).status);
  expect(statuses).toEqual([200, 400, 200, 400, 200, 400, 200, 400, 200, 400]);
  expect((await attacker.post('/auth/check-password', { currentPassword: 'correct-horse' })).status).toBe(429);
  expect((await attacker.put('/auth/update', { password: 'kowhai-blossom', currentPassword: 'correct-horse' })).status).toBe(429);
  expect((await from('198.51.100.7').post('/auth/login', { email: user.email, password: 'correct-horse' })).status).toBe(429);
  expect((await logIn(user.email, 'correct-horse')).status).toBe(200);
});

const avatar = async (color = '#3a3') => ({ field: 'avatar', name: 'me.png', bytes: await photo(600, color) });
const isThere = async (url: string) => (await app.inject({ url })).statusCode === 200;

test('shows a re-encoded small avatar until it is replaced or removed', async () => {
  const user = await given.user();
  const set = async (color: string) => (await as(user).putForm('/auth/avatar', {}, [await avatar(color)])).body.data.avatar as string;
  const first = await set('#3a3');
  expect(first).toMatch(/^\/files\/avatars\/\w\w\/\w+\.webp$/);
  const { width, height } = await sharp((await app.inject({ url: first })).rawPayload).metadata();
  expect(Math.max(width, height)).toBe(256);
  expect((await as(user).get('/auth/session')).body.data.avatar).toBe(first);
  await deleteOrphanedFiles(db, parts.context.store, 0);
  expect(await isThere(first)).toBe(true);

  const second = await set('#33a');
  await deleteOrphanedFiles(db, parts.context.store, 0);
  expect([await isThere(first), await isThere(second)]).toEqual([false, true]);

  const removed = await as(user).delete('/auth/avatar');
  expect([removed.status, removed.body.data.avatar]).toEqual([200, '']);
  await deleteOrphanedFiles(db, parts.context.store, 0);
  expect(await isThere(second)).toBe(false);
  expect((await as(user).delete('/auth/avatar')).status).toBe(200);
});

test('keeps one of several concurrently uploaded avatars and deletes the rest', async () => {
  const user = await given.user();
  const pictures = await Promise.all(['#111', '#222', '#333', '#444'].map(avatar));
  const answers = await Promise.all(pictures.map((picture) => as(user).putForm('/auth/avatar', {}, [picture])));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await deleteOrphanedFiles(db, parts.context.store, 0);
  const stored = await Promise.all(answers.map(({ body }) => isThere(body.data.avatar)));
  expect(stored.filter(Boolean)).toHaveLength(1);
  expect(await isThere((await as(user).get('/auth/me')).body.data.avatar)).toBe(true);
});

test('rejects a file that is no picture, one above 2 MB and two files, and stores nothing', async () => {
  const user = await given.user();
  const files = await db.selectFrom('files').select('key').execute();
  const put = (...all: { field: string; name: string; bytes: Uint8Array }[]) => as(user).putForm('/auth/avatar', {}, all);
  const none = await put();
  expect([none.status, none.body.errors]).toEqual([400, [{ field: 'avatar', message: 'Choose a picture' }]]);
  expect((await put({ field: 'avatar', name: 'me.svg', bytes: Buffer.from('<svg/>') })).body.code).toBe('unsupported_picture');
  const large = { field: 'avatar', name: 'me.png', bytes: Buffer.alloc(2 * 1024 * 1024 + 1) };
  expect([(await put(large)).status, (await put(large)).body.code]).toEqual([413, 'file_too_large']);
  expect((await put(await avatar(), await avatar())).body.code).toBe('too_many_files');
  expect((await asVisitor.putForm('/auth/avatar', {}, [await avatar()])).status).toBe(401);
  expect((await asVisitor.delete('/auth/avatar')).status).toBe(401);
  expect((await rowOf(user._id)).avatar).toBe('');
  expect(await db.selectFrom('files').select('key').execute()).toEqual(files);
});

test('publishes the listings whose pages show a new name or avatar to every server', async () => {
  const author = await given.user();
  const { id: listingId } = await given.listing();
  await db.insertInto('reviews').values({ listing_id: listingId, author_id: author._id, rating: 5, comment: 'Tidy work' }).execute();
  const isPublished = async () => {
    const changes = await db.selectFrom('changes').select('payload').execute();
    await db.deleteFrom('changes').execute();
    return changes.some(({ payload }) => JSON.stringify(payload).includes(listingId));
  };
  await isPublished();
  await as(author).put('/auth/update', { fullName: 'Hana Parata' });
  expect(await isPublished()).toBe(true);
  await as(author).putForm('/auth/avatar', {}, [await avatar()]);
  expect(await isPublished()).toBe(true);
  await as(author).put('/auth/update', { fullName: 'Hana Parata', about: 'Nobody sees this' });
  expect(await isPublished()).toBe(false);
});
