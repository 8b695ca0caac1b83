import { expect, test } from 'vitest';
import { formatDistance, travelsThere } from './distance-words.ts';
import { countSentence, findHeading, findIntro, listReasons, describeWidening, describeWishes } from './find-words.ts';

const read = (change: object) => ({ category: null, subCategory: null, place: null, words: '', ...change });

test.each([
  [{}, 'All services'],
  [{ place: 'Otago' }, 'All services in Otago'],
  [{ category: 'Plumbing' }, 'Plumbing'],
  [{ category: 'Plumbing', subCategory: 'Drain cleaning', place: 'Otago' }, 'Plumbing: Drain cleaning in Otago'],
  [{ words: 'tap' }, '“tap”'],
  [{ words: 'tap', place: 'Otago' }, '“tap” in Otago'],
  [{ words: 'tap', category: 'Plumbing', place: 'Otago' }, '“tap” in Plumbing, Otago'],
])('heads a search understood as %j “%s”', (change, heading) => {
  expect(findHeading(read(change))).toBe(heading);
});

test('shows search engines the actual number', () => {
  expect(findIntro(read({ category: 'Plumbing' }), 1, true)).toMatch(/^1 listing for Plumbing: /);
  expect(findIntro(read({ category: 'Plumbing' }), 0, true)).toBe('No listing for Plumbing yet, and what comes close.');
});

test('shows the specified count text, and where counting stopped', () => {
  expect(countSentence(20, 86, true)).toBe('20 of 86 Active Listings');
  expect(countSentence(20, 1000, true)).toBe('20 of 1,000 Active Listings');
  expect(countSentence(20, 1000, false)).toBe('20 of 1,000+ Active Listings');
});

test('says how a search was widened', () => {
  expect(describeWidening([])).toBeNull();
  expect(describeWidening(['without “tonight”', 'in Waikato'])).toBe(
    'No one matches all of that yet. Here’s what comes close: without “tonight”, and in Waikato.',
  );
});

test('uses the number as the heading of a listing found by it', () => {
  expect(findHeading(read({ words: '#1991' }))).toBe('Listing #1991');
});

test.each([
  [0.99, 'under 1 km away'],
  [1, '1.0 km away'],
  [3.24, '3.2 km away'],
  [9.96, '10 km away'],
  [12.6, '13 km away'],
])('shows %d kilometres as %s', (km, text) => {
  expect(formatDistance(km)).toBe(text);
});

const bought = 'It is Featured: the business pays for a plan that comes before others that fit as well.';
const byPlan = 'Those that fit best come first, then by plan, distance and age.';
const byDate = 'The list is in order of publication, newest first.';
test.each([
  ['a featured one', { rank: 'featured', words: [] }, undefined, false, [bought, byPlan]],
  [
    'a highlighted one',
    { rank: 'premium', words: [] },
    undefined,
    false,
    ['It is Highlighted: the business pays for a plan that comes before others that fit as well.', byPlan],
  ],
  ['one without a plan that counts', { rank: 'basic', words: [] }, undefined, false, ['Nobody paid for a higher position.', byPlan]],
  ['one in a paid place of another order', { rank: 'featured', words: [] }, 'newest', true, [bought, byDate]],
  [
    'a featured one in its own place of another order',
    { rank: 'featured', words: [] },
    'newest',
    false,
    ['It is Featured, which does not count in this order.', byDate],
  ],
  [
    'one found by words and distance',
    { rank: 'basic', words: ['title', 'business', 'services'], distanceKm: 3.2 },
    'nearest',
    false,
    [
      'Nobody paid for a higher position.',
      'Your words are in its title, the business name and its services.',
      'It is based 3.2 km away.',
      'The list is in order of distance.',
    ],
  ],
  [
    'one found by its category',
    { rank: 'basic', words: ['category'] },
    'rating',
    false,
    [
      'Nobody paid for a higher position.',
      'Your words are in its category.',
      'The list is in order of rating: the average, weighed against the number of reviews.',
    ],
  ],
] as const)('why %s stands where it stands is said as it is', (_, why, sort, paidPlacement, sentences) => {
  expect(listReasons(why, { sort, paidPlacement })).toEqual(sentences);
});

test('says in which section and level a card is', () => {
  const why = { rank: 'basic', words: [], level: 'mentions' } as const;
  const first = (section: 'match' | 'further' | 'related') => listReasons(why, { sort: undefined, paidPlacement: false, section })[0];
  expect([first('match'), first('further'), first('related')]).toEqual([
    'It mentions what you need, so it comes after those that name it.',
    'It does what you need, but is further away than you asked for.',
    'It does other work of the same kind.',
  ]);
});

test('says what became of wishes that are no filter', () => {
  const wish = (text: string, more = {}) => ({ text, filter: null, isOffer: false, isFirst: false, ...more });
  const said = (wishes: ReturnType<typeof wish>[], widened: string[] = []) => describeWishes({ wishes, widened });
  expect(said([wish('this weekend')])).toBe('“this weekend” is not something that listings say yet.');
  expect(said([wish('cheap'), wish('on Sunday')])).toBe('“cheap” and “on Sunday” are not something that listings say yet.');
  expect(said([wish('tonight', { isFirst: true })])).toBe('Any businesses that fit “tonight” come first.');
  expect(said([wish('under $60', { filter: 'maxPrice=60' })])).toBeNull();
  expect(said([wish('under $60')], ['without “under $60”'])).toBeNull();
});

test.each([
  ['a match beyond the radius', 57.2, 'match', 25, true],
  ['a match within it', 24.9, 'match', 25, false],
  ['one that is listed as further away', 57.2, 'further', 25, false],
  ['a match of an area', 57.2, 'match', undefined, false],
] as const)('%s travels: %s km, %s, %s: %s', (_, distance, section, km, travels) => {
  expect(travelsThere(distance, section, km)).toBe(travels);
});
