import { isValidPhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/min';
import type { CountryCode } from './markets.ts';

export const phoneNumberLength = 20;

/** Whether a text is a number of New Zealand or Australia, national or with +64 or +61. */
export function isPhoneNumber(text: string): boolean {
  if (!/^\+?[\d\s().-]+$/.test(text)) return false;
  if (text.startsWith('+')) return /^\+6[14]/.test(text) && isValidPhoneNumber(text);
  return isValidPhoneNumber(text, 'NZ') || isValidPhoneNumber(text, 'AU');
}

/** The number in E.164, such as "+6421345678". A national one is read as of `country` if it is valid there, else as of the other country. */
export function toE164(text: string, country: CountryCode): string {
  const other = country === 'NZ' ? 'AU' : 'NZ';
  return parsePhoneNumberWithError(text, isValidPhoneNumber(text, country) ? country : other).number;
}

/** "+64 21 345 678" */
export const formatPhoneNumber = (e164: string): string => parsePhoneNumberWithError(e164).formatInternational();
