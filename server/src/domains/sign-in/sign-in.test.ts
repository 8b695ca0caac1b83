import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { argon2id } from '../../kit/identity/argon2id.ts';
import { withPasswordHasher } from '../../kit/identity/password.ts';
import { deleteOldDevices } from '../accounts/accounts.service.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { from } = callers;
const { context } = parts;

const password = 'the-right-one';
type Caller = ReturnType<typeof from>;
const logIn = (caller: Caller, email: string, sentPassword = password) => caller.post('/auth/login', { email, password: sentPassword });
/** So many wrong passwords at once: the statuses, in any order. */
const guess = async (caller: Caller, email: string, times: number) =>
  (await Promise.all(Array.from({ length: times }, (_, index) => logIn(caller, email, `wrong-${index}`)))).map(({ status }) => status);
const count = (statuses: readonly number[], one: number) => statuses.filter((status) => status === one).length;
const member = (email: string) => given.user({ email, password });
/** Lets all windows end, as time would. */
const endWindows = () => sql`update attempts set window_ends_at = now() - interval '1 millisecond'`.execute(db);
const known = (address: string, device: string) => from(address, { 'x-device': device });
const deviceOf = async (email: string, address: string): Promise<string> => (await logIn(from(address), email)).body.device;

test('rejects the right password after ten wrong ones from its network and returns the wait', async () => {
  await member('ten@example.org');
  const caller = from('192.0.2.1');
  expect(count(await guess(caller, 'ten@example.org', 9), 401)).toBe(9);
  expect((await logIn(caller, 'ten@example.org')).status).toBe(200);
  expect((await logIn(caller, 'ten@example.org', 'wrong')).status).toBe(401);
  const refused = await logIn(caller, 'ten@example.org');
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ code: 'too_many_requests', message: 'Too many attempts. Please try again in 15 minutes.' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900);
});

test('limits neither other networks nor other accounts of the network', async () => {
  await member('owner@example.org');
  await member('neighbour@example.org');
  await guess(from('192.0.2.2'), 'owner@example.org', 12);
  expect((await logIn(from('192.0.2.2'), 'owner@example.org')).status).toBe(429);
  expect((await logIn(from('192.0.2.2'), 'neighbour@example.org')).status).toBe(200);
  expect((await logIn(from('192.0.2.3'), 'owner@example.org')).status).toBe(200);
});

test('checks exactly ten of a hundred concurrent guesses', async () => {
  await member('parallel@example.org');
  const statuses = await guess(from('192.0.2.4'), 'parallel@example.org', 100);
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([10, 90]);
});

test('limits a network to a hundred wrong passwords over all accounts', async () => {
  await member('bystander@example.org');
  const caller = from('192.0.2.5');
  const statuses = (
    await Promise.all(Array.from({ length: 13 }, (_, index) => guess(caller, `nobody${index}@example.org`, index === 0 ? 1 : 9)))
  ).flat();
  expect(statuses).toHaveLength(109);
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([100, 9]);
  expect((await logIn(caller, 'bystander@example.org')).status).toBe(429);
  expect((await logIn(from('192.0.2.6'), 'bystander@example.org')).status).toBe(200);
});

test('counts an address in any case as one account, and a tagged address as another', async () => {
  await member('Spelt@Example.org');
  const caller = from('192.0.2.7');
  const spellings = ['spelt@example.org', 'SPELT@EXAMPLE.ORG', ' Spelt@example.ORG '];
  for (let index = 0; index < 10; index += 1) expect((await logIn(caller, spellings[index % 3] ?? '', 'wrong')).status).toBe(401);
  for (const spelling of spellings) expect((await logIn(caller, spelling)).status).toBe(429);
  expect((await logIn(caller, 'spelt+tag@example.org', 'wrong')).status).toBe(401);
});

test('counts all addresses of an IPv6 network together and the next network separately', async () => {
  await member('six@example.org');
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    statuses.push(...(await guess(from(`2001:db8:1:2:${index}::${index}`), 'six@example.org', 1)));
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  expect((await logIn(from('2001:db8:1:3::1'), 'six@example.org')).status).toBe(200);
});

test('counts an IPv4-mapped IPv6 address as its IPv4 address', async () => {
  await member('mapped@example.org');
  await guess(from('::ffff:192.0.2.8'), 'mapped@example.org', 5);
  await guess(from('192.0.2.8'), 'mapped@example.org', 5);
  expect((await logIn(from('192.0.2.8'), 'mapped@example.org')).status).toBe(429);
  expect((await logIn(from('::ffff:192.0.2.8'), 'mapped@example.org')).status).toBe(429);
});

test('ignores a forged forwarded address', async () => {
  await member('forged@example.org');
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    const forged = from('192.0.2.9', { 'x-forwarded-for': `203.0.113.${index}`, 'x-real-ip': `203.0.113.${index}` });
    statuses.push((await logIn(forged, 'forged@example.org', 'wrong')).status);
  }
  expect(count(statuses, 401)).toBe(10);
});

test('allows ten more attempts when the window ends', async () => {
  await member('patient@example.org');
  const caller = from('192.0.2.10');
  await guess(caller, 'patient@example.org', 11);
  expect((await logIn(caller, 'patient@example.org')).status).toBe(429);
  await endWindows();
  expect((await logIn(caller, 'patient@example.org')).status).toBe(200);
  const statuses = await guess(caller, 'patient@example.org', 15);
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([10, 5]);
});

test('does not count right passwords', async () => {
  await member('busy@example.org');
  const caller = from('192.0.2.11');
  await guess(caller, 'busy@example.org', 9);
  const answers = await Promise.all(Array.from({ length: 30 }, () => logIn(caller, 'busy@example.org')));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
});

test('answers a suspended account, an unknown address and a wrong password alike, up to the limit', async () => {
  const suspended = await member('suspended@example.org');
  await member('wrong@example.org');
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', suspended._id).execute();
  const caller = from('192.0.2.12');
  const answersFor = async (email: string, secret: string) => {
    const answers: object[] = [];
    for (let index = 0; index < 11; index += 1) {
      const { status, body } = await logIn(caller, email, secret);
      answers.push({ status, code: body.code, message: body.message, errors: body.errors });
    }
    return answers;
  };
  const wrong = await answersFor('wrong@example.org', 'wrong');
  expect(wrong[0]).toEqual({ status: 401, code: 'invalid_credentials', message: 'Email or password is incorrect.', errors: [] });
  expect(wrong.at(-1)).toMatchObject({ status: 429 });
  expect(await answersFor('suspended@example.org', password)).toEqual(wrong);
  expect(await answersFor('nobody@example.org', 'wrong')).toEqual(wrong);
});

test('spends the same work on an unknown address as on a known one, also for a known device', async () => {
  await member('worked@example.org');
  const device = await deviceOf('worked@example.org', '192.0.2.13');
  const verify = vi.spyOn(argon2id, 'verify');
  for (const email of ['worked@example.org', 'unknown@example.org']) {
    for (const caller of [from('192.0.2.13'), known('192.0.2.13', device)]) {
      verify.mockClear();
      expect((await logIn(caller, email, 'wrong')).status).toBe(401);
      expect(verify).toHaveBeenCalledOnce();
    }
  }
});

test('signs in a known device while account and network are locked', async () => {
  await member('device@example.org');
  const device = await deviceOf('device@example.org', '192.0.2.20');
  expect(device).toMatch(/^[\w-]{43}$/);
  await guess(from('192.0.2.21'), 'device@example.org', 10);
  for (let index = 0; index < 10; index += 1) await guess(from('192.0.2.21'), `somebody${index}@example.org`, 9);
  expect((await logIn(from('192.0.2.21'), 'device@example.org')).status).toBe(429);
  const answer = await logIn(known('192.0.2.21', device), 'device@example.org');
  expect(answer.status).toBe(200);
  expect(answer.body.device).toBe(device);
  expect((await logIn(from('192.0.2.21'), 'device@example.org')).status).toBe(429);
});

/** So many wrong passwords at once, ten from each of as many networks as it takes: the statuses. */
const guessFromEverywhere = async (email: string, times: number, third: number) =>
  (
    await Promise.all(
      Array.from({ length: Math.ceil(times / 10) }, (_, index) =>
        guess(from(`10.0.${third}.${index}`), email, Math.min(10, times - index * 10)),
      ),
    )
  ).flat();
const guessedMails = async (email: string) => (await outbox.mailed(email, /^Somebody is guessing your password/)).count;
const endWindow = (key: string) =>
  sql`update attempts set window_ends_at = now() - interval '1 millisecond' where key like ${key}`.execute(db);

test('limits an account to a hundred wrong passwords an hour over all networks, and then explains the alternatives', async () => {
  await member('guessed@example.org');
  const device = await deviceOf('guessed@example.org', '192.0.2.50');
  expect(count(await guessFromEverywhere('guessed@example.org', 95, 1), 401)).toBe(95);
  expect(await guessedMails('guessed@example.org')).toBe(0);
  expect((await logIn(from('192.0.2.51'), 'guessed@example.org')).status).toBe(200);
  const statuses = await guessFromEverywhere('guessed@example.org', 40, 2);
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([5, 35]);

  const refused = await logIn(from('192.0.2.52'), 'Guessed@example.org');
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    429,
    'too_many_requests',
    'Too many wrong passwords for this account. Sign in on a device you have used for it before, choose a new password by email, or try again in an hour.',
  ]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3600);
  expect((await logIn(known('192.0.2.52', device), 'guessed@example.org')).status).toBe(200);
  expect((await logIn(known('192.0.2.52', device), 'guessed@example.org', 'wrong')).status).toBe(401);
  await member('unguessed@example.org');
  expect((await logIn(from('192.0.2.52'), 'unguessed@example.org')).status).toBe(200);

  await endWindow('login-anywhere:%');
  expect((await logIn(from('192.0.2.53'), 'guessed@example.org')).status).toBe(200);
});

test('allows a reset by email while guesses are rejected, and rejects an unknown address alike', async () => {
  const user = await member('mailbox@example.org');
  await guessFromEverywhere('mailbox@example.org', 100, 3);
  await guessFromEverywhere('nowhere@example.org', 100, 3);
  const [known, unknown] = [await logIn(from('192.0.2.54'), user.email), await logIn(from('192.0.2.54'), 'nowhere@example.org')];
  expect([known.status, known.body.message]).toEqual([429, unknown.body.message]);
  expect(unknown.status).toBe(429);
  expect(await guessedMails('nowhere@example.org')).toBe(0);

  await from('192.0.2.54').post('/auth/forgot-password', { email: user.email });
  const { token } = await outbox.mailed(user.email, /^Choose a new password/);
  const { status, body } = await from('192.0.2.54').post('/auth/reset-password', { token, password: 'kererū-in-the-tree' });
  expect(status).toBe(200);
  const again = await from('192.0.2.54', { 'x-device': body.device }).post('/auth/login', {
    email: user.email,
    password: 'kererū-in-the-tree',
  });
  expect(again.status).toBe(200);
});

test('emails the owner about guesses at most once a day', async () => {
  await member('told-daily@example.org');
  await guessFromEverywhere('told-daily@example.org', 120, 4);
  expect(await guessedMails('told-daily@example.org')).toBe(1);
  await endWindow('login%');
  await guessFromEverywhere('told-daily@example.org', 120, 5);
  expect(await guessedMails('told-daily@example.org')).toBe(1);
  const { seconds } = await db
    .selectFrom('attempts')
    .select(sql<number>`extract(epoch from window_ends_at - now())::float8`.as('seconds'))
    .where('key', 'like', 'guesses-mailed:%')
    .orderBy('window_ends_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(Math.round(seconds / 3600)).toBe(24);
  await endWindows();
  await guessFromEverywhere('told-daily@example.org', 120, 6);
  expect(await guessedMails('told-daily@example.org')).toBe(2);
});

test('makes the browser a known device at registration', async () => {
  const form = { fullName: 'Tāne Parata', username: 'tane_p', email: 'tane@example.org', password };
  const { status, body } = await from('192.0.2.22').post('/auth/register', form);
  expect([status, body.device]).toEqual([201, expect.stringMatching(/^[\w-]{43}$/)]);
  await guess(from('192.0.2.22'), 'tane@example.org', 10);
  expect((await logIn(from('192.0.2.22'), 'tane@example.org')).status).toBe(429);
  expect((await logIn(known('192.0.2.22', body.device), 'TANE@example.org')).status).toBe(200);
});

test('knows a device only for accounts that signed in on it, and no made-up device', async () => {
  await member('mine@example.org');
  await member('yours@example.org');
  const device = await deviceOf('mine@example.org', '192.0.2.23');
  await guess(from('192.0.2.24'), 'yours@example.org', 10);
  for (const shown of [device, 'x'.repeat(43), 'x', '', `${device}x`]) {
    expect([shown, (await logIn(known('192.0.2.24', shown), 'yours@example.org')).status]).toEqual([shown, 429]);
  }
  // A shared browser that signed in as both users is known to both.
  const both = await logIn(known('192.0.2.25', device), 'yours@example.org');
  expect(both.body.device).toBe(device);
  expect((await logIn(known('192.0.2.24', device), 'yours@example.org')).status).toBe(200);
  const madeUp = await logIn(known('192.0.2.25', 'x'.repeat(43)), 'yours@example.org');
  expect([madeUp.status, madeUp.body.device === 'x'.repeat(43)]).toEqual([200, false]);
});

test('slows down only the known device that sends wrong passwords and counts them towards no limit', async () => {
  await member('slow@example.org');
  const device = await deviceOf('slow@example.org', '192.0.2.26');
  const caller = known('192.0.2.26', device);
  for (let index = 0; index < 10; index += 1) expect((await logIn(caller, 'slow@example.org', 'wrong')).status).toBe(401);
  expect((await logIn(from('192.0.2.26'), 'slow@example.org', 'wrong')).status).toBe(401);

  const row = db.selectFrom('attempts').selectAll().where('key', 'like', 'login-device:%').where('count', '=', 10);
  const { key, next_at } = await row.executeTakeFirstOrThrow();
  expect(key).not.toContain(device);
  // The eleventh is answered a second after the tenth, not earlier.
  await sql`update attempts set next_at = now() where key = ${key}`.execute(db);
  expect((await logIn(caller, 'slow@example.org', 'wrong')).status).toBe(401);
  const after = await sql<{ had_its_turn: boolean; count: number }>`
    select next_at <= now() as had_its_turn, count from attempts where key = ${key} and next_at >= ${next_at}::timestamptz + interval '1 second'`.execute(
    db,
  );
  expect(after.rows).toEqual([{ had_its_turn: true, count: 11 }]);

  // An attempt that would wait for more than 15 seconds is rejected.
  await sql`update attempts set next_at = now() + interval '1 minute' where key = ${key}`.execute(db);
  const refused = await logIn(caller, 'slow@example.org');
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(47);
  expect((await logIn(from('192.0.2.26'), 'slow@example.org')).status).toBe(200);

  // The right password resets the delay.
  await sql`update attempts set next_at = now() - interval '1 minute' where key = ${key}`.execute(db);
  expect((await logIn(caller, 'slow@example.org')).status).toBe(200);
  expect(await db.selectFrom('attempts').select('key').where('key', '=', key).execute()).toEqual([]);
});

test('stores devices as hashes, records each sign-in, and deletes devices unused for a year', async () => {
  const user = await member('kept@example.org');
  const rows = () => db.selectFrom('devices').selectAll().where('user_id', '=', user._id).execute();
  await db.deleteFrom('devices').where('user_id', '=', user._id).execute();
  const device = await deviceOf('kept@example.org', '192.0.2.27');
  const [row, ...others] = await rows();
  expect(others).toEqual([]);
  expect(row?.token_hash).toHaveLength(32);
  expect(JSON.stringify(await db.selectFrom('devices').selectAll().execute())).not.toContain(device);

  await sql`update devices set last_used_at = now() - interval '364 days' where user_id = ${user._id}`.execute(db);
  await deleteOldDevices(context);
  expect(await rows()).toHaveLength(1);
  await logIn(known('192.0.2.27', device), 'kept@example.org');
  expect((await rows())[0]?.last_used_at.getTime()).toBeGreaterThan(Date.now() - 60_000);
  await sql`update devices set last_used_at = now() - interval '367 days' where user_id = ${user._id}`.execute(db);
  await deleteOldDevices(context);
  expect(await rows()).toEqual([]);
  await guess(from('192.0.2.27'), 'kept@example.org', 10);
  expect((await logIn(known('192.0.2.27', device), 'kept@example.org')).status).toBe(429);
});

test('answers all of many concurrent sign-ins without delaying other calls', async () => {
  await member('crowd@example.org');
  let answered = 0;
  const crowd = Array.from({ length: 60 }, async (_, index) => {
    const { status } = await logIn(from(`203.0.113.${index}`), 'crowd@example.org', index % 2 ? password : 'wrong');
    answered += 1;
    return status;
  });
  const plans = await from('198.51.100.1').get('/plan/all');
  expect(plans.status).toBe(200);
  expect(answered).toBeLessThan(60);
  const statuses = await Promise.all(crowd);
  expect([count(statuses, 200), count(statuses, 401)]).toEqual([30, 30]);
});

test('rejects a locked account at once, also while all password checks are busy', async () => {
  await member('told@example.org');
  await guess(from('192.0.2.30'), 'told@example.org', 10);
  const { promise, resolve } = Promise.withResolvers<void>();
  const taken = Array.from({ length: 5 }, () => withPasswordHasher(() => promise));
  try {
    expect((await logIn(from('192.0.2.30'), 'told@example.org')).status).toBe(429);
  } finally {
    resolve();
    await Promise.all(taken);
  }
});

test('limits a network to 300 registrations an hour over all its addresses', async () => {
  const form = (index: number) => ({ fullName: 'Mere Kingi', username: `many_${index}`, email: `many${index}@example.org`, password });
  const network = '2001:db8:aa:bb';
  await sql`insert into attempts values (${`register-from:${network}::/64`}, 298, now() + interval '1 hour')`.execute(db);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => from(`${network}:${index}::1`).post('/auth/register', form(index))),
  );
  expect([
    count(
      answers.map(({ status }) => status),
      201,
    ),
    count(
      answers.map(({ status }) => status),
      429,
    ),
  ]).toEqual([2, 4]);
  expect((await from('2001:db8:aa:bc::1').post('/auth/register', form(7))).status).toBe(201);
  await endWindows();
  await from(`${network}::1`).post('/auth/register', form(8));
  const row = await db.selectFrom('attempts').selectAll().where('key', '=', `register-from:${network}::/64`).executeTakeFirstOrThrow();
  expect(row.count).toBe(1);
  expect(Math.abs(row.window_ends_at.getTime() - Date.now() - 3_600_000)).toBeLessThan(60_000);
});

test('documents the header of a known device on the API page', async () => {
  const { body } = await from('198.51.100.1').get('/openapi.json');
  expect(body.paths['/api/auth/login'].post.parameters).toContainEqual(expect.objectContaining({ name: 'x-device', in: 'header' }));
});
