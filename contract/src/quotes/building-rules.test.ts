import { expect, test } from 'vitest';
import { findBuildingRule } from './amounts.ts';
import { listBuildingRules } from './building-rules.ts';

const work = (country: 'NZ' | 'AU', state: string | null, categoryCode = 4, subCategoryCode: number | null = 401) => ({
  country,
  state,
  categoryCode,
  subCategoryCode,
});
const ruleFor = (state: string | null, dollars: number, day = '2027-03-01') =>
  findBuildingRule(listBuildingRules(work(state === null ? 'NZ' : 'AU', state), day), dollars * 100);

test.each([
  [null, 29_999.99, /^nothing$/],
  [null, 30_000, /checklist/],
  ['NSW', 4_999, /^nothing$/],
  ['NSW', 5_000, /^A licensed business and a written contract$/],
  ['NSW', 20_000, /cooling-off/],
  ['QLD', 3_299, /^nothing$/],
  ['QLD', 3_300, /level 1/],
  ['QLD', 20_000, /level 2/],
  ['WA', 7_500, /notice for the home owner/],
  ['SA', 12_000, /Form 1/],
  ['TAS', 20_000, /residential building work contract/],
  ['ACT', 12_000, /advised/],
  ['NT', 12_000, /prescribed/],
])('a quote in %s over $%d is reminded of %s', (state, dollars, contract) => {
  expect(ruleFor(state, dollars)?.contract ?? 'nothing').toMatch(contract);
});

test('Victoria’s rules of December 2026 replace the earlier ones on their first day', () => {
  expect(ruleFor('VIC', 5_000, '2026-11-30')).toBeNull();
  expect(ruleFor('VIC', 15_000, '2026-11-30')?.deposit).toMatch(/10 %/);
  expect(ruleFor('VIC', 5_000, '2026-12-01')?.contract).toMatch(/written domestic building contract/);
  expect(ruleFor('VIC', 15_000, '2026-12-01')).toMatchObject({ fromMinor: 0, deposit: null });
});

test('what applies in Victoria from the first dollar on is for builders only', () => {
  const plumbing = listBuildingRules(work('AU', 'VIC', 6, 601), '2027-03-01');
  expect(plumbing.map(({ fromMinor }) => fromMinor)).toEqual([1_000_000]);
});

test.each([
  [work('NZ', null, 1, 101), 0],
  [work('NZ', null, 9, 901), 0],
  [work('NZ', null, 5, 503), 0],
  [work('NZ', null, 11, 1101), 0],
  [work('NZ', null, 11, 1104), 1],
  [work('NZ', null, 2, 205), 1],
  [work('NZ', null, 6, null), 1],
])('rules are for building work only: %j has %d', (one, count) => expect(listBuildingRules(one, '2027-03-01')).toHaveLength(count));

test('a total of nothing is not reminded, also where any value is', () => expect(ruleFor('VIC', 0)).toBeNull());
