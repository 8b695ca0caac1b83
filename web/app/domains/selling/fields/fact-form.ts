import { type FactName, factNames, facts, type OwnFactName } from '@handwise/contract/facts/facts';
import { type Hours, type Weekday, weekdays } from '@handwise/contract/facts/hours';
import { type LicenceRequirement, listLicenceFaults } from '@handwise/contract/registers/licences';
import type { Listing } from '@handwise/contract/listings/calls';
import type { FactTexts } from './fact-schema.ts';

const getKeys = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

type PlainFact = Exclude<FactName, OwnFactName>;
type PriceFact = { [Name in FactName]: (typeof facts)[Name] extends { guide: string } ? Name : never }[FactName];

const fromNames = (textOf: (name: FactName) => string) => Object.fromEntries(factNames.map((name) => [name, textOf(name)])) as FactTexts;

export const noFacts = fromNames(() => '');

/** The facts for other work, or the same in another place: an exemption and a limit are about one kind of work there, so they are asked again. */
export const forOtherWork = (texts: FactTexts): FactTexts =>
  texts.licenceAnswer === 'exempt' || texts.licenceAnswer === 'below-limit' ? { ...texts, licenceAnswer: '', licenceExemption: '' } : texts;

/** The facts for what the law asks for now: an answer that named a limit above the law's is asked for again. */
export const forLimit = (texts: FactTexts, requirement: LicenceRequirement, limitMinor: number | null): FactTexts => {
  const stated = { number: null, holder: null, class: null, exemption: null, belowLimit: true, limitMinor };
  const isPast = texts.licenceAnswer === 'below-limit' && listLicenceFaults(requirement, stated).length > 0;
  return isPast ? { ...texts, licenceAnswer: '' } : texts;
};

/** Cents as people type dollars: "95", "95.50". */
const formatDollars = (minor: number) => (minor % 100 === 0 ? String(minor / 100) : (minor / 100).toFixed(2));

function getPlainStart(listing: Listing, name: PlainFact): string {
  const fact = facts[name];
  const value = 'guide' in fact ? listing.priceGuide?.[fact.guide] : listing[name as Exclude<PlainFact, PriceFact>];
  if (value === null || value === undefined || value === false) return '';
  return fact.kind === 'amount' ? formatDollars(Number(value)) : String(value);
}

/** The form's values for an existing listing. */
export function getFactStart(listing: Listing): FactTexts {
  const { hours, withoutLicence, registerCheck } = listing;
  // A licence that is hidden from others is still what its business has stated.
  const licence = listing.statedLicence ?? listing.licence;
  const own: Pick<FactTexts, OwnFactName> = {
    hours: hours ? JSON.stringify(hours) : '',
    licenceAnswer: licence ? 'licence' : withoutLicence ? (withoutLicence.exemption === null ? 'below-limit' : 'exempt') : '',
    licenceRegister: (licence?.register ?? '') as FactTexts['licenceRegister'],
    licenceNumber: licence?.number ?? '',
    licenceName: licence?.name ?? '',
    licenceClass: licence?.class ?? '',
    licenceExemption: withoutLicence?.exemption ?? '',
    businessNumber: registerCheck?.number ?? '',
    gstNumber: listing.gstNumber ?? '',
    gstRegistered: listing.gstRegistered ? 'true' : '',
  };
  return fromNames((name) => (name in own ? own[name as OwnFactName] : getPlainStart(listing, name as PlainFact)));
}

/** What is the business's own and not of one of its services, for its next listing. */
export const withoutPrices = (texts: FactTexts): FactTexts => fromNames((name) => ('guide' in facts[name] ? '' : texts[name]));

/** Splits a form's values into the facts and the rest. */
export function splitFacts<Values extends FactTexts>(values: Values): [FactTexts, Omit<Values, FactName>] {
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !(name in facts)));
  return [fromNames((name) => values[name]), others as Omit<Values, FactName>];
}

export type DayTimes = { from: string; until: string };

/** The hours by day for a form. A day that ends at midnight ends at 00:00, because a time field has no 24:00. */
export function parseHours(hours: string): Record<Weekday, DayTimes> {
  const parsed = (hours === '' ? {} : JSON.parse(hours)) as Hours;
  const of = (day: Weekday): DayTimes => {
    const [from = '', until = ''] = parsed[day] ?? [];
    return { from, until: until === '24:00' ? '00:00' : until };
  };
  return Object.fromEntries(getKeys(weekdays).map((day) => [day, of(day)])) as Record<Weekday, DayTimes>;
}

/** The hours for the calls; blank if every day is closed. */
export function formatHours(times: Record<Weekday, DayTimes>): string {
  const open = getKeys(weekdays).flatMap((day) => {
    const { from, until } = times[day];
    return from === '' && until === '' ? [] : [[day, [from, until === '00:00' ? '24:00' : until]]];
  });
  return open.length === 0 ? '' : JSON.stringify(Object.fromEntries(open));
}

const workdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri'];
const closed: DayTimes = { from: '', until: '' };
const isSame = (one: DayTimes, other: DayTimes) => one.from === other.from && one.until === other.until;

/** The days whose hours differ from those that most of Monday to Friday share; Saturday and Sunday if they are open. */
export function listOwnDays(hours: string): readonly Weekday[] {
  const times = parseHours(hours);
  const alike = (day: Weekday) => workdays.filter((other) => isSame(times[day], times[other])).length;
  const usual = times[workdays.reduce((most, day) => (alike(day) > alike(most) ? day : most))];
  return getKeys(weekdays).filter((day) => !isSame(times[day], workdays.includes(day) ? usual : closed));
}

/** The hours that Monday to Friday share; null if each of them has its own. */
export function findSharedTimes(times: Record<Weekday, DayTimes>, own: readonly Weekday[]): DayTimes | null {
  const day = workdays.find((one) => !own.includes(one));
  return day ? times[day] : null;
}

/** Changes the hours of the days that share them. */
export const setSharedTimes = (times: Record<Weekday, DayTimes>, shared: DayTimes, own: readonly Weekday[]): Record<Weekday, DayTimes> => ({
  ...times,
  ...Object.fromEntries(workdays.filter((day) => !own.includes(day)).map((day) => [day, shared])),
});

/** Gives a day its own hours, closed at first, or the shared ones again. */
export function toggleOwnDay(times: Record<Weekday, DayTimes>, day: Weekday, own: readonly Weekday[]): Record<Weekday, DayTimes> {
  const sharesNow = workdays.includes(day) && !own.includes(day);
  return { ...times, [day]: (sharesNow ? findSharedTimes(times, [...own, day]) : null) ?? closed };
}
