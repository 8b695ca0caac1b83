import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeBreachedFilter, openBreachedPasswords } from './breached-passwords.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-breached-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const sha1 = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
async function filterOf(name: string, lines: readonly string[]) {
  writeFileSync(join(dir, name), lines.join('\n'));
  const path = join(dir, `${name}.filter`);
  return { path, count: await makeBreachedFilter(join(dir, name), path) };
}

test('a filter knows every password of its list, and hardly another one', async () => {
  const { path, count } = await filterOf(
    'plain',
    Array.from({ length: 2000 }, (_, index) => `breached-${index}`),
  );
  expect(count).toBe(2000);
  const filter = await openBreachedPasswords(path);
  for (let index = 0; index < 2000; index += 1) expect(await filter.has(`breached-${index}`)).toBe(true);
  let taken = 0;
  for (let index = 0; index < 5000; index += 1) if (await filter.has(`other-${index}`)) taken += 1;
  expect(taken).toBeLessThanOrEqual(5);
  await filter.close();
});

test('lists of hashes, with counts or without, and with the line ends of Windows are read', async () => {
  const { path, count } = await filterOf('hashes', [`${sha1('kererū')}:42\r`, `${sha1('tūī').toLowerCase()}\r`, 'pīwakawaka\r', '\r', '']);
  expect(count).toBe(3);
  const filter = await openBreachedPasswords(path);
  expect(await Promise.all(['kererū', 'tūī', 'pīwakawaka', 'kea', ''].map(filter.has))).toEqual([true, true, true, false, false]);
  await filter.close();
});

test('a filter is replaced while it is read', async () => {
  const { path } = await filterOf('first', ['kererū']);
  const before = await openBreachedPasswords(path);
  writeFileSync(join(dir, 'second'), 'tūī');
  await makeBreachedFilter(join(dir, 'second'), path);
  const after = await openBreachedPasswords(path);
  expect([await before.has('kererū'), await after.has('kererū'), await after.has('tūī')]).toEqual([true, false, true]);
  await before.close();
  await after.close();
});

test('without a file none is known; one that is missing, cut off or something else is refused', async () => {
  const none = await openBreachedPasswords(null);
  expect(await none.has('password')).toBe(false);
  await none.close();
  await expect(openBreachedPasswords(join(dir, 'nothing'))).rejects.toThrow(/ENOENT/);
  writeFileSync(join(dir, 'text'), 'password\n'.repeat(100));
  await expect(openBreachedPasswords(join(dir, 'text'))).rejects.toThrow(/no filter of breached passwords/);
  const { path } = await filterOf('whole', ['kererū']);
  const { readFileSync } = await import('node:fs');
  writeFileSync(join(dir, 'cut'), readFileSync(path).subarray(0, -1));
  await expect(openBreachedPasswords(join(dir, 'cut'))).rejects.toThrow(/no filter of breached passwords/);
});
