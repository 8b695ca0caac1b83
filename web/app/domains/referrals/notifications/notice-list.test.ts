import { expect, test } from 'vitest';
import { badgeText, mayTestNotices, type Notice, noticeText, withNotice, withoutSeen, withRead } from './notice-list.ts';

const notice = (id: string, type: Notice['type'] = 'signup'): Notice => ({ id, type, timestamp: '2026-11-22T01:00:00.000Z', tickets: 1 });
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

test('keeps notices that arrived during the request, each once', () => {
  expect(withRead([three, two], [two, one])).toEqual([three, two, one]);
});

test('each kind has its own words', () => {
  expect(noticeText(notice('a', 'signup'))).toMatch(/signed up .* 1 ticket /);
  expect(noticeText(notice('a', 'listing'))).toMatch(/created a listing .* 5 tickets /);
});

test('the badge counts up to nine', () => {
  expect([badgeText(1), badgeText(9), badgeText(10)]).toEqual(['1', '9', '9+']);
});

test.each([
  [true, undefined, true],
  [true, 'user', true],
  [false, 'admin', true],
  [false, 'user', false],
  [false, undefined, false],
])('with the sandbox at %s whoever is %s sees the panel that simulates: %s', (sandbox, role, sees) => {
  expect(mayTestNotices(sandbox, role)).toBe(sees);
});
