import { expect, test } from 'vitest';
import { isMadeOfOwnWords, rejectWeakPassword } from './accounts.rules.ts';

const owner = { full_name: 'Mere Te Kīngi-Ōrewa', username: 'mere_plumbs22', email: 'm.kingi+work@wai.example' };

test.each([
  'mere2024',
  'MERE!!mere!!',
  'Kingi1987',
  'orewa-1987',
  'kīngiōrewa',
  'mere.te.kingi.9',
  'plumbs22',
  'mere_plumbs22',
  'work-work-work',
  'Handwise2026',
  'handwiseMere1',
  'newzealand1',
  'Aotearoa!!',
  'mere4829371',
  'xmerex1',
])('rejects %s as made of the account’s own words', (password) => {
  expect(isMadeOfOwnWords(password, owner)).toBe(true);
});

test.each(['pohutukawa-9', '84729183746', 'merengue-pie', 'mere-likes-tea', 'kererū-in-the-tree', 'te1te2te3', 'wai-o-tapu', 'mereabc1'])(
  'accepts %s',
  (password) => {
    expect(isMadeOfOwnWords(password, owner)).toBe(false);
  },
);

test('ignores names of one or two letters, and accepts any password when there are no names', () => {
  const short = { full_name: 'Al Bo', username: 'a_b', email: 'al@example.org' };
  expect(isMadeOfOwnWords('albo1234', { ...short })).toBe(true);
  expect(isMadeOfOwnWords('al-1234567', short)).toBe(false);
});

test('removes longer words first, and words of three letters too', () => {
  const nested = { full_name: 'Ana Anahera', username: 'anahera_x', email: 'info@example.org' };
  expect(isMadeOfOwnWords('ANAHERA!xy', nested)).toBe(true);
  expect(isMadeOfOwnWords('Ana-2026', nested)).toBe(true);
});

test('says why a password is rejected', async () => {
  const messageOf = (password: string) =>
    rejectWeakPassword(password, owner).then(
      () => null,
      (error: { fields?: { field: string; message: string }[] }) =>
        error.fields?.map(({ field, message }) => `${field}: ${message}`).join(),
    );
  expect(await messageOf('password')).toBe('password: This password is too common');
  expect(await messageOf('Kingi1987')).toBe('password: This password is based on your own name or address. Choose another one.');
  expect(await messageOf('pohutukawa-9')).toBeNull();
});
