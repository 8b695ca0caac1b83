import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { isCommonPassword, withPasswords } from './password.ts';

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

test('the 3,000 most common passwords of six characters and more are known, in any case', () => {
  const long = dictionary['passwords-common'].map(String).filter((password) => password.length >= 6);
  expect(long.length).toBeGreaterThan(3_100);
  expect(long.slice(0, 3_000).filter((password) => !isCommonPassword(password.toUpperCase()))).toEqual([]);
  expect(long.slice(3_000, 3_100).filter((password) => isCommonPassword(password))).toEqual([]);
  expect(isCommonPassword('123456')).toBe(true);
  expect(isCommonPassword('12345')).toBe(false);
});
