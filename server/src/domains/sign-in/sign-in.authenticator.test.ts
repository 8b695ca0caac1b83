import { sql } from 'kysely';
import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { Keyring } from '../../kit/secrets/keys.ts';
import { resealSecrets } from './sign-in.authenticator.ts';

const { callers, given, db, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock, context, logged } = parts;

type User = { _id: string; email: string; token: string };

/** Sets the clock to the middle of a step that is later than every used code. */
let steps = 10;
function nextStep() {
  steps += 3;
  clock.set(new Date((Math.floor(Date.now() / 30_000) + steps + 0.3) * 30_000));
}
const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });
async function withApp() {
  nextStep();
  const user = (await given.member()) as User;
  const { secret } = (await as(user).post('/auth/authenticator')).body as { secret: string };
  expect((await as(user).post('/auth/authenticator/confirm', { code: codeOf(secret) })).status).toBe(200);
  return { user, secret };
}
const rowOf = (user: User) => db.selectFrom('authenticators').selectAll().where('user_id', '=', user._id).executeTakeFirstOrThrow();
/** How signing in with a code of the app ends. */
async function signIn(user: User, secret: string): Promise<number> {
  nextStep();
  const { body } = await asVisitor.post('/auth/login', { email: user.email, password: 'correct-horse' });
  return (await asVisitor.post('/auth/login/second-step', { token: body.secondStep.token, code: codeOf(secret) })).status;
}
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

test('stores an app’s secret sealed and bound to its account', async () => {
  const [one, other] = [await withApp(), await withApp()];
  const row = await rowOf(one.user);
  expect([row.secret, row.key_id]).toEqual([null, 'sandbox']);
  const { rows } = await sql<{ text: string }>`select authenticators::text as text from authenticators`.execute(db);
  for (const { secret } of [one, other]) {
    for (const hidden of [secret, Buffer.from(secret).toString('hex')]) expect(JSON.stringify(rows)).not.toContain(hidden);
  }
  expect(await signIn(one.user, one.secret)).toBe(200);
  const { key_id, sealed } = await rowOf(other.user);
  await db.updateTable('authenticators').set({ key_id, sealed }).where('user_id', '=', one.user._id).execute();
  expect(await signIn(one.user, other.secret)).toBe(500);
});

test('accepts a clear-text secret from before there were keys, and seals it in the next run of the job', async () => {
  const { user, secret } = await withApp();
  const readable = { secret, key_id: null, sealed: null };
  await db.updateTable('authenticators').set(readable).where('user_id', '=', user._id).execute();
  expect(await signIn(user, secret)).toBe(200);
  await resealSecrets(context);
  expect(await rowOf(user)).toMatchObject({ secret: null, key_id: 'sandbox' });
  expect(await signIn(user, secret)).toBe(200);
});

test('reseals secrets with a new key, and logs and keeps those that it cannot open', async () => {
  const before = context.accountKeys;
  const [old, newest] = [{ old: key(1) }, { newest: key(7) }];
  const ring = (keys: Record<string, string>) => new Keyring(keys, 'ACCOUNT_KEYS');
  try {
    context.accountKeys = ring(old);
    const resealed = await withApp();
    context.accountKeys = ring({ lost: key(2) });
    const lost = await withApp();
    context.accountKeys = ring({ ...newest, ...old });
    await resealSecrets(context);
    expect([(await rowOf(resealed.user)).key_id, (await rowOf(lost.user)).key_id]).toEqual(['newest', 'lost']);
    expect(logged.filter((line) => line.includes('ACCOUNT_KEYS') && line.includes(lost.user._id))).toHaveLength(1);
    context.accountKeys = ring(newest);
    expect(await signIn(resealed.user, resealed.secret)).toBe(200);
    expect(await signIn(lost.user, lost.secret)).toBe(500);
  } finally {
    context.accountKeys = before;
  }
});
