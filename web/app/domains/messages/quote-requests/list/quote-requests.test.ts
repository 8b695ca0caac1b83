import { formatTrade, formatWanted } from '@handwise/contract/messages/job-words';
import { expect, test } from 'vitest';
import { describeAnswer, describeRequest } from './quote-requests.tsx';

const receiver = (answeredAt: string | null) => ({
  conversationId: 'one',
  listing: { _id: 'one', serviceTitle: 'Plumber', status: 'active' as const },
  business: 'Kingi & Daughters',
  answeredAt,
  unread: 0,
});

test.each([
  [[null], 'Today', 'Sent today to 1 business, nobody has answered yet.'],
  [[null, 'x', null], 'Yesterday', 'Sent yesterday to 3 businesses, 1 has answered.'],
  [['x', 'x'], 'Nov 3, 2026', 'Sent on Nov 3, 2026 to 2 businesses, 2 have answered.'],
])('describes when a request was sent, to how many and who has answered: %j, %s', (answers, day, words) => {
  expect(describeRequest({ receivers: answers.map(receiver) }, day)).toBe(words);
});

test("shows each business's first answer and unread messages", () => {
  expect(describeAnswer({ answeredAt: null, unread: 0 }, '')).toBe('No answer yet');
  expect(describeAnswer({ answeredAt: 'x', unread: 0 }, 'Today')).toBe('Answered today');
  expect(describeAnswer({ answeredAt: 'x', unread: 2 }, 'Nov 3, 2026')).toBe('Answered on Nov 3, 2026, 2 unread');
});

test('shows kind and time of a job as others see them', () => {
  expect([formatTrade('Plumbing', 'Pipe repairs'), formatTrade('Roofing', 'Roofing'), formatTrade('Roofing', null)]).toEqual([
    'Plumbing: Pipe repairs',
    'Roofing',
    'Roofing',
  ]);
  expect([
    formatWanted('asap', null),
    formatWanted('two_weeks', null),
    formatWanted('flexible', null),
    formatWanted('date', '2027-01-31'),
  ]).toEqual(['As soon as possible', 'Within two weeks', 'Any time', 'On Jan 31, 2027']);
});
