import { ownTimeZone } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { countryKey, readStored, writeStored } from '../../../lib/browser-storage.ts';
import { countryOfTimeZone } from './near-me.tsx';

const isCountry = (text: string | null): text is CountryCode => text === 'NZ' || text === 'AU';

const countryOfLanguage = (languages: readonly string[]): CountryCode | null =>
  languages.map((language) => language.split('-')[1]?.toUpperCase() ?? null).find(isCountry) ?? null;

/** The country of this browser: what it chose last, else that of its time zone, else of its language; null for both. */
export function likelyCountry(): CountryCode | null {
  const chosen = readStored(countryKey);
  if (chosen === 'both') return null;
  return isCountry(chosen) ? chosen : (countryOfTimeZone(ownTimeZone()) ?? countryOfLanguage(navigator.languages));
}

export const rememberCountry = (country: CountryCode | 'both') => writeStored(countryKey, country);
