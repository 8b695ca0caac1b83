import type { CountryCode } from '../markets.ts';
import { divideHalfUp, gstWithin } from '../money.ts';
import { count } from '../numbers.ts';

// Without schemas, because the page adds up while somebody types. Amounts are integers: cents, and thousandths of a quantity.

/** A quantity has three decimals. */
const thousandths = 1_000;

type PricedLine = { quantityMilli: number; unitMinor: number };

/** Quantity × unit price, rounded half up to the cent. */
export const getLineMinor = ({ quantityMilli, unitMinor }: PricedLine): number =>
  Number(divideHalfUp(BigInt(quantityMilli) * BigInt(unitMinor), BigInt(thousandths)));

/** The sum of the rounded lines and the GST within it, which is 0 for a business that is not registered. */
export function addUpQuote(lines: readonly PricedLine[], { country, gstIncluded }: { country: CountryCode; gstIncluded: boolean }) {
  const totalMinor = lines.reduce((sum, one) => sum + getLineMinor(one), 0);
  return { totalMinor, gstMinor: gstIncluded ? gstWithin(totalMinor, country) : 0 };
}

/** Digits with commas at thousands and up to so many decimals, as an integer of the smallest unit; null for anything else. */
function parseDecimal(text: string, decimals: number): number | null {
  const [, whole = '', fraction = ''] =
    new RegExp(`^(\\d{1,9}|\\d{1,3}(?:,\\d{3}){1,2}|)(?:\\.(\\d{0,${decimals}}))?$`).exec(text.replace(/^\$ ?/, '').trim()) ?? [];
  if (whole === '' && fraction === '') return null;
  return Number(`${whole.replaceAll(',', '')}${fraction.padEnd(decimals, '0')}`);
}

/** "1.5" is 1500 thousandths. */
export const parseQuantity = (text: string) => parseDecimal(text, 3);

/** "$1,234.5" is 123450 cents. */
export const parsePrice = (text: string) => parseDecimal(text, 2);

/** 1500 thousandths are "1.5". */
export function formatQuantity(quantityMilli: number): string {
  const decimals = String(quantityMilli % thousandths)
    .padStart(3, '0')
    .replace(/0{1,3}$/, '');
  const whole = count(Math.floor(quantityMilli / thousandths));
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

/** The building rule for a total, of those from the lowest value up: that of the highest value which it reaches. */
export const findBuildingRule = <Rule extends { fromMinor: number }>(rules: readonly Rule[], totalMinor: number): Rule | null =>
  (totalMinor > 0 ? rules.findLast(({ fromMinor }) => totalMinor >= fromMinor) : undefined) ?? null;
