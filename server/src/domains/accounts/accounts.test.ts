import { testApp } from '@handwise/sandbox/test-app';
import { expect, test } from 'vitest';

const { given, db, callers, parts } = await testApp();
const { asVisitor, as } = callers;
const { logged } = parts;

const form = (overrides: object = {}) => ({
  fullName: 'Tāne Parata',
  username: 'tane_p',
  email: 'tane@example.org',
  password: 'kowhai-blossom',
  ...overrides,
});

test('registering makes an account, a session and a referral code from the user name', async () => {
  const answer = await asVisitor.post('/auth/register', form());
  expect(answer.status).toBe(201);
  expect(answer.body.data).toMatchObject({ fullName: 'Tāne Parata', username: 'tane_p', email: 'tane@example.org', role: 'user' });
  expect(answer.body.data.referralCode).toMatch(/^REF-TAN-\d{4}$/);
  expect(answer.body.data.token).toMatch(/^[\w-]{43}$/);
  const session = await as(answer.body.data).get('/auth/session');
  expect(session.body.data._id).toBe(answer.body.data._id);
  expect(session.body.data).not.toHaveProperty('token');
});

test('a taken user name or address is refused with the field, whatever its case, and changes nothing', async () => {
  await given.user({ username: 'first_come', email: 'first@example.org' });
  const before = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  const name = await asVisitor.post('/auth/register', form({ username: 'First_Come', email: 'other@example.org' }));
  const address = await asVisitor.post('/auth/register', form({ username: 'someone_else', email: 'FIRST@example.org' }));
  expect([name.status, name.body.errors]).toEqual([409, [{ field: 'username', message: 'This username is already taken.' }]]);
  expect([address.status, address.body.errors[0].field]).toEqual([409, 'email']);
  const after = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  expect(after).toEqual(before);
});

test.each([
  [{ fullName: '' }, 'fullName', 'Name is required'],
  [{ username: '' }, 'username', 'Username is required'],
  [{ username: 'ab' }, 'username', 'Username must be at least 3 characters'],
  [{ username: 'a'.repeat(21) }, 'username', 'Username must be less than 20 characters'],
  [{ username: 'two words' }, 'username', 'Username cannot contain spaces'],
  [{ username: 'full.stop' }, 'username', 'Username can only contain letters, numbers and underscores'],
  [{ email: '' }, 'email', 'Email is required'],
  [{ email: 'nobody' }, 'email', 'Invalid email format'],
  [{ email: 'a@b.co\r\nBcc: x@y.co' }, 'email', 'Invalid email format'],
  [{ password: '' }, 'password', 'Password is required'],
  [{ password: '12345' }, 'password', 'Password must be at least 6 characters'],
  [{ password: 'Password1' }, 'password', 'This password is too common'],
])('registration with %j is refused and says so at the field', async (wrong, field, message) => {
  const answer = await asVisitor.post('/auth/register', form({ username: 'nobody_yet', email: 'nobody@example.org', ...wrong }));
  expect(answer.status).toBe(400);
  expect(answer.body.code).toBe('invalid_input');
  expect(answer.body.errors).toContainEqual({ field, message });
});

test('a user name of 3 and of 20 characters is taken', async () => {
  for (const username of ['abc', 'x'.repeat(20)]) {
    const answer = await asVisitor.post('/auth/register', form({ username, email: `${username}@example.org` }));
    expect(answer.status).toBe(201);
  }
});

test('a role, an id or tickets in the body are never stored', async () => {
  const answer = await asVisitor.post(
    '/auth/register',
    form({ username: 'wants_more', email: 'more@example.org', role: 'admin', tickets: 99, _id: '00000000-0000-0000-0000-000000000000' }),
  );
  expect(answer.body.data.role).toBe('user');
  expect(answer.body.data._id).not.toContain('00000000-0000');
});

test('a valid referral code is kept with the account, an unknown one and a mere claim are not', async () => {
  const referrer = await given.user();
  const codeOf = async (id: string) =>
    (await db.selectFrom('users').select('referred_by_code').where('id', '=', id).executeTakeFirstOrThrow()).referred_by_code;
  const register = async (overrides: object) => (await asVisitor.post('/auth/register', form(overrides))).body.data._id;
  expect(
    await codeOf(await register({ username: 'ref_a', email: 'ra@example.org', referralCode: ` ${referrer.referralCode.toLowerCase()} ` })),
  ).toBe(referrer.referralCode);
  expect(await codeOf(await register({ username: 'ref_b', email: 'rb@example.org', referralCode: 'REF-XXX-0000' }))).toBeNull();
  expect(
    await codeOf(await register({ username: 'ref_c', email: 'rc@example.org', hasValidReferral: true, referralCode: null })),
  ).toBeNull();
});

test('a code that a suspended account holds is given to nobody else, and is valid for nobody', async () => {
  const taken = Array.from({ length: 10_000 }, (_, index) => `REF-ZZZ-${String(index).padStart(4, '0')}`);
  const holder = await given.user();
  await db
    .insertInto('users')
    .values(
      taken.map((referral_code, index) => ({
        full_name: 'S',
        username: `held_${index}`,
        email: `held${index}@example.org`,
        password_hash: '!',
        referral_code,
        suspended_at: new Date(),
      })),
    )
    .execute();
  const answer = await asVisitor.post('/auth/register', form({ username: 'zzz', email: 'zzz@example.org', referralCode: taken[0] }));
  expect(answer.body.data.referralCode).toMatch(/^REF-ZZZ-\d{5}$/);
  expect(holder.referralCode).not.toBe(answer.body.data.referralCode);
  const { referred_by_code } = await db
    .selectFrom('users')
    .select('referred_by_code')
    .where('username', '=', 'zzz')
    .executeTakeFirstOrThrow();
  expect(referred_by_code).toBeNull();
});

test('login with the right password starts a session, with any case of the address', async () => {
  await given.user({ email: 'hemi@example.org', password: 'a-long-secret' });
  const answer = await asVisitor.post('/auth/login', { email: 'Hemi@Example.org', password: 'a-long-secret' });
  expect(answer.status).toBe(200);
  expect((await as(answer.body.data).get('/auth/session')).status).toBe(200);
});

test('a wrong password and an unknown address get the same answer', async () => {
  await given.user({ email: 'known@example.org' });
  const wrong = await asVisitor.post('/auth/login', { email: 'known@example.org', password: 'not-it' });
  const unknown = await asVisitor.post('/auth/login', { email: 'unknown@example.org', password: 'not-it' });
  expect(wrong.status).toBe(401);
  expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
});

test('logout ends the session at once; a changed or made-up token is nobody', async () => {
  const user = await given.user();
  expect((await as(user).post('/auth/logout')).status).toBe(200);
  expect((await as(user).get('/auth/session')).status).toBe(401);
  expect((await as({ token: 'x'.repeat(43) }).get('/auth/session')).status).toBe(401);
  expect((await asVisitor.get('/auth/session')).status).toBe(401);
  expect((await asVisitor.post('/auth/logout')).status).toBe(401);
});

test('an expired session and a suspended account are refused at the next request', async () => {
  const expired = await given.user();
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('user_id', '=', expired._id)
    .execute();
  expect((await as(expired).get('/auth/session')).status).toBe(401);
  const suspended = await given.user({ email: 'bad@example.org', password: 'still-knows-it' });
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', suspended._id).execute();
  expect((await as(suspended).get('/auth/session')).status).toBe(401);
  expect((await asVisitor.post('/auth/login', { email: 'bad@example.org', password: 'still-knows-it' })).status).toBe(401);
});

test('a session that is used is renewed', async () => {
  const user = await given.user();
  const soon = new Date(Date.now() + 5 * 86_400_000);
  await db.updateTable('sessions').set({ expires_at: soon }).where('user_id', '=', user._id).execute();
  await as(user).get('/auth/session');
  const { expires_at } = await db.selectFrom('sessions').select('expires_at').where('user_id', '=', user._id).executeTakeFirstOrThrow();
  expect(expires_at.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
});

test('two registrations for one address at the same time make one account', async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => asVisitor.post('/auth/register', form({ username: `race_${n}`, email: 'race@example.org' }))),
  );
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
});

test('neither passwords nor tokens are stored or logged in the clear', async () => {
  const user = await given.user({ email: 'private@example.org', password: 'very-private-words' });
  const stored = JSON.stringify([
    await db.selectFrom('users').selectAll().execute(),
    await db.selectFrom('sessions').selectAll().execute(),
  ]);
  for (const secret of ['very-private-words', user.token]) {
    expect(stored).not.toContain(secret);
    expect(logged.join()).not.toContain(secret);
  }
});
