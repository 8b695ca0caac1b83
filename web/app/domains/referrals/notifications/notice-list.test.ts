import { expect, test } from 'vitest';
import { formatBadge, mayTestNotices, type ReferralNotice, formatNotice, withNotice, withoutSeen, withRead } from './notice-list.ts';

const notice = (id: string, type: ReferralNotice['type'] = 'signup'): ReferralNotice => ({
  id,
  type,
  timestamp: '2026-11-22T01:00:00.000Z',
  tickets: 1,
});
const [one, two, three] = [notice('one'), notice('two'), notice('three')] as const;

test('puts a new notice in front, once', () => {
  expect(withNotice([one], two)).toEqual([two, one]);
  expect(withNotice([one, two], two)).toEqual([two, one]);
});

test('removes seen notices, and returns the same list if there are none', () => {
  const notices = [three, two, one];
  expect(withoutSeen(notices, ['two', 'none'])).toEqual([three, one]);
  expect(withoutSeen(notices, ['none'])).toBe(notices);
});

test('merges notices that arrived during the request', () => {
  expect(withRead([three, two], [two, one])).toEqual([three, two, one]);
});

test('describes each kind of notice', () => {
  expect(formatNotice(notice('a', 'signup'))).toMatch(/signed up .* 1 ticket /);
  expect(formatNotice(notice('a', 'listing'))).toMatch(/created a listing .* 5 tickets /);
});

test('names the prize of the draw that the tickets are for, which may not be the one that runs', () => {
  expect(formatNotice({ ...notice('a'), prize: 2500 })).toMatch(/ 1 ticket for the \$2,500 monthly draw\.$/);
  expect(formatNotice(notice('a'))).toMatch(/ for the \$1,000 monthly draw\.$/);
});

test('caps the badge at 9+', () => {
  expect([formatBadge(1), formatBadge(9), formatBadge(10)]).toEqual(['1', '9', '9+']);
});

test.each([
  [true, undefined, true],
  [true, 'user', true],
  [false, 'admin', true],
  [false, 'user', false],
  [false, undefined, false],
])('shows the simulation panel with sandbox %s and role %s: %s', (sandbox, role, isShown) => {
  expect(mayTestNotices(sandbox, role)).toBe(isShown);
});
