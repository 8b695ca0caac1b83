import { withDecimals } from '../numbers.ts';

// Prices in words. Without schemas, because cards and pages of listings load them and must stay small.

export const priceUnits = {
  hour: 'per hour',
  visit: 'per visit',
  job: 'per job',
  day: 'per day',
  room: 'per room',
  square_metre: 'per m²',
} as const;
export type PriceUnit = keyof typeof priceUnits;

export type PriceGuide = {
  from: number | null;
  unit: PriceUnit | null;
  callOut: number | null;
  minimumCharge: number | null;
  currency: 'NZD' | 'AUD';
};

/** "$95", "$95.50" */
const dollars = (minor: number): string => `$${withDecimals(minor / 100, minor % 100 === 0 ? 0 : 2)}`;

const formatCallOut = (minor: number) => (minor === 0 ? 'no call-out fee' : `call-out ${dollars(minor)}`);
const formatMinimum = (minor: number) => (minor === 0 ? 'no minimum charge' : `minimum charge ${dollars(minor)}`);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "From $95 per hour, call-out $60, minimum charge $120" */
export function formatPrice({ from, unit, callOut, minimumCharge }: PriceGuide): string {
  const price = from === null || unit === null ? [] : [`from ${dollars(from)} ${priceUnits[unit]}`];
  const fee = callOut === null ? [] : [formatCallOut(callOut)];
  const minimum = minimumCharge === null ? [] : [formatMinimum(minimumCharge)];
  return capital([...price, ...fee, ...minimum].join(', '));
}
