import { expect, test } from 'vitest';
import { listComboboxChoices, describeChoiceCount, getChoiceText } from './combobox-choices.ts';

const recent = (q: string, where = '') => ({ q, where });
const plumbing = { kind: 'category', label: 'Plumbing', detail: '', query: 'category=plumbing' } as const;
const drains = {
  kind: 'category',
  label: 'Drain cleaning',
  detail: 'Plumbing',
  query: 'category=plumbing&subCategory=drain-cleaning',
} as const;
const hamilton = { kind: 'place', label: 'Hamilton', detail: 'Waikato', query: 'country=NZ&region=waikato&district=hamilton' } as const;
const business = { kind: 'business', label: 'Plum & Co', detail: 'Plumbing, Taupō', query: 'q=Plum+%26+Co&raw=1' } as const;

test('offers only recent searches for an empty field, with their places', () => {
  expect(listComboboxChoices(' ', [recent('plumber', 'Taupō'), recent('tiler')], [plumbing])).toEqual([
    { kind: 'recent', label: 'plumber', detail: 'Taupō', query: 'q=plumber&where=Taup%C5%8D', search: recent('plumber', 'Taupō') },
    { kind: 'recent', label: 'tiler', detail: '', query: 'q=tiler', search: recent('tiler') },
  ]);
});

test('lists the last two matching recent searches first, without duplicates', () => {
  const searches = ['plumbing', 'plum 1', 'roofer', 'plum 2', 'plum 3'].map((q) => recent(q));
  expect(listComboboxChoices('plum', searches, [plumbing, business]).map(({ label }) => label)).toEqual([
    'plumbing',
    'plum 1',
    'Plum & Co',
  ]);
});

test('fills in a place with its region, and anything else by its name', () => {
  expect([hamilton, { ...hamilton, detail: '' }, drains, business].map(getChoiceText)).toEqual([
    'Hamilton, Waikato',
    'Hamilton',
    'Drain cleaning',
    'Plum & Co',
  ]);
});

test('announces the number of choices, and how to remove one', () => {
  expect(describeChoiceCount(0, 0)).toBe('No suggestions');
  expect(describeChoiceCount(1, 0)).toBe('1 suggestion');
  expect(describeChoiceCount(3, 0)).toBe('3 suggestions');
  expect(describeChoiceCount(3, 2)).toBe('3 suggestions. Press Delete on a recent search to remove it');
});
