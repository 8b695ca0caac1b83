import type { CountryCode } from '../markets.ts';

/**
 * What the law asks for from a value on, where the work is on a home. Collected in 2026 from regulators' pages and guides; what could not be
 * confirmed is null and shown as a question for the regulator, never as "nothing".
 */
export type BuildingRule = {
  /** In cents, GST included. */
  fromMinor: number;
  /** The contract and what goes with it. */
  contract: string;
  /** The largest deposit. */
  deposit: string | null;
  insurance: string | null;
  regulator: string;
  url: string;
};

type PlacedRule = {
  rule: BuildingRule;
  country: CountryCode;
  /** The abbreviation of a state; null for all of New Zealand. */
  state: string | null;
  /** The first day on which it holds, if it was new in 2026. For the work that it is about, it replaces the state's earlier rules. */
  since?: string;
};

const nsw = { regulator: 'Building Commission NSW', url: 'https://www.nsw.gov.au/departments-and-agencies/building-commission' };
const vic = { regulator: 'Building and Plumbing Commission', url: 'https://www.bpc.vic.gov.au' };
const qld = { regulator: 'QBCC', url: 'https://www.qbcc.qld.gov.au' };
const wa = { regulator: 'Building and Energy', url: 'https://www.commerce.wa.gov.au/building-and-energy' };
const sa = { regulator: 'Consumer and Business Services', url: 'https://www.cbs.sa.gov.au' };

const ofState = (state: string, rule: BuildingRule, since?: string): PlacedRule => ({
  country: 'AU',
  state,
  rule,
  ...(since !== undefined && { since }),
});

const rules: readonly PlacedRule[] = [
  {
    country: 'NZ',
    state: null,
    rule: {
      fromMinor: 3_000_000,
      contract: 'A written contract, and before it is signed the checklist and the business’s disclosure statement',
      deposit: null,
      insurance: null,
      regulator: 'MBIE Building Performance',
      url: 'https://www.building.govt.nz',
    },
  },
  ofState('NSW', {
    ...nsw,
    fromMinor: 500_000,
    contract: 'A licensed business and a written contract',
    deposit: 'At most 10 % of the price',
    insurance: 'Home building cover above $20,000',
  }),
  ofState('NSW', {
    ...nsw,
    fromMinor: 2_000_000,
    contract: 'A licensed business and a full written contract with a cooling-off period',
    deposit: 'At most 10 % of the price',
    insurance: 'A home building compensation certificate before any payment or work',
  }),
  ofState('VIC', {
    ...vic,
    fromMinor: 1_000_000,
    contract: 'A registered builder and a major domestic building contract in writing',
    deposit: 'At most 10 % of the price under $20,000, 5 % from $20,000',
    insurance: 'Home warranty insurance from $20,000',
  }),
  ofState(
    'VIC',
    {
      ...vic,
      fromMinor: 0,
      contract: 'A written domestic building contract, with contents that the law sets',
      deposit: null,
      insurance: 'Home warranty insurance from $20,000',
    },
    '2026-12-01',
  ),
  ofState('QLD', {
    ...qld,
    fromMinor: 330_000,
    contract: 'A level 1 regulated contract, in writing',
    deposit: 'At most 10 % of the price, or 20 % if over half of it is made off site',
    insurance: null,
  }),
  ofState('QLD', {
    ...qld,
    fromMinor: 2_000_000,
    contract: 'A level 2 regulated contract, in writing',
    deposit: 'At most 5 % of the price, or 20 % if over half of it is made off site',
    insurance: null,
  }),
  ofState('WA', {
    ...wa,
    fromMinor: 750_000,
    contract: 'A written, dated and signed contract, with the notice for the home owner',
    deposit: 'At most 6.5 % of the price',
    insurance: null,
  }),
  ofState('WA', {
    ...wa,
    fromMinor: 2_000_000,
    contract: 'A registered builder where a permit is needed, and a written, dated and signed contract with the notice for the home owner',
    deposit: 'At most 6.5 % of the price',
    insurance: 'Home indemnity insurance for most large jobs',
  }),
  ofState('SA', {
    ...sa,
    fromMinor: 1_200_000,
    contract: 'A written contract with the licence number, a signed copy and Form 1',
    deposit: null,
    insurance: null,
  }),
  ofState('SA', {
    ...sa,
    fromMinor: 2_000_000,
    contract: 'A written contract with the licence number, a signed copy and Form 1',
    deposit: null,
    insurance: 'Building indemnity insurance where development approval is needed',
  }),
  ofState('TAS', {
    fromMinor: 2_000_000,
    contract: 'A written residential building work contract',
    deposit: 'At most 5 % of the price',
    insurance: null,
    regulator: 'Consumer, Building and Occupational Services',
    url: 'https://www.cbos.tas.gov.au',
  }),
  ofState('ACT', {
    fromMinor: 1_200_000,
    contract: 'A licensed builder where approval is needed; a written contract is advised',
    deposit: null,
    insurance: 'Residential building insurance or a fidelity certificate',
    regulator: 'ACT Planning',
    url: 'https://www.planning.act.gov.au',
  }),
  ofState('NT', {
    fromMinor: 1_200_000,
    contract: 'A registered building contractor and a written contract for prescribed residential work',
    deposit: 'At most 5 % of the price',
    insurance: 'Residential building cover for prescribed work',
    regulator: 'Building Practitioners Board',
    url: 'https://nt.gov.au/property/building',
  }),
];

// What applies from the first dollar on is about builders: a tap washer needs no contract of several pages.
const buildingGroup = 4;
// Building & Construction, Electrical & Gas, Plumbing, Roofing, Painting, Window & Glazing, Concrete & Driveways.
const buildingGroups = new Set([4, 5, 6, 7, 8, 9, 10]);
// Painting in Home Improvement and Landscaping count; repairs of appliances and cleaning of windows do not.
const buildingTrades = new Set([205, 1104]);
const otherTrades = new Set([503, 901]);

type Work = { country: CountryCode; state: string | null; categoryCode: number; subCategoryCode: number | null };

/** The rules about a listing's work on a day, from the lowest value up; none for work that is no building work. */
export function listBuildingRules({ country, state, categoryCode, subCategoryCode }: Work, day: string): BuildingRule[] {
  const sub = subCategoryCode ?? 0;
  if (otherTrades.has(sub) || !(buildingGroups.has(categoryCode) || buildingTrades.has(sub))) return [];
  const here = rules.filter(
    (one) =>
      one.country === country &&
      (country === 'NZ' || one.state === state) &&
      (one.since ?? day) <= day &&
      (one.rule.fromMinor > 0 || categoryCode === buildingGroup),
  );
  const newest = here.some(({ since }) => since !== undefined) ? here.filter(({ since }) => since !== undefined) : here;
  return newest.map(({ rule }) => rule).toSorted((one, other) => one.fromMinor - other.fromMinor);
}
