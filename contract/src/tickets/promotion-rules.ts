import { type DrawOpening, permitSettings } from '../draws/permits.ts';
import { count } from '../numbers.ts';
import type { SiteSettings } from '../site/settings.ts';
import type { PromotionRule, UnmetRule } from './calls.ts';

type Rule = {
  place: string;
  /** In whole dollars; null if no permit is needed. `permitCountsTogether`: applies to all draws of a year. */
  permitAbove: number | null;
  permitCountsTogether?: true;
  beforeStart?: string;
  winnerToldWithinDays?: number;
  publishedWithinDays?: number;
  published?: readonly ('initials' | 'postcode')[];
  scrutineerFrom?: number;
  recordsKeptMonths?: number;
  allEntries?: true;
  notes?: string;
  source?: string;
};

const readOn = '2026-11-21';

/** Requirements for trade promotions, as read on public pages on `readOn`. No lawyer has confirmed them yet. */
export const promotionRules: readonly Rule[] = [
  {
    place: 'NSW',
    permitAbove: 10_000,
    permitCountsTogether: true,
    beforeStart: 'rules lodged 10 working days before',
    notes: 'purchase at normal price is allowed as a condition',
    source: 'nsw.gov.au, trade promotions',
  },
  {
    place: 'SA',
    permitAbove: 5_000,
    permitCountsTogether: true,
    winnerToldWithinDays: 7,
    publishedWithinDays: 30,
    published: ['initials', 'postcode'],
    scrutineerFrom: 30_000,
    recordsKeptMonths: 3,
    allEntries: true,
    notes: 'electronic drawing needs no approval since 2021',
    source: 'vonmuensterlegal, Plexus (records: older than 4 years)',
  },
  {
    place: 'ACT',
    permitAbove: 3_000,
    permitCountsTogether: true,
    recordsKeptMonths: 12,
    allEntries: true,
    source: 'Plexus (older than 4 years)',
  },
  { place: 'NT', permitAbove: 5_000, permitCountsTogether: true, recordsKeptMonths: 24, source: 'own notes; Plexus (records)' },
  {
    place: 'VIC',
    permitAbove: null,
    recordsKeptMonths: 36,
    notes: 'conditions and records apply',
    source: 'Plexus (older than 4 years)',
  },
  {
    place: 'QLD',
    permitAbove: null,
    recordsKeptMonths: 60,
    notes: 'conditions and records apply',
    source: 'Plexus (older than 4 years)',
  },
  { place: 'WA', permitAbove: null, recordsKeptMonths: 12, notes: 'conditions and records apply', source: 'Plexus (older than 4 years)' },
  { place: 'TAS', permitAbove: null, notes: 'conditions apply' },
  {
    place: 'NZ',
    permitAbove: null,
    notes: 'no extra cost to enter; conditions cannot change once started',
    source: 'Department of Internal Affairs, fact sheet 9',
  },
];

const getCurrency = ({ place }: Rule) => (place === 'NZ' ? ('NZD' as const) : ('AUD' as const));
const dollars = (rule: Rule, amount: number | null | undefined) =>
  amount === null || amount === undefined ? null : { amountMinor: amount * 100, currency: getCurrency(rule) };
const formatMonths = (months: number) => (months >= 24 ? `${months / 12} years` : `${months} months`);

export const toPromotionRule = (rule: Rule): PromotionRule => ({
  place: rule.place,
  permitAbove: dollars(rule, rule.permitAbove),
  permitCountsTogether: rule.permitCountsTogether === true,
  beforeStart: rule.beforeStart ?? null,
  winnerToldWithin: rule.winnerToldWithinDays === undefined ? null : `${rule.winnerToldWithinDays} days`,
  publishedWithin:
    rule.publishedWithinDays === undefined ? null : `${rule.publishedWithinDays} days, ${(rule.published ?? []).join(' and ')}`,
  scrutineerFrom: dollars(rule, rule.scrutineerFrom),
  recordsKept:
    rule.recordsKeptMonths === undefined ? null : `${formatMonths(rule.recordsKeptMonths)}${rule.allEntries ? ', all entries' : ''}`,
  notes: rule.notes ?? null,
  source: rule.source ?? null,
  readOn,
});

/** The properties of a draw that the rules check. */
type DrawFacts = {
  /** In whole dollars. */
  prize: number;
  drawsAYear: number;
  winnerToldWithinDays: number;
  publishedWithinDays: number;
  published: readonly string[];
  recordsKeptMonths: number;
  /** The places that have given a permit. */
  permits?: readonly string[];
};

const inDollars = (amount: number) => `$${count(amount)}`;

/** The rules that a draw does not meet, one sentence each. */
export const listUnmet = (rules: readonly Rule[], draw: DrawFacts): UnmetRule[] =>
  rules.flatMap((rule) => listRuleFaults(rule, draw).map((what) => ({ place: rule.place, what })));

function listPermitFaults({ permitAbove, permitCountsTogether }: Rule, { prize, drawsAYear }: DrawFacts): string[] {
  const year = prize * drawsAYear;
  if (permitAbove === null) return [];
  if (prize > permitAbove) return [`A prize of ${inDollars(prize)} needs a permit: it is above ${inDollars(permitAbove)}.`];
  if (!permitCountsTogether || year <= permitAbove) return [];
  return [`The prizes of a year come to ${inDollars(year)}, which needs a permit: they are above ${inDollars(permitAbove)} in total.`];
}

function listRuleFaults(rule: Rule, draw: DrawFacts): string[] {
  const { scrutineerFrom, published = [] } = rule;
  const faults = draw.permits?.includes(rule.place) ? [] : listPermitFaults(rule, draw);
  if (scrutineerFrom !== undefined && draw.prize >= scrutineerFrom) {
    faults.push(`A prize from ${inDollars(scrutineerFrom)} needs an independent scrutineer.`);
  }
  if (rule.winnerToldWithinDays !== undefined && draw.winnerToldWithinDays > rule.winnerToldWithinDays) {
    faults.push(`The winner must be told within ${rule.winnerToldWithinDays} days.`);
  }
  if (rule.publishedWithinDays !== undefined && draw.publishedWithinDays > rule.publishedWithinDays) {
    faults.push(`The winner must be published within ${rule.publishedWithinDays} days.`);
  }
  for (const what of published) if (!draw.published.includes(what)) faults.push(`The winner’s ${what} is to be published; it is not.`);
  if (rule.recordsKeptMonths !== undefined && draw.recordsKeptMonths < rule.recordsKeptMonths) {
    faults.push(`Records must be kept for ${formatMonths(rule.recordsKeptMonths)}.`);
  }
  return faults;
}

/** How long the identity of a deleted account is stored after its last draw: the longest period that a state requires. */
export const recordsKeptMonths = Math.max(...promotionRules.map((rule) => rule.recordsKeptMonths ?? 0));

/** What decides how a draw is opened. */
export type PromotionSettings = Pick<SiteSettings, 'prize' | (typeof permitSettings)[keyof typeof permitSettings]>;

const listPermits = (settings: PromotionSettings) =>
  Object.entries(permitSettings).flatMap(([place, name]) => (settings[name] === '' ? [] : [{ place, number: settings[name] }]));

const toDrawFacts = (settings: PromotionSettings): DrawFacts => ({
  prize: Number(settings.prize),
  drawsAYear: 12,
  // By email and on the site, at the moment of the draw.
  winnerToldWithinDays: 0,
  publishedWithinDays: 0,
  published: ['first name', 'initials'],
  recordsKeptMonths,
  permits: listPermits(settings).map(({ place }) => place),
});

/** Where a monthly draw needs a permit and has none, so that it is not open to people who live there. */
function listLeftOut(settings: PromotionSettings): string[] {
  const facts = toDrawFacts(settings);
  return promotionRules
    .filter(({ place }) => !facts.permits?.includes(place))
    .filter((rule) => listPermitFaults(rule, facts).length > 0)
    .map(({ place }) => place);
}

/** How the next draw is opened, and the rules that it does not meet where it is open. */
export function planPromotion(settings: PromotionSettings): DrawOpening & { prize: number; unmet: UnmetRule[] } {
  const leftOut = listLeftOut(settings);
  const unmet = listUnmet(promotionRules, toDrawFacts(settings)).filter(({ place }) => !leftOut.includes(place));
  return { prize: Number(settings.prize), permits: listPermits(settings), leftOut, unmet };
}

const formatRule = ({ place, what }: UnmetRule) => `${place}: ${what}`;

/** The rules that the draws would not meet because of new settings. */
export function listNewlyUnmet(after: PromotionSettings, before: PromotionSettings): UnmetRule[] {
  const known = new Set(listUnmet(promotionRules, toDrawFacts(before)).map(formatRule));
  return listUnmet(promotionRules, toDrawFacts(after)).filter((rule) => !known.has(formatRule(rule)));
}
