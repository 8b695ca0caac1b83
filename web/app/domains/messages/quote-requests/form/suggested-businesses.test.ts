import { expect, test } from 'vitest';
import type { Outcomes } from '../../first-message/send-to-several.tsx';
import { listChoices, startingPicks, toggleBusiness } from './suggested-businesses.tsx';

const pick = (listingId: string) => ({ listingId, name: `Business ${listingId}`, title: 'Plumber' });
const ids = (picks: readonly { listingId: string }[]) => picks.map(({ listingId }) => listingId).join('');
const none: Outcomes = new Map();

test('selects and deselects a business, three at most', () => {
  const three = ['a', 'b', 'c'].map(pick);
  expect(ids(toggleBusiness([], pick('a'), none))).toBe('a');
  expect(ids(toggleBusiness(three.slice(0, 2), pick('c'), none))).toBe('abc');
  expect(ids(toggleBusiness(three, pick('d'), none))).toBe('abc');
  expect(ids(toggleBusiness(three, pick('b'), none))).toBe('ac');
});

test('locks receivers that have it, and lets failed ones be deselected', () => {
  const outcomes: Outcomes = new Map([
    ['a', { conversationId: 'talk' }],
    ['b', { problem: 'It has ended.' }],
  ]);
  const both = ['a', 'b'].map(pick);
  expect(ids(toggleBusiness(both, pick('a'), outcomes))).toBe('ab');
  expect(ids(toggleBusiness(both, pick('b'), outcomes))).toBe('a');
});

test('offers selected businesses that are no longer suggested, each once', () => {
  const pros = ['b', 'c'].map((id) => ({ ...pick(id), average: 5 }));
  expect(ids(listChoices(['a', 'b'].map(pick), pros))).toBe('abc');
  expect(listChoices(['b'].map(pick), pros)[0]).toHaveProperty('average');
});

test('selects the referring listing first, and ignores selections for another kind of job', () => {
  const draft = { category: 'Plumbing', picks: ['a', 'b', 'c'].map(pick) };
  expect(ids(startingPicks(draft, {}))).toBe('abc');
  expect(ids(startingPicks(draft, { category: 'Plumbing', listing: pick('d') }))).toBe('dab');
  expect(ids(startingPicks(draft, { category: 'Plumbing', listing: pick('b') }))).toBe('bac');
  expect(ids(startingPicks(draft, { category: 'Roofing', listing: pick('d') }))).toBe('d');
  expect(ids(startingPicks(draft, { category: 'Roofing' }))).toBe('');
  expect(ids(startingPicks({ ...draft, category: '' }, { category: 'Roofing' }))).toBe('abc');
});
