import { expect, test } from 'vitest';
import { type WordSum, legText, legsOf, rangeOf, shouldTakeLegs, shouldWalk, wordCount, wordQuery } from './search.planner.ts';
import type { Meaning } from './search.words.rules.ts';

const meaning = (forms: readonly string[], names: Partial<Meaning> = {}): Meaning => ({ forms, categoryCodes: [], subCodes: [], ...names });
const manyForms = (count: number) => meaning(Array.from({ length: count }, (_, index) => `roof${index}`));

test('a search query asks for each word within its first fields, and for one token of each facet', () => {
  const filter = { place: { level: 'region', code: 3 }, category: { level: 'sub', codes: [201, 301] } } as const;
  const { texts, facets, wide } = wordQuery(
    [meaning(['roof', 'roofer'], { categoryCodes: [7], subCodes: [301] }), meaning(['taupo'])],
    filter,
  );
  expect(texts).toEqual([
    "('roof.1'|'roofer.1')&('taupo.1')",
    "('roof.1'|'roof.2'|'roofer.1'|'roofer.2')&('taupo.1'|'taupo.2')",
    "('roof.1'|'roof.2'|'roof.3'|'roofer.1'|'roofer.2'|'roofer.3')&('taupo.1'|'taupo.2'|'taupo.3')",
    "('roof.1'|'roof.2'|'roof.3'|'roofer.1'|'roofer.2'|'roofer.3'|'category:7'|'sub:301')&('taupo.1'|'taupo.2'|'taupo.3')",
  ]);
  expect(facets).toBe("'region:3'&('sub:201'|'sub:301')");
  expect(wide).toEqual([]);
});

test('a word that only names of categories have is found by them, and within no other field', () => {
  expect(wordQuery([meaning([], { subCodes: [606] })], {}).texts).toEqual(["'-'", "'-'", "'-'", "('sub:606')"]);
});

test('common words are walked to, rare ones fetched and sorted', () => {
  expect(shouldWalk(300_000, 3_000_000, 0, 20)).toBe(true);
  expect(shouldWalk(50, 3_000_000, 0, 20)).toBe(false);
  expect(shouldWalk(0, 3_000_000, 0, 20)).toBe(false);
});

test('a word of more forms than a query bears is looked up form by form, the others stand in it', () => {
  const { texts, wide } = wordQuery([{ ...manyForms(33), categoryCodes: [7] }, manyForms(32)], {});
  expect(wide).toHaveLength(1);
  expect(wide[0]).toHaveLength(34);
  expect(wide[0]?.[0]).toEqual([
    "('roof0.1')",
    "('roof0.1'|'roof0.2')",
    "('roof0.1'|'roof0.2'|'roof0.3')",
    "('roof0.1'|'roof0.2'|'roof0.3')",
  ]);
  expect(wide[0]?.[33]).toEqual(["'-'", "'-'", "'-'", "('category:7')"]);
  expect(texts[0].split('|')).toHaveLength(32);
});

test('walking costs what it skips, and pays while that is less than to fetch what matches', () => {
  // 20 rows of which each tenth matches: 200 are read.
  expect(shouldWalk(1_000, 10_000, 0, 20)).toBe(true);
  expect(shouldWalk(1_000, 10_000, 80, 20)).toBe(false);
  // Never more than 20,000, and up to 200 for few matches.
  expect(shouldWalk(100_000, 1_000_000, 1_979, 20)).toBe(true);
  expect(shouldWalk(100_000, 1_000_000, 1_980, 20)).toBe(false);
  expect(shouldWalk(10, 90, 0, 20)).toBe(true);
  expect(shouldWalk(10, 100, 0, 20)).toBe(false);
});

test('one word is counted by place and service, without what has two of its forms and is in no category of its name', () => {
  const filter = { place: { level: 'region', code: 3 }, category: { level: 'group', code: 7 } } as const;
  expect(wordCount([meaning(['roof', 'roofer'], { categoryCodes: [7], subCodes: [301] })], filter)).toEqual({
    forms: ['roof', 'roofer'],
    several: {
      each: ["('roof.1'|'roof.2'|'roof.3')", "('roofer.1'|'roofer.2'|'roofer.3')"],
      query: "(((('roof.1'|'roof.2'|'roof.3'))&(('roofer.1'|'roofer.2'|'roofer.3'))))&!('category:7'|'sub:301')&'region:3'&'category:7'",
    },
    categoryCodes: [7],
    subCodes: [301],
    within: { regions: [3], categories: [7], subs: null },
  });
  expect(wordCount([meaning(['roof', 'tile'])], {})?.several?.query).not.toContain('!');
  expect(wordCount([meaning(['roof'])], {})).toMatchObject({ several: null, within: { regions: null, categories: null, subs: null } });
  expect(wordCount([meaning(['roof'])], { place: { level: 'country', country: 'NZ' } })?.within.regions).toHaveLength(16);
  expect(wordCount([meaning(['roof'])], { category: { level: 'main', main: 'domestic' } })?.within.categories).toEqual([1, 2]);
  expect(wordCount([meaning(['roof'])], { category: { level: 'sub', codes: [601] } })?.within.subs).toEqual([601]);
});

test.each([
  ['two words', [meaning(['roof']), meaning(['taupo'])], {}],
  ['a district', [meaning(['roof'])], { place: { level: 'district', code: 306 } }],
  ['33 forms', [manyForms(33)], {}],
] as const)('%s cannot be counted so', (_, meanings, filter) => {
  expect(wordCount(meanings, filter)).toBeNull();
  expect(wordCount([manyForms(32)], {})).not.toBeNull();
});

const counting = (meant: Meaning) => wordCount([meant], {}) ?? expect.fail();

test('of more than eight forms the eight commonest are asked for in twos, and each of the others by itself', () => {
  const { several } = counting(manyForms(10));
  expect(several?.each).toHaveLength(10);
  const named = several?.query.replaceAll(/\('(roof\d)\.1'\|'roof\d\.2'\|'roof\d\.3'\)/g, '$1');
  const halves = '(roof0|roof1|roof2|roof3)&(roof4|roof5|roof6|roof7)';
  const quarters = ['((roof0|roof1)&(roof2|roof3))', '((roof0)&(roof1))', '((roof2)&(roof3))'];
  const others = ['((roof4|roof5)&(roof6|roof7))', '((roof4)&(roof5))', '((roof6)&(roof7))'];
  expect(named).toBe(`((${halves})|${[...quarters, ...others, 'roof8', 'roof9'].join('|')})`);
});

const sum = (rank: number, where: 'named' | 'elsewhere' | 'all of named', [title = 0, business = 0, services = 0]: number[]): WordSum => ({
  rank,
  named: where !== 'elsewhere',
  all: where === 'all of named',
  title,
  business,
  services,
});

test('the legs of one form are what its fields hold by rank, and of its categories what is left', () => {
  const sums = [
    sum(1, 'elsewhere', [5, 0, 2]),
    sum(1, 'named', [10, 3, 1]),
    sum(1, 'all of named', [20]),
    sum(3, 'elsewhere', [0, 4, 0]),
    sum(3, 'all of named', [6]),
  ];
  expect(legsOf(counting(meaning(['roof'], { categoryCodes: [7] })), sums, 0)).toEqual({
    total: 37,
    exact: true,
    legs: [
      { rank: 3, worth: 2, listings: 4 },
      { rank: 3, worth: 4, listings: 6 },
      { rank: 1, worth: 1, listings: 15 },
      { rank: 1, worth: 2, listings: 3 },
      { rank: 1, worth: 3, listings: 3 },
      { rank: 1, worth: 4, listings: 6 },
    ],
  });
});

test('forms that share listings have legs of at most so many, and a total less what is counted twice', () => {
  const sums = [sum(1, 'elsewhere', [5]), sum(1, 'named', [10, 10]), sum(1, 'all of named', [12])];
  expect(legsOf(counting(meaning(['roof', 'roofer'], { categoryCodes: [7] })), sums, 2)).toEqual({
    total: 15,
    exact: false,
    legs: [
      { rank: 1, worth: 1, listings: 15 },
      { rank: 1, worth: 2, listings: 10 },
      { rank: 1, worth: 4, listings: 12 },
    ],
  });
});

test('a leg asks for its words within its fields and not within the worthier ones', () => {
  const query = wordQuery([meaning(['roof'], { categoryCodes: [7] })], {});
  expect([1, 2, 3, 4].map((worth) => legText(query, { worth: worth as 1 }))).toEqual([
    "('roof.1')",
    "('roof.1'|'roof.2')&!(('roof.1'))",
    "('roof.1'|'roof.2'|'roof.3')&!(('roof.1'|'roof.2'))",
    "('roof.1'|'roof.2'|'roof.3'|'category:7')&!(('roof.1'|'roof.2'|'roof.3'))",
  ]);
});

test('few matches and words of many forms are fetched all at once, a rank has the share of the list that it has of the matches', () => {
  const leg = (rank: number, listings: number) => ({ rank, worth: 1 as const, listings });
  const known = (total: number) => ({ total, exact: true, legs: [leg(3, 25), leg(2, 25), leg(1, 50)] });
  const narrow = wordQuery([meaning(['roof'])], {});
  expect([100, 101].map((total) => shouldTakeLegs(known(total), narrow))).toEqual([false, true]);
  expect(shouldTakeLegs(known(101), wordQuery([manyForms(33)], {}))).toBe(false);
  expect(rangeOf(known(100), leg(1, 50), 3_000)).toBe(1_500);
});
