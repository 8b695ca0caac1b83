import { expect, test } from 'vitest';
import { readEnv } from '../../env.ts';
import { usualBounds } from './bounds.ts';

const { networkWork, readers, refusals, ...turns } = usualBounds;
const { databasePool } = readEnv({ NODE_ENV: 'test' });

test.each(Object.entries(turns))(
  'of %s one network has at most two thirds at work, where more than one can be, and not half of what waits',
  (_, limits) => {
    const { running, waiting, ofOne } = limits;
    expect(ofOne?.running).toBeLessThanOrEqual(Math.max(1, (running * 2) / 3));
    expect(ofOne?.waiting).toBeLessThan(waiting / 2);
  },
);

test('neither searches nor the calls of one network wait for more connections than the database gives', () => {
  expect(turns.searches.running).toBeLessThanOrEqual(databasePool);
  expect(turns.calls.ofOne?.running).toBeLessThan(databasePool);
});

test('few pages are rendered at a time, and one sheet is drawn', () => {
  expect(turns.pages.running).toBeLessThanOrEqual(4);
  expect(turns.documents.running).toBe(1);
});

test('a browser’s six connections with a call each, and a page of forty pictures beside, are nothing to refuse', () => {
  expect(turns.calls.ofOne?.running).toBeGreaterThanOrEqual(6);
  for (const { ofOne } of Object.values(turns)) expect(ofOne?.waiting).toBeGreaterThanOrEqual(40);
});

test('a network may have a third of a server, and a connection that stands still half a minute', () => {
  expect(networkWork.milliseconds / networkWork.windowMs).toBeCloseTo(1 / 3);
  expect(readers).toEqual({ stalledMs: 30_000, pipelined: 4, cuts: 10, refusedMs: 10_000 });
});

test('thirty refusals a minute are told at once, and others after a second, of which not so many wait that memory does', () => {
  expect(refusals).toEqual({ atOnce: 30, windowMs: 60_000, heldMs: 1_000, held: 2_000 });
});
