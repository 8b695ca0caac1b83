import { type CountryCode, markets } from '@handwise/contract/markets';

/** A day as people of a country read it, by its own clocks: "22 November 2026". */
export const dateText = (date: Date | string, country: CountryCode = 'NZ') => {
  const { locale, timeZone } = markets[country];
  return new Date(date).toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone });
};
