import { expect, test } from 'vitest';
import { readEnv } from '../../env.ts';
import { defaultLimits } from './limits.ts';

const { clients, bodies, rejections, ...queues } = defaultLimits;
const { databasePool } = readEnv({ NODE_ENV: 'test' });

test.each(Object.entries(queues))(
  'a network runs at most two thirds of all %s, and less than half of the waiting ones are its own',
  (_, limits) => {
    const { running, waiting, perClient } = limits;
    expect(perClient?.running).toBeLessThanOrEqual(Math.max(1, (running * 2) / 3));
    expect(perClient?.waiting).toBeLessThan(waiting / 2);
  },
);

test('searches and the calls of one network need no more connections than the pool has', () => {
  expect(queues.searches.running).toBeLessThanOrEqual(databasePool);
  expect(queues.calls.perClient?.running).toBeLessThan(databasePool);
});

test('renders few pages at a time, and draws one PDF', () => {
  expect(queues.pages.running).toBeLessThanOrEqual(4);
  expect(queues.documents.running).toBe(1);
});

test('a browser with six connections and a page of forty pictures meets no limit', () => {
  expect(queues.calls.perClient?.running).toBeGreaterThanOrEqual(6);
  for (const { perClient } of Object.values(queues)) expect(perClient?.waiting).toBeGreaterThanOrEqual(40);
});

test('a stalled connection is closed after half a minute', () => {
  expect(clients).toEqual({ stalledMs: 30_000, pipelined: 4, cuts: 10, refusedMs: 10_000 });
});

test('a body is complete after ten seconds, and a form with files brings eight kilobytes a second', () => {
  expect(bodies).toEqual({ completeMs: 10_000, uploads: { bytes: 30 * 8_000, periodMs: 30_000, atOnce: 3 } });
});

test('thirty rejections a minute are sent at once, and further ones after a second', () => {
  expect(rejections).toEqual({ free: 30, windowMs: 60_000, delayMs: 1_000, maxDelayed: 2_000 });
});
