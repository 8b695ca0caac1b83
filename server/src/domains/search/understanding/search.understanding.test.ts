import { regions } from '@handwise/contract/places/regions';
import { trades, wordsOfText } from '@handwise/contract/search/trades';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { knownIn } from './search.attempts.ts';
import { type Known, understand, nearestTradeWord } from './search.understanding.ts';

const known: Known = { ...knownIn('NZ'), classify: () => [] };
const shown = (text: string, more: Partial<Known> = {}) =>
  understand(text, { ...known, ...more }).readings.map(({ category, subCategories, place, words }) =>
    [category?.name ?? subCategories[0]?.name ?? '', place?.name ?? '', words].join('|'),
  );

test.each([
  ['plumber hamilton', ['Plumbing|Hamilton|', '||plumber hamilton']],
  ['tiler hamilton', ['Building & Construction|Hamilton|tiler', '|Hamilton|tiler', '||tiler hamilton']],
  ['plumber hot water cylinder', ['Plumbing||', '||plumber hot water cylinder']],
  ['emergency electrician', ['Electrical & Gas||emergency', 'Electrical & Gas||', '||emergency electrician']],
  ['retaining wall', ['Landscaping||retaining wall', '||retaining wall', '||retaining wall']],
  ['Wellington Window Co', ['||Wellington Window Co', 'Window & Glazing|Wellington|Co']],
  ['kapiti plumber', ['||kapiti plumber', 'Plumbing|Kāpiti Coast|']],
  ['wangarei', ['||wangarei', '|Whangārei|']],
  ['whangarei', ['|Whangārei|', '||whangarei']],
  ['tradie', ['||tradie', '||']],
  ['near me', ['||']],
  ['!!!', []],
  ['', []],
])('“%s” can be read as %j, in this order', (text, readings) => {
  expect(shown(text)).toEqual(readings);
});

test('a name by itself is somebody’s before it is that of a place that few live in', () => {
  const { listPlacesByName, isSmall } = knownIn(null);
  expect(shown('anderson', { listPlacesByName, isSmall })).toEqual(['||anderson', '|Anderson|']);
  expect(shown('cambridge')).toEqual(['|Cambridge|', '||cambridge']);
});

test('a sentence is what the classifier says, unless it names people of a trade; a place in it stands behind a preposition', () => {
  const [plumbing, roofing] = [6, 7].map((code) => trades.find(({ category }) => category?.code === code)?.category ?? null);
  const classify = () => [
    { category: roofing ?? null, subCategories: [], probability: 0.7 },
    { category: plumbing ?? null, subCategories: [], probability: 0.2 },
  ];
  expect(shown('my ceiling is wet in hamilton', { classify })[0]).toBe('Roofing|Hamilton|');
  expect(understand('my ceiling is wet', { ...known, classify }).guesses.map(({ category }) => category?.name)).toEqual([
    'Roofing',
    'Plumbing',
  ]);
  expect(shown('i need a plumber in hamilton', { classify })[0]).toBe('Plumbing|Hamilton|');
  expect(shown('my gore fence is broken', { classify })[0]).toBe('Roofing||');
});

test('what is no sentence is guessed only where the guess is clear and its words come first', () => {
  const guess = (probability: number) => ({ classify: () => [{ category: trades[0]?.category ?? null, subCategories: [], probability }] });
  expect(shown('quux blorb', guess(0.9))).toEqual(['||quux blorb', 'Plumbing||']);
  expect(shown('quux blorb', guess(0.5))).toEqual(['||quux blorb']);
  expect(shown('quux', guess(0.9))).toEqual(['||quux']);
});

test('what was chosen besides narrows what is read: other places and trades are words', () => {
  const covers = { covers: ({ regionCode }: { regionCode?: number }) => regionCode === 2 };
  const read = (text: string, given: Parameters<typeof understand>[2]) => understand(text, known, given).readings[0];
  expect(read('plumber hamilton', covers)).toMatchObject({ place: null, words: 'hamilton' });
  expect(read('plumber otahuhu', covers)).toMatchObject({ place: { name: 'Ōtāhuhu' }, words: '' });
  expect(read('plumber painter', { fits: ({ category }) => category?.code === 8 })).toMatchObject({
    category: { code: 8 },
    words: 'plumber',
  });
});

test('any trade and any place written together are read as both', () => {
  const named = trades.flatMap((trade) => trade.who.map((words) => ({ words, trade })));
  const districts = regions
    .filter(({ country }) => country === 'NZ')
    .flatMap((region) => region.districts.map((district) => ({ region, district })));
  fc.assert(
    fc.property(
      fc.constantFrom(...named),
      fc.constantFrom(...districts),
      fc.constantFrom(' ', ' in ', ' near '),
      ({ words, trade }, { region, district }, between) => {
        const [reading] = understand(`${words}${between}${district.name}`, known).readings;
        expect(reading?.category ?? reading?.subCategories).toEqual(trade.category ?? trade.subCategories);
        expect(reading?.place?.regionCode).toBe(region.code);
        expect(reading?.words).toBe('');
      },
    ),
    { numRuns: 100, seed: 11 },
  );
});

test('whatever is typed is read in a few ways, each with words of the text alone, and as it stands', () => {
  const parts = [
    'plumber',
    'hamilton',
    'in',
    'tiler',
    'co',
    'my',
    'is',
    'near me',
    '3204',
    'wangarei',
    'ß',
    '½',
    '٣',
    "d'arcy",
    '🪛',
    '-',
    'x'.repeat(40),
  ];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 12 })), { maxLength: 12 }), (typed) => {
      const text = typed.join(' ').slice(0, 120);
      const { readings } = understand(text, known);
      expect(readings.length).toBeLessThanOrEqual(4);
      const had = [...wordsOfText(text), 'tiler', ''];
      for (const { words } of readings) for (const word of words.split(' ').flatMap(wordsOfText)) expect(had).toContain(word);
    }),
    { numRuns: 150, seed: 5 },
  );
});

test.each([
  ['plumer', 'plumber'],
  ['electrican', 'electrician'],
  ['tyler', 'tiler'],
  ['faint', undefined],
  ['tilrr', 'tiler'],
  ['xylophone', undefined],
  ['lwan', undefined],
])('the trade that %s is nearest to is %s: short words and first letters are as they are', (typed, meant) => {
  expect(nearestTradeWord(typed)).toBe(meant);
});
