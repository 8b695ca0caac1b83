import { type CountryCode, markets } from './markets.ts';

/** The GST within a price that includes it, in cents, rounded half up. */
export const gstWithin = (totalMinor: number, country: CountryCode) => {
  const { gstPercent } = markets[country];
  return Math.round((totalMinor * gstPercent) / (100 + gstPercent));
};
