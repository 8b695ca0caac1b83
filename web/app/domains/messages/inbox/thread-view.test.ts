import type { Message } from '@handwise/contract/messages/calls';
import { expect, test } from 'vitest';
import type { Pending } from './outbox.ts';
import {
  formatDay,
  hasOlder,
  getLastLine,
  getLastReceivedNumber,
  sentenceEnd,
  type ThreadData,
  listThreadItems,
  getWarningLine,
  addMessageToThread,
  addPageToThread,
  markSeenInThread,
} from './thread-view.ts';

const zone = 'Pacific/Auckland';
const conversation = { _id: 'c' } as ThreadData['conversation'];
const message = (number: number, more: Partial<Message> = {}): Message => ({
  _id: `id-${number}`,
  number,
  mine: false,
  text: `text ${number}`,
  pictures: [],
  pdf: null,
  createdAt: '2026-11-20T01:00:00.000Z',
  seenAt: null,
  warnings: [],
  clientId: null,
  ...more,
});
const thread = (...messages: Message[]): ThreadData => ({ quoteRequest: null, emailWaits: false, conversation, messages });
const numbers = (one: ThreadData | null) => one?.messages.map(({ number }) => number);

test('merges pages in any order, overlapping or repeated', () => {
  const newest = addPageToThread(undefined, thread(message(5), message(4), message(3)));
  expect(numbers(newest)).toEqual([3, 4, 5]);
  const older = addPageToThread(newest, thread(message(3), message(2), message(1)));
  expect(numbers(older)).toEqual([1, 2, 3, 4, 5]);
  expect([hasOlder(newest), hasOlder(older), hasOlder(thread())]).toEqual([true, false, false]);
});

test('omits messages before a gap until they are reloaded', () => {
  expect(numbers(addPageToThread(thread(message(1), message(2)), thread(message(9), message(8))))).toEqual([8, 9]);
  expect(numbers(addPageToThread(thread(message(1), message(2)), thread(message(4), message(3))))).toEqual([1, 2, 3, 4]);
});

test('keeps a new message when an older page arrives', () => {
  const updated = addMessageToThread(thread(message(1)), message(2));
  expect(numbers(addPageToThread(updated ?? undefined, thread(message(1))))).toEqual([1, 2]);
});

test('appends the next message, ignores a known one and one after a gap', () => {
  const known = thread(message(1), message(2));
  expect(numbers(addMessageToThread(known, message(3)))).toEqual([1, 2, 3]);
  expect(numbers(addMessageToThread(known, message(2)))).toEqual([1, 2]);
  expect(addMessageToThread(known, message(4))).toBeNull();
  expect(numbers(addMessageToThread(thread(), message(1)))).toEqual([1]);
});

test('marks own messages as seen up to the number, and never unmarks them', () => {
  const seen = markSeenInThread(
    thread(message(1, { mine: true }), message(2), message(3, { mine: true }), message(4, { mine: true })),
    3,
    'then',
  );
  expect(seen.messages.map((one) => one.seenAt)).toEqual(['then', null, 'then', null]);
  expect(markSeenInThread(seen, 4, 'later').messages.map((one) => one.seenAt)).toEqual(['then', null, 'then', 'later']);
  const read = addPageToThread(seen, thread(message(3, { mine: true }), message(1, { mine: true, seenAt: 'earlier' })));
  expect(read.messages.map((one) => one.seenAt)).toEqual(['earlier', null, 'then', null]);
});

test("reports the other side's last message as seen", () => {
  expect(getLastReceivedNumber(thread(message(1), message(2), message(3, { mine: true })))).toBe(2);
  expect(getLastReceivedNumber(thread(message(1, { mine: true })))).toBe(0);
});

const now = new Date('2026-11-21T02:00:00.000Z');
const pending = (clientId: string) => ({ clientId }) as Pending;
const kinds = (items: ReturnType<typeof listThreadItems>) =>
  items.map((item) =>
    item.kind === 'day' ? item.text : item.kind === 'message' ? `${item.message.number} ${item.status ?? ''}`.trim() : item.key,
  );

test('starts each day once, and shows on the last own message whether it was seen', () => {
  const items = listThreadItems(
    thread(
      message(1, { createdAt: '2026-11-13T01:00:00.000Z' }),
      message(2, { createdAt: '2026-11-20T01:00:00.000Z', mine: true, seenAt: 'then' }),
      message(3, { createdAt: '2026-11-20T01:01:00.000Z' }),
      message(4, { createdAt: '2026-11-21T01:00:00.000Z', mine: true }),
      message(5, { createdAt: '2026-11-21T01:01:00.000Z', mine: true }),
    ),
    [],
    now,
    zone,
  );
  expect(kinds(items)).toEqual(['Nov 13, 2026', '1', 'Yesterday', '2 Seen', '3', 'Today', '4', '5 Sent']);
});

test('lists pending messages last, until they arrive', () => {
  const known = thread(message(1, { createdAt: '2026-11-20T01:00:00.000Z', mine: true, clientId: 'a' }));
  expect(kinds(listThreadItems(known, [pending('a'), pending('b')], now, zone))).toEqual(['Yesterday', '1 Sent', 'Today', 'b']);
  expect(kinds(listThreadItems(known, [pending('a')], now, zone))).toEqual(['Yesterday', '1 Sent']);
  const today = thread(message(1, { createdAt: '2026-11-21T01:00:00.000Z' }));
  expect(kinds(listThreadItems(today, [pending('b')], now, zone))).toEqual(['Today', '1', 'b']);
});

test("uses the reader's time zone", () => {
  // Half past eleven in the evening there, half past ten in the morning in London.
  const time = '2026-11-20T10:30:00.000Z';
  expect([formatDay(time, now, zone), formatDay(time, now, 'Europe/London')]).toEqual(['Yesterday', 'Yesterday']);
  expect(formatDay('2026-11-20T12:00:00.000Z', now, zone)).toBe('Today');
  const items = [zone, 'Europe/London'].map((of) => listThreadItems(thread(message(1, { createdAt: time })), [], now, of)[1]);
  expect(items).toMatchObject([{ time: '11:30 pm' }, { time: '10:30 am' }]);
});

test('ends a sentence after a name with one full stop', () => {
  expect(['Mere K.', 'Kingi Plumbing'].map(sentenceEnd)).toEqual(['Mere K.', 'Kingi Plumbing.']);
});

test('warns in one line', () => {
  expect(getWarningLine([])).toBe('');
  expect(getWarningLine(['link'])).toBe('Open a link only if you know where it leads.');
  expect(getWarningLine(['link', 'bank_details'])).toBe(
    'Open a link only if you know where it leads. Pay into an account only once you have agreed on the work and know who you are paying.',
  );
});

test('shows a message in one line, marks own ones and counts pictures', () => {
  const last = { createdAt: 'then', seenAt: null, hasPdf: false };
  expect(getLastLine({ ...last, text: 'On my\n\nway', pictures: 0, mine: true })).toBe('You: On my way');
  expect(getLastLine({ ...last, text: 'See these', pictures: 2, mine: false })).toBe('See these');
  expect(getLastLine({ ...last, text: '', pictures: 1, mine: false })).toBe('A picture');
  expect(getLastLine({ ...last, text: '', pictures: 3, mine: true })).toBe('You: 3 pictures');
  expect(getLastLine({ ...last, text: '', pictures: 0, hasPdf: true, mine: true })).toBe('You: A PDF');
});
