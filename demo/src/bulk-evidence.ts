import { type BusinessRegister, registerOf } from '@handwise/contract/evidence/business-number';
import type { CountryCode } from '@handwise/contract/markets';
import { abnOf, nzbnOf, pricesOf } from './evidence.ts';
import { type Random, randomFrom } from './random.ts';

// What the listings of a fill let people decide on: skewed as the demo's, and the same wherever it is asked for.

const streamOf = (number: number): Random => randomFrom(Math.imul(number, 0x9e3779b1) ^ 0x2545f491);

/** A verified quarter has a number of its own. */
export function registrationOf(number: number, country: CountryCode): { register: BusinessRegister; number: string } | undefined {
  if (!streamOf(number).chance(0.25)) return undefined;
  return { register: registerOf(country), number: country === 'NZ' ? nzbnOf(90_000_000 + number) : abnOf(900_000_000 + number) };
}

const comesAtNight = new Set([3, 5, 6, 9]);

/** The columns of `bulkEvidenceColumns`, as COPY writes them. */
export function evidenceFields(number: number, country: CountryCode, categoryCode: number, year: number): (string | number)[] {
  const random = streamOf(number);
  const isVerified = random.chance(0.25);
  const [unit, low, high] = pricesOf(categoryCode);
  const from = Math.round((low + (high - low) * random.next() ** 2) / 5) * 500;
  const saysPrice = random.chance(0.6);
  return [
    saysPrice ? from : '\\N',
    saysPrice ? unit : '\\N',
    saysPrice && random.chance(0.3) ? 6000 : '\\N',
    random.chance(0.7) ? year - random.int(1, 30) : '\\N',
    comesAtNight.has(categoryCode) && random.chance(0.4) ? 't' : 'f',
    random.chance(0.55) ? 't' : 'f',
    registrationOf(number, country)?.number ?? '\\N',
    isVerified ? 't' : 'f',
  ];
}

export const bulkEvidenceColumns =
  'price_from_minor, price_unit, call_out_minor, in_trade_since, emergency, insured, business_number, verified';
