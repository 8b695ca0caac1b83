import { expect, test } from 'vitest';
import { eventStreamReader, type StreamEvent } from './event-stream.ts';

const text =
  ': here\n\nid: 7\nevent: unread\ndata: {"conversations":2}\n\n: still here\n\nid: 8\r\nevent: message\r\ndata: one\r\ndata:two: 2\r\n\r\nid: 9\n\n';

function read(pieces: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const take = eventStreamReader((event) => events.push(event));
  for (const piece of pieces) take(piece);
  return events;
}

const events = [
  { id: '7', kind: 'unread', data: '{"conversations":2}' },
  { id: '8', kind: 'message', data: 'one\ntwo: 2' },
];

test('events come out whole, heartbeats and ids alone are none', () => {
  expect(read([text])).toEqual(events);
});

test('wherever the pieces end, the events are the same', () => {
  expect(read(text.split(''))).toEqual(events);
  for (let cut = 0; cut <= text.length; cut += 1) expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(events);
});

test('an event without a name is a message, also after one with a name, and one that has not ended is not told', () => {
  expect(read(['data: hello\n\nevent: unread\ndata: 1\n\ndata: again\n\nevent: unread\ndata: half\n'])).toEqual([
    { id: '', kind: 'message', data: 'hello' },
    { id: '', kind: 'unread', data: '1' },
    { id: '', kind: 'message', data: 'again' },
  ]);
});
