import { addDays, getDay, getMoment } from '@handwise/contract/dates';
import type { FactColumn } from '@handwise/contract/facts/facts';
import { parseGstNumber } from '@handwise/contract/facts/gst-number';
import type { Hours } from '@handwise/contract/facts/hours';
import type { PriceUnit } from '@handwise/contract/facts/prices';
import { getMonday } from '@handwise/contract/listings/availability';
import { type BusinessRegister, getRegister } from '@handwise/contract/registers/business-number';
import type { LicenceRegisterCode } from '@handwise/contract/registers/licence-registers';
import { isLicenceAsked } from '@handwise/contract/registers/licences';
import { getLawRegion, readRequirements, resolveRequirement } from '@handwise/server/domains/registers/registers.service';
import type { Business } from './businesses.ts';
import type { Spot } from './market.ts';
import { type Random, randomFrom, getSeed } from './random.ts';
import { specialisms } from './words-specialisms.ts';

// Prices, hours, licences and registrations, from a random stream per business so that other data does not depend on them.

type LicenceRow = Pick<
  FactRow,
  | 'licence_register'
  | 'licence_number'
  | 'licence_name'
  | 'licence_class'
  | 'licence_exemption'
  | 'licence_below_limit'
  | 'licence_limit_minor'
>;

/** The columns of `listings`. */
export type FactRow = Record<FactColumn, unknown> & {
  price_from_minor: number | null;
  price_unit: PriceUnit | null;
  call_out_minor: number | null;
  minimum_charge_minor: number | null;
  in_trade_since: number | null;
  hours: Hours | null;
  emergency: boolean;
  emergency_call_out: boolean;
  insured: boolean;
  licence_register: LicenceRegisterCode | null;
  licence_number: string | null;
  licence_name: string | null;
  licence_class: string | null;
  licence_exemption: string | null;
  licence_below_limit: boolean;
  licence_limit_minor: number | null;
  business_number: string | null;
  gst_number: string | null;
  gst_registered: boolean;
  verified: boolean;
};

// By category: the unit and the range of starting prices in dollars.
const prices: Record<number, readonly [PriceUnit, number, number]> = {
  1: ['hour', 38, 60],
  2: ['visit', 80, 160],
  3: ['job', 150, 450],
  4: ['hour', 65, 110],
  5: ['hour', 80, 130],
  6: ['hour', 85, 140],
  7: ['square_metre', 70, 160],
  8: ['room', 280, 650],
  9: ['job', 90, 260],
  10: ['square_metre', 75, 150],
  11: ['visit', 45, 95],
  12: ['hour', 55, 85],
};

export const createPrices = (categoryCode: number) => prices[categoryCode] ?? (['hour', 60, 100] as const);

// Sub-categories whose prices differ from their category's.
const pricesOfSub: Readonly<Record<number, readonly [PriceUnit, number, number]>> = {
  103: ['job', 320, 700],
  104: ['visit', 120, 240],
  201: ['job', 250, 600],
  203: ['hour', 60, 95],
  205: ['room', 280, 650],
  302: ['visit', 60, 120],
  304: ['hour', 90, 140],
  403: ['hour', 85, 140],
  404: ['day', 650, 980],
  405: ['square_metre', 3200, 5200],
  406: ['day', 1100, 1900],
  503: ['visit', 90, 150],
  605: ['job', 180, 380],
  606: ['job', 150, 420],
  902: ['job', 780, 1600],
  1001: ['hour', 60, 95],
  1003: ['day', 620, 950],
  1004: ['hour', 65, 105],
  1102: ['job', 250, 650],
  1103: ['job', 180, 450],
  1104: ['hour', 60, 95],
  1105: ['job', 280, 750],
  1202: ['job', 60, 140],
};

const hasNightWork = new Set([3, 5, 6, 9]);
const hasCallOutFee = new Set([2, 5, 6, 9, 12]);

const weekdays = (from: string, until: string): Hours =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [from, until]]));
const patterns: readonly [number, Hours][] = [
  [5, weekdays('07:30', '17:00')],
  [3, weekdays('08:00', '17:00')],
  [3, { ...weekdays('07:00', '16:30'), sat: ['08:00', '12:00'] }],
  [2, { ...weekdays('08:00', '18:00'), sat: ['09:00', '15:00'] }],
  [1, { ...weekdays('07:00', '19:00'), sat: ['07:00', '19:00'], sun: ['09:00', '17:00'] }],
];

const requirements = readRequirements();

/** The names of classes that demo businesses state, by category. */
const classes: Partial<Record<number, string>> = {
  2: 'Pest management technician',
  3: 'Security technician',
  4: 'Builder',
  5: 'Electrician',
  6: 'Certifying plumber',
  7: 'Roofing',
  8: 'Painter',
  9: 'Glazier',
  10: 'Carpentry',
  11: 'Structural landscaping',
};

const noLicence = {
  licence_register: null,
  licence_number: null,
  licence_name: null,
  licence_class: null,
  licence_exemption: null,
  licence_below_limit: false,
  licence_limit_minor: null,
} as const satisfies LicenceRow;

/** A licence where the law asks for one, or now and then the answer that none is needed. */
function licenceOf(random: Random, { region, category, ownerFull }: Business, subCode: number): LicenceRow {
  const number = String(random.int(10_000, 399_999));
  const share = random.next();
  const place = { country: region.country, region_code: region.code };
  const rows = requirements.filter(
    (row) => row.country === region.country && row.region_code === getLawRegion(place) && row.category_code === category.code,
  );
  const { required, thresholdMinor, register } = resolveRequirement(rows, category.code, subCode);
  if (!isLicenceAsked({ required })) return noLicence;
  if (required === 'above-threshold' && share < 0.25)
    return { ...noLicence, licence_below_limit: true, licence_limit_minor: thresholdMinor };
  if (share > 0.97 || register === null) return { ...noLicence, licence_exemption: 'We only supervise; licensed partners do the work' };
  return {
    ...noLicence,
    licence_register: register,
    licence_number: number,
    licence_name: ownerFull,
    licence_class: classes[category.code] ?? 'Contractor',
  };
}

const lastDigits = (number: number, count: number) => String(number).padStart(count, '0').slice(-count);

/** An NZBN with these eight digits and a valid check digit. */
export function createNzbn(number: number): string {
  const body = `9429${lastDigits(number, 8)}`;
  const sum = [...body].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** An ABN with these nine digits and valid check digits. */
export function createAbn(number: number): string {
  const body = lastDigits(number, 9);
  const sum = [...body].reduce((all, digit, place) => all + Number(digit) * (3 + 2 * place), 0);
  return `${10 + ((89 - (sum % 89)) % 89)}${body}`;
}

const numberOf = ({ slug, region }: Business): string => {
  const seed = getSeed('business number', slug);
  return region.country === 'NZ' ? createNzbn(seed) : createAbn(seed);
};

/** A business's entry in a public register; undefined for most. */
export function createRegistration(business: Business): { register: BusinessRegister; number: string; name: string } | undefined {
  const random = randomFrom(getSeed('registration', business.slug));
  if (!random.chance({ basic: 0.18, premium: 0.4, featured: 0.6 }[business.plan])) return undefined;
  const { country } = business.region;
  const name = `${business.name.replace(/’|'/g, '')} ${country === 'NZ' ? 'Limited' : 'Pty Ltd'}`.toUpperCase();
  return { register: getRegister(country), number: numberOf(business), name };
}

export type AvailabilityRow = { available_from: string | null; available_until: string | null; booked_until: string | null };

/** When a business has time: one in five this week, one in ten next week, one in ten is booked. By its clocks, counted from today. */
export function createAvailability(random: Random, today: Date, timeZone: string): AvailabilityRow {
  const monday = getMonday(getDay(today, timeZone));
  const midnight = (days: number) => getMoment(addDays(monday, days), '00:00', timeZone).toISOString();
  const nothing = { available_from: null, available_until: null, booked_until: null };
  const share = random.next();
  if (share < 0.2) return { ...nothing, available_from: midnight(0), available_until: midnight(7) };
  if (share < 0.3) return { ...nothing, available_from: midnight(7), available_until: midnight(14) };
  return share < 0.4 ? { ...nothing, booked_until: midnight(random.int(10, 60)) } : nothing;
}

/** Whoever has a business number in the demo is registered for GST too; in New Zealand under the next valid number after one made of it. */
function createGst(businessNumber: string | undefined): Pick<FactRow, 'gst_number' | 'gst_registered'> {
  if (businessNumber === undefined) return { gst_number: null, gst_registered: false };
  if (!businessNumber.startsWith('94') || businessNumber.length !== 13) return { gst_number: null, gst_registered: true };
  let number = 50_000_000 + (Number(businessNumber.slice(-8)) % 80_000_000);
  while (parseGstNumber(String(number)) === undefined) number += 1;
  return { gst_number: String(number), gst_registered: false };
}

/** `year` is the current one. */
export function createFacts(business: Business, { category: { code }, subCode, specialism }: Spot, year: number): FactRow {
  const random = randomFrom(getSeed('evidence', business.slug, subCode));
  const [unit, low, high] = (specialism && specialisms[specialism].price) ?? pricesOfSub[subCode] ?? createPrices(code);
  const hasPrice = random.chance(0.6);
  // Skewed to the lower end, with a few far above the range.
  const from = Math.round((low + (high - low) * random.next() ** 2 * (random.chance(0.06) ? 2 : 1)) / 5) * 500;
  const registration = createRegistration(business);
  return {
    price_from_minor: hasPrice ? from : null,
    price_unit: hasPrice ? unit : null,
    call_out_minor: hasPrice && hasCallOutFee.has(code) && random.chance(0.5) ? random.pick([0, 4500, 6000, 6500, 7500, 9000]) : null,
    in_trade_since: random.chance(0.7) ? year - business.years : null,
    hours: random.chance(0.7) ? random.weighted(patterns, ([weight]) => weight)[1] : null,
    emergency: subCode === 603 || specialism === 'locks' || (hasNightWork.has(code) && random.chance(0.4)),
    insured: random.chance(0.55),
    ...licenceOf(random, business, subCode),
    business_number: registration?.number ?? null,
    ...createGst(registration?.number),
    verified: registration !== undefined,
    // Last, so that the random values of the other columns stay.
    minimum_charge_minor: hasPrice && random.chance(0.4) ? random.pick([0, 0, 8000, 9500, 12_000, 15_000]) : null,
    emergency_call_out: hasNightWork.has(code) && random.chance(0.5),
  };
}
