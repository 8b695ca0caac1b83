import { dictionary } from '@zxcvbn-ts/language-common';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  argon2id.cost = realCost;
  vi.useRealTimers();
  limitPasswordWait(60_000);
});
import { argon2id } from './argon2id.ts';
import { isCommonPassword, limitPasswordWait, passwordQueue, withPasswordHasher } from './password.ts';

// Spied on, not replaced.
vi.mock('./argon2id.ts', { spy: true });

const realCost = argon2id.cost;
const isMatch = (hash: string | undefined, password: string) => withPasswordHasher((able) => able.isMatch(hash, password));

test('a password matches only its own hash, and hashes are salted', async () => {
  const [hash, again] = await withPasswordHasher((able) => Promise.all([able.hash('pohutukawa-9'), able.hash('pohutukawa-9')]));
  expect(hash).not.toBe(again);
  expect(await isMatch(hash, 'pohutukawa-9')).toBe(true);
  expect(await isMatch(hash, 'Pohutukawa-9')).toBe(false);
  expect(await isMatch(hash, '')).toBe(false);
});

test('hashes of other programs and of an earlier cost match, and a damaged one is an error', async () => {
  const stored = '$argon2id$v=19$m=19456,t=2,p=1$AQEBAQEBAQEBAQEBAQEBAQ$Ska7H+OAK5nZPmk7Z8aCeXNKmsJlHXygcKNmjai1wrA';
  expect(await isMatch(stored, 'the password')).toBe(true);
  expect(await isMatch(stored, 'the Password')).toBe(false);
  argon2id.cost = { memory: 64, passes: 1, parallelism: 1 };
  const cheap = await withPasswordHasher((able) => able.hash('pohutukawa-9'));
  argon2id.cost = realCost;
  expect(cheap).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
  expect(await isMatch(cheap, 'pohutukawa-9')).toBe(true);
  await expect(isMatch(stored.slice(0, 40), 'the password')).rejects.toThrow('not an Argon2id hash');
});

test('no password matches a missing or placeholder hash, not even the password of the dummy hash', async () => {
  for (const hash of [undefined, '', '!', 'the password of nobody']) {
    expect(await isMatch(hash, 'the password of nobody')).toBe(false);
    expect(await isMatch(hash, hash ?? '')).toBe(false);
  }
});

test('compares against a dummy hash of the same cost if there is no hash', async () => {
  const hash = await withPasswordHasher((able) => able.hash('pohutukawa-9'));
  const costs = [];
  for (const one of [hash, undefined, '!']) {
    vi.mocked(argon2id.verify).mockClear();
    await isMatch(one, 'wrong');
    expect(argon2id.verify).toHaveBeenCalledOnce();
    costs.push(String(vi.mocked(argon2id.verify).mock.lastCall?.[0]).split('$').slice(0, 4).join('$'));
  }
  expect(new Set(costs)).toEqual(new Set(['$argon2id$v=19$m=19456,t=2,p=1']));
});

test('a sign-in that has waited for five seconds is rejected as busy, and others go on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  limitPasswordWait(700);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const running: Promise<void>[] = [];
  for (;;) {
    const before = passwordQueue.waiting;
    running.push(withPasswordHasher(() => held));
    if (passwordQueue.waiting > before) break;
  }
  const last = running.pop();
  const rejected = last?.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(passwordQueue.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await rejected).toMatchObject({ code: 'busy', retryAfterSeconds: expect.any(Number) });
  expect(passwordQueue.waiting).toBe(0);
  release();
  await Promise.all(running);
});

test('waits as long as other requests may where that is longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  limitPasswordWait(60_000);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const running = Array.from({ length: passwordQueue.running + 4 }, () => withPasswordHasher(() => held));
  await vi.advanceTimersByTimeAsync(30_000);
  release();
  expect(await Promise.allSettled(running)).not.toContainEqual(expect.objectContaining({ status: 'rejected' }));
});

test('recognises the 3,000 most common passwords of at least six characters, in any case', async () => {
  const long = dictionary['passwords-common'].map(String).filter((password) => password.length >= 6);
  expect(long.length).toBeGreaterThan(3_100);
  const known = (of: string[]) => Promise.all(of.map((password) => isCommonPassword(password)));
  expect(new Set(await known(long.slice(0, 3_000).map((password) => password.toUpperCase())))).toEqual(new Set([true]));
  expect(new Set(await known(long.slice(3_000, 3_100)))).toEqual(new Set([false]));
  expect(await known(['123456', '12345'])).toEqual([true, false]);
});
