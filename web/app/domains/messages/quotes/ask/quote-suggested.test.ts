import { expect, test } from 'vitest';
import type { Outcomes } from '../../first-message/send-to-several.tsx';
import { offered, startingPicks, toggled } from './quote-suggested.tsx';

const pick = (listingId: string) => ({ listingId, name: `Business ${listingId}`, title: 'Plumber' });
const ids = (picks: readonly { listingId: string }[]) => picks.map(({ listingId }) => listingId).join('');
const none: Outcomes = new Map();

test('a business is picked and taken back, three at most', () => {
  const three = ['a', 'b', 'c'].map(pick);
  expect(ids(toggled([], pick('a'), none))).toBe('a');
  expect(ids(toggled(three.slice(0, 2), pick('c'), none))).toBe('abc');
  expect(ids(toggled(three, pick('d'), none))).toBe('abc');
  expect(ids(toggled(three, pick('b'), none))).toBe('ac');
});

test('to whom it has gone stays picked; one that it did not get through to can be taken back', () => {
  const outcomes: Outcomes = new Map([
    ['a', { conversationId: 'talk' }],
    ['b', { problem: 'It has ended.' }],
  ]);
  const both = ['a', 'b'].map(pick);
  expect(ids(toggled(both, pick('a'), outcomes))).toBe('ab');
  expect(ids(toggled(both, pick('b'), outcomes))).toBe('a');
});

test('what is picked is offered also where it is not suggested any more, each once', () => {
  const pros = ['b', 'c'].map((id) => ({ ...pick(id), average: 5 }));
  expect(ids(offered(['a', 'b'].map(pick), pros))).toBe('abc');
  expect(offered(['b'].map(pick), pros)[0]).toHaveProperty('average');
});

test('the listing that somebody comes from is picked first, and picks for another kind of job are none for this one', () => {
  const draft = { category: 'Plumbing', picks: ['a', 'b', 'c'].map(pick) };
  expect(ids(startingPicks(draft, {}))).toBe('abc');
  expect(ids(startingPicks(draft, { category: 'Plumbing', listing: pick('d') }))).toBe('dab');
  expect(ids(startingPicks(draft, { category: 'Plumbing', listing: pick('b') }))).toBe('bac');
  expect(ids(startingPicks(draft, { category: 'Roofing', listing: pick('d') }))).toBe('d');
  expect(ids(startingPicks(draft, { category: 'Roofing' }))).toBe('');
  expect(ids(startingPicks({ ...draft, category: '' }, { category: 'Roofing' }))).toBe('abc');
});
