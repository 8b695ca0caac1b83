import { dictionary } from '@zxcvbn-ts/language-common';
import { verify } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { isCommonPassword, withPasswords } from './password.ts';

// Watched, and at work as ever.
vi.mock('@node-rs/argon2', { spy: true });

const isRight = (hash: string | undefined, password: string) => withPasswords((able) => able.isRight(hash, password));

test('a password is right for its own hash only, and every hash is another one', async () => {
  const [hash, again] = await withPasswords((able) => Promise.all([able.hash('pohutukawa-9'), able.hash('pohutukawa-9')]));
  expect(hash).not.toBe(again);
  expect(await isRight(hash, 'pohutukawa-9')).toBe(true);
  expect(await isRight(hash, 'Pohutukawa-9')).toBe(false);
  expect(await isRight(hash, '')).toBe(false);
});

test('without a hash, or with one that no password gives, every password is wrong: also the one that stands in', async () => {
  for (const hash of [undefined, '', '!', 'the password of nobody']) {
    expect(await isRight(hash, 'the password of nobody')).toBe(false);
    expect(await isRight(hash, hash ?? '')).toBe(false);
  }
});

test('a password without a hash is compared all the same, with a hash of the same cost', async () => {
  const hash = await withPasswords((able) => able.hash('pohutukawa-9'));
  const costs = [];
  for (const one of [hash, undefined, '!']) {
    vi.mocked(verify).mockClear();
    await isRight(one, 'wrong');
    expect(verify).toHaveBeenCalledOnce();
    costs.push(String(vi.mocked(verify).mock.lastCall?.[0]).split('$').slice(0, 4).join('$'));
  }
  expect(new Set(costs)).toEqual(new Set(['$argon2id$v=19$m=19456,t=2,p=1']));
});

test('the 3,000 most common passwords of six characters and more are known, in any case', async () => {
  const long = dictionary['passwords-common'].map(String).filter((password) => password.length >= 6);
  expect(long.length).toBeGreaterThan(3_100);
  const known = (of: string[]) => Promise.all(of.map((password) => isCommonPassword(password)));
  expect(new Set(await known(long.slice(0, 3_000).map((password) => password.toUpperCase())))).toEqual(new Set([true]));
  expect(new Set(await known(long.slice(3_000, 3_100)))).toEqual(new Set([false]));
  expect(await known(['123456', '12345'])).toEqual([true, false]);
});
