import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { deleteExpired } from './accounts.jobs.ts';

const { given, db, callers, parts } = await testApp();
const { asVisitor, as, from } = callers;
const { context, clock, logged } = parts;

const day = 86_400_000;

const form = (overrides: object = {}) => ({
  fullName: 'Tāne Parata',
  username: 'tane_p',
  email: 'tane@example.org',
  password: 'kowhai-blossom',
  ...overrides,
});

test('creates an account, a session and a referral code from the user name at registration', async () => {
  const answer = await asVisitor.post('/auth/register', form());
  expect(answer.status).toBe(201);
  expect(answer.body.data).toMatchObject({ fullName: 'Tāne Parata', username: 'tane_p', email: 'tane@example.org', role: 'user' });
  expect(answer.body.data.referralCode).toMatch(/^REF-TAN-\d{4}$/);
  expect(answer.body.data.token).toMatch(/^[\w-]{43}$/);
  const session = await as(answer.body.data).get('/auth/session');
  expect(session.body.data._id).toBe(answer.body.data._id);
  expect(session.body.data).not.toHaveProperty('token');
});

test('rejects a taken user name or address in any case with its field, and changes nothing', async () => {
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
])('rejects registration with %j with a field error', async (wrong, field, message) => {
  const answer = await asVisitor.post('/auth/register', form({ username: 'nobody_yet', email: 'nobody@example.org', ...wrong }));
  expect(answer.status).toBe(400);
  expect(answer.body.code).toBe('invalid_input');
  expect(answer.body.errors).toContainEqual({ field, message });
});

test('accepts a user name of 3 and of 20 characters', async () => {
  for (const username of ['abc', 'x'.repeat(20)]) {
    const answer = await asVisitor.post('/auth/register', form({ username, email: `${username}@example.org` }));
    expect(answer.status).toBe(201);
  }
});

test('ignores a role, id or tickets at registration', async () => {
  const answer = await asVisitor.post(
    '/auth/register',
    form({ username: 'wants_more', email: 'more@example.org', role: 'admin', tickets: 99, _id: '00000000-0000-0000-0000-000000000000' }),
  );
  expect(answer.body.data.role).toBe('user');
  const stored = await db.selectFrom('users').selectAll().where('username', '=', 'wants_more').executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ id: answer.body.data._id, role: 'user' });
  expect(JSON.stringify(stored)).not.toContain('00000000-0000');
  expect(await db.selectFrom('draw_entries').select('tickets').where('user_id', '=', stored.id).execute()).toEqual([]);
});

test('stores a valid referral code with the account, and no unknown or merely claimed one', async () => {
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

test('neither reassigns nor accepts the code of a suspended account', async () => {
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

test('starts a session for the right password and any case of the address', async () => {
  await given.user({ email: 'hemi@example.org', password: 'a-long-secret' });
  const answer = await asVisitor.post('/auth/login', { email: 'Hemi@Example.org', password: 'a-long-secret' });
  expect(answer.status).toBe(200);
  expect((await as(answer.body.data).get('/auth/session')).status).toBe(200);
});

test('answers a wrong password and an unknown address alike', async () => {
  await given.user({ email: 'known@example.org' });
  const wrong = await asVisitor.post('/auth/login', { email: 'known@example.org', password: 'not-it' });
  const unknown = await asVisitor.post('/auth/login', { email: 'unknown@example.org', password: 'not-it' });
  expect(wrong.status).toBe(401);
  expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
});

test('ends only this session at logout', async () => {
  const here = await given.user({ email: 'two@example.org', password: 'a-long-secret' });
  const there = (await asVisitor.post('/auth/login', { email: 'two@example.org', password: 'a-long-secret' })).body.data;
  const other = await given.user();
  expect((await as(here).post('/auth/logout')).status).toBe(200);
  expect((await as(here).get('/auth/session')).status).toBe(401);
  expect((await as(here).post('/auth/logout')).status).toBe(401);
  expect((await as(there).get('/auth/session')).body.data._id).toBe(here._id);
  expect((await as(other).get('/auth/session')).body.data._id).toBe(other._id);
});

test('rejects a token that is missing, made up, truncated, changed or of another scheme', async () => {
  const { token } = await given.user();
  const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
  const headers = [
    '',
    'x',
    `Bearer ${'x'.repeat(43)}`,
    `Bearer ${changed}`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token} ${token}`,
    `Basic ${token}`,
    token,
    `Bearer: ${token}`,
  ];
  for (const authorization of headers) {
    const caller = from('127.0.0.1', { authorization });
    expect([authorization, (await caller.get('/auth/session')).status]).toEqual([authorization, 401]);
    expect([authorization, (await caller.post('/auth/logout')).status]).toEqual([authorization, 401]);
  }
  expect((await asVisitor.get('/auth/session')).body.code).toBe('not_authenticated');
  for (const scheme of ['Bearer', 'bearer'])
    expect((await from('127.0.0.1', { authorization: `${scheme} ${token}` }).get('/auth/session')).status).toBe(200);
});

test('rejects an expired token on public calls, and answers visitors', async () => {
  const { id } = await given.listing();
  expect((await asVisitor.get(`/listing/${id}`)).status).toBe(200);
  expect((await as(await given.user()).get(`/listing/${id}`)).status).toBe(200);
  expect((await as({ token: 'x'.repeat(43) }).get(`/listing/${id}`)).status).toBe(401);
});

test('expires a session after 30 days without use', async () => {
  const [idle, used] = [await given.user(), await given.user()];
  const signedIn = Date.now();
  try {
    clock.set(new Date(signedIn + 29.9 * day));
    expect((await as(used).get('/auth/session')).status).toBe(200);
    clock.set(new Date(signedIn + 30.1 * day));
    expect((await as(idle).get('/auth/session')).status).toBe(401);
    clock.set(new Date(signedIn + 59.8 * day));
    expect((await as(used).get('/auth/session')).status).toBe(200);
  } finally {
    clock.set(new Date());
  }
});

test('writes the last use of a session at most every five minutes and extends the session from it', async () => {
  const user = await given.user();
  const row = () =>
    db.selectFrom('sessions').select(['last_used_at', 'expires_at']).where('user_id', '=', user._id).executeTakeFirstOrThrow();
  const first = await row();
  const startedAt = first.last_used_at.getTime();
  try {
    clock.set(new Date(startedAt + 4 * 60_000));
    await as(user).get('/auth/session');
    expect(await row()).toEqual(first);
    clock.set(new Date(startedAt + 6 * 60_000));
    await as(user).get('/auth/session');
    const then = await row();
    expect(Math.round((then.last_used_at.getTime() - startedAt) / 60_000)).toBe(6);
    expect(Math.round((then.expires_at.getTime() - first.expires_at.getTime()) / 60_000)).toBe(6);
  } finally {
    clock.set(new Date());
  }
});

test('expires a session 90 days after its start despite use', async () => {
  const user = await given.user();
  const startedAt = Date.now();
  try {
    for (const days of [29, 58, 87, 89.9]) {
      clock.set(new Date(startedAt + days * day));
      expect((await as(user).get('/auth/session')).status).toBe(200);
    }
    clock.set(new Date(startedAt + 90.1 * day));
    expect((await as(user).get('/auth/session')).status).toBe(401);
  } finally {
    clock.set(new Date());
  }
});

test('deletes expired sessions and no others', async () => {
  const [over, running] = [await given.user(), await given.user()];
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('user_id', '=', over._id)
    .execute();
  await deleteExpired(context);
  const left = await db.selectFrom('sessions').select('user_id').where('user_id', 'in', [over._id, running._id]).execute();
  expect(left).toEqual([{ user_id: running._id }]);
});

test('rejects requests and sign-ins of a suspended account until the suspension ends', async () => {
  const user = await given.user({ email: 'bad@example.org', password: 'still-knows-it' });
  const bystander = await given.user();
  const suspend = (suspended_at: Date | null) => db.updateTable('users').set({ suspended_at }).where('id', '=', user._id).execute();
  const logIn = () => asVisitor.post('/auth/login', { email: 'bad@example.org', password: 'still-knows-it' });
  await suspend(new Date());
  expect((await as(user).get('/auth/session')).status).toBe(401);
  expect((await as(bystander).get('/auth/session')).status).toBe(200);
  const refused = await logIn();
  expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials']);
  await suspend(null);
  expect((await logIn()).status).toBe(200);
  expect((await as(user).get('/auth/session')).status).toBe(200);
});

test('salts password hashes per account and creates a new token per sign-in', async () => {
  const [first, second] = [
    await given.user({ email: 'one@example.org', password: 'the-same-words' }),
    await given.user({ password: 'the-same-words' }),
  ];
  const hashes = await db.selectFrom('users').select('password_hash').where('id', 'in', [first._id, second._id]).execute();
  expect(new Set(hashes.map(({ password_hash }) => password_hash)).size).toBe(2);
  expect(hashes.every(({ password_hash }) => password_hash.startsWith('$argon2id$'))).toBe(true);
  const again = (await asVisitor.post('/auth/login', { email: 'one@example.org', password: 'the-same-words' })).body.data;
  expect(again.token).not.toBe(first.token);
  const sessions = await db.selectFrom('sessions').select('token_hash').where('user_id', '=', first._id).execute();
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
  expect(sessions.map(({ token_hash }) => token_hash.toString('hex')).toSorted()).toEqual(
    [hashOf(first.token), hashOf(again.token)].toSorted(),
  );
});

test('creates one account for four concurrent registrations of one address', async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => asVisitor.post('/auth/register', form({ username: `race_${n}`, email: 'race@example.org' }))),
  );
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
  const accounts = await db.selectFrom('users').select('id').where('email', '=', 'race@example.org').execute();
  expect(accounts).toEqual([{ id: answers.find(({ status }) => status === 201)?.body.data._id }]);
});

test('stores and logs neither passwords nor tokens in clear text', async () => {
  const user = await given.user({ email: 'private@example.org', password: 'very-private-words' });
  const { rows: tables } = await sql<{
    name: string;
  }>`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`.execute(db);
  const holding = async (text: string) => {
    const found = tables.map(async ({ name }) => {
      const { rows } = await sql`select from ${sql.raw(name)} as t where t::text like ${`%${text}%`} limit 1`.execute(db);
      return rows.length > 0 ? [name] : [];
    });
    return (await Promise.all(found)).flat();
  };
  expect(await holding('private@example.org')).toContain('public.users');
  for (const secret of ['very-private-words', user.token]) {
    expect(await holding(secret)).toEqual([]);
    expect(logged.join()).not.toContain(secret);
  }
});
