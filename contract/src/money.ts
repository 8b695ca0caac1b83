import { type CountryCode, markets } from './markets.ts';
import { withDecimals } from './numbers.ts';

/** `25` becomes "25.00", and `1234.5` "1,234.50". */
export const amount = (dollars: number) => withDecimals(dollars, 2);

/** Formats cents on pages, in emails and documents: `2500` and NZD become "$25.00 NZD". */
export const money = (minor: number, currency: string) => `$${amount(minor / 100)} ${currency}`;

/** Divides integers of at least 0 and rounds half up. */
export const divideHalfUp = (value: bigint, by: bigint): bigint => (2n * value + by) / (2n * by);

/** The GST within a price that includes it, in cents, rounded half up. */
export const gstWithin = (totalMinor: number, country: CountryCode) => {
  const gstPercent = BigInt(markets[country].gstPercent);
  return Number(divideHalfUp(BigInt(totalMinor) * gstPercent, 100n + gstPercent));
};
