import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { regions } from '@handwise/contract/places/regions';
import { trades } from '@handwise/contract/search/trades';
import { splitWords } from '@handwise/contract/text';
import { createLookups } from './search.attempts.ts';
import { findNearestTradeWord } from './search.spelling.ts';
import { type Lookups, understand } from './search.understanding.ts';

const known: Lookups = { ...createLookups('NZ'), classify: () => [] };
const shown = (text: string, more: Partial<Lookups> = {}) =>
  understand(text, { ...known, ...more }).readings.map(({ category, subCategories, work, place, words }) =>
    [
      category?.name ?? subCategories[0]?.name ?? '',
      place?.name ?? '',
      [work && ['narrower', 'apart'].includes(work.kind) && work.words, words].filter(Boolean).join(' + '),
    ].join('|'),
  );

test.each([
  ['plumber hamilton', ['Plumbing|Hamilton|', '||plumber hamilton']],
  ['tiler hamilton', ['Building & Construction|Hamilton|tiler', '||tiler hamilton']],
  ['plumber hot water cylinder', ['Plumbing||', '||plumber hot water cylinder']],
  ['retaining wall', ['Landscaping||retaining wall', '||retaining wall']],
  ['bosch heat pump nelson', ['Electrical & Gas|Nelson|heat pump + bosch', '||bosch heat pump nelson']],
  ['Wellington Window Co', ['||Wellington Window Co', 'Window & Glazing|Wellington|Co']],
  ['kapiti plumber', ['Plumbing|Kāpiti Coast|', '||kapiti plumber']],
  ['wangarei', ['||wangarei', '|Whangārei|']],
  ['whangarei', ['|Whangārei|', '||whangarei']],
  ['tradie', ['||tradie', '||']],
  ['near me', ['||']],
  ['!!!', []],
  ['', []],
])('the readings of “%s” are %j in this order', (text, readings) => {
  expect(shown(text)).toEqual(readings);
});

test.each([
  ['coming', ['||coming', '||']],
  ['making', ['||making', '||']],
  ['tuner', ['||tuner']],
  ['piano tuner hamilton', ['|Hamilton|piano tuner', '||piano tuner hamilton']],
  ['plumber coming', ['Plumbing||', '||plumber coming']],
  ['not a cowboy plumber', ['Plumbing||cowboy', '||not a cowboy plumber']],
])('ordinary words are neither corrected nor kept: the readings of “%s” are %j', (text, readings) => {
  const both = createLookups(null);
  expect(shown(text, { listPlacesByName: both.listPlacesByName })).toEqual(readings);
  expect(understand(text, { ...both, classify: () => [] }).corrected).toBeNull();
});

test('no common English word is corrected', () => {
  const file = readFileSync(join(import.meta.dirname, '../common-words.txt'), 'utf8');
  const words = file.split('\n').filter((line, at) => /^[a-z]+$/.test(line) && at % 40 === 0);
  expect(words.length).toBeGreaterThan(300);
  const lookups = { ...createLookups(null), classify: () => [] };
  const corrected = words.filter((word) => [word, `plumber ${word}`].some((text) => understand(text, lookups).corrected !== null));
  expect(corrected).toEqual([]);
});

test('a lone name is a business before it is a small place', () => {
  const { listPlacesByName, isSmall } = createLookups(null);
  expect(shown('anderson', { listPlacesByName, isSmall })).toEqual(['||anderson', '|Anderson|']);
  expect(shown('cambridge')).toEqual(['|Cambridge|', '||cambridge']);
});

test('a sentence is classified unless it names people of a trade, and its place follows a preposition', () => {
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

test('other texts are classified only with high confidence, after their words', () => {
  const guess = (probability: number) => ({ classify: () => [{ category: trades[0]?.category ?? null, subCategories: [], probability }] });
  expect(shown('quux blorb', guess(0.9))).toEqual(['||quux blorb', 'Plumbing||']);
  expect(shown('quux blorb', guess(0.5))).toEqual(['||quux blorb']);
  expect(shown('quux', guess(0.9))).toEqual(['||quux']);
});

test('places and trades outside the constraints are read as words', () => {
  const covers = { isPlaceAllowed: ({ regionCode }: { regionCode?: number }) => regionCode === 2 };
  const read = (text: string, context: Parameters<typeof understand>[2]) => understand(text, known, context).readings[0];
  expect(read('plumber hamilton', covers)).toMatchObject({ place: null, words: 'hamilton' });
  expect(read('plumber otahuhu', covers)).toMatchObject({ place: { name: 'Ōtāhuhu' }, words: '' });
  expect(read('plumber painter', { isTradeAllowed: ({ category }) => category?.code === 8 })).toMatchObject({
    category: { code: 8 },
    words: 'plumber',
  });
});

test('any trade with any place is read as both', () => {
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

test('any text has at most four readings, which contain words of the text only', () => {
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
      const had = [...splitWords(text), 'tiler', ''];
      for (const { words } of readings) for (const word of words.split(' ').flatMap(splitWords)) expect(had).toContain(word);
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
])('the nearest trade word to %s is %s', (typed, meant) => {
  expect(findNearestTradeWord(typed)).toBe(meant);
});
