import { isValidPhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/min';
import { cleanMachineText } from './machine-text.ts';
import type { CountryCode } from './markets.ts';

export const phoneNumberLength = 20;
export const wrongPhoneNumber = 'Phone number must be exactly 10 digits';

/** Where a number is used: national and local numbers are read as people there write them. */
export type PhonePlace = { country: CountryCode; region?: string };
export type ReadPhoneNumber = { number: string } | { problem: string };

/** The area code of each state, and how local numbers begin that are certainly its own: towns at a border may have the neighbour's code. */
const areaCodes: Record<string, readonly [code: string, begins: RegExp]> = {
  // Moama and Deniliquin have 03 5, Tweed Heads 07 5, Broken Hill 08 80.
  'New South Wales': ['02', /^(?:4(?!67)|6|8(?!0[78])|9)/],
  'Australian Capital Territory': ['02', /^[2-9]/],
  // Wodonga has 02 60.
  Victoria: ['03', /^[589]/],
  Tasmania: ['03', /^6/],
  Queensland: ['07', /^[345]/],
  'South Australia': ['08', /^[78]/],
  'Western Australia': ['08', /^[69]/],
  'Northern Territory': ['08', /^8/],
};

const toDigits = (text: string) => text.replace(/\D/g, '');

/** A local number: eight digits in Australia, seven in New Zealand, neither beginning with the 0 of an area code. */
function isLocal(text: string, country: CountryCode | undefined): boolean {
  const digits = toDigits(text.replace(/^\+61/, ''));
  if (text.startsWith('+')) return text.startsWith('+61') && /^[2-9]\d{7}$/.test(digits);
  return country === 'NZ' ? /^[2-9]\d{6}$/.test(digits) : country === 'AU' ? /^[2-9]\d{7}$/.test(digits) : /^[2-9]\d{6,7}$/.test(digits);
}

// The smallest metadata only knows lengths and first digits. No number of New Zealand begins with 1, and 021 is a mobile number of New Zealand.
const impossible = { NZ: /^1/, AU: /^2[01]/ } as const;

/** E.164, or undefined if the text is no number of this country as people write it there. */
function readNational(text: string, country: CountryCode): string | undefined {
  if (!isValidPhoneNumber(text, country)) return undefined;
  const { number, countryCallingCode, nationalNumber } = parsePhoneNumberWithError(text, country);
  const isOwn = countryCallingCode === (country === 'NZ' ? '64' : '61');
  return isOwn && !impossible[country].test(nationalNumber) ? number : undefined;
}

// What is written in one country and can only be a number of the other, so that a missing digit never makes a stranger's number.
const certainlyOf = { NZ: /^(?:0(?:6|9|2[01]|800|508)|64)/, AU: /^(?:0|1[38]|61)/ } as const;

/**
 * A typed number of New Zealand or Australia in E.164. A local number of Australia gets the area code of its state where that is certain; else
 * the problem asks for it. Without a place, only numbers with an area code are read.
 */
export function readPhoneNumber(typed: string, place?: PhonePlace): ReadPhoneNumber {
  const text = cleanMachineText(typed)
    .replace(/^tel:\s*/i, '')
    .replace(/^0(?:0|011)[\s-]?(?=6[14])/, '+');
  if (!/^\+?[\d\s().-]+$/.test(text)) return { problem: wrongPhoneNumber };
  const country = place?.country;
  if (isLocal(text, country)) {
    const [code = country === 'NZ' ? '09' : '03', begins] = areaCodes[place?.region ?? ''] ?? [];
    const local = toDigits(text.replace(/^\+61/, ''));
    const completed = country === 'AU' && begins?.test(local) ? readNational(code + local, 'AU') : undefined;
    return completed ? { number: completed } : { problem: `Add the area code, such as ${code}` };
  }
  if (text.startsWith('+')) {
    const number = /^\+6[14]/.test(text) && isValidPhoneNumber(text) ? parsePhoneNumberWithError(text).number : undefined;
    return number ? { number } : { problem: wrongPhoneNumber };
  }
  // (647) 204-1812 is of Toronto, not +64 7 204 1812.
  if (/^\(?6[14]\d\)?[\s.-]/.test(text) && toDigits(text).length === 10) return { problem: wrongPhoneNumber };
  const other = country === 'NZ' ? 'AU' : 'NZ';
  const isOther = !country || certainlyOf[other].test(toDigits(text));
  const number = readNational(text, country ?? 'AU') ?? (isOther ? readNational(text, other) : undefined);
  return number ? { number } : { problem: wrongPhoneNumber };
}

/** What is wrong with a number wherever it is used; undefined if it is right in some place of the two countries. */
export function findPhoneProblem(text: string): string | undefined {
  const problems = ([undefined, { country: 'NZ' }, { country: 'AU' }] as const).map((place) => {
    const read = readPhoneNumber(text, place);
    return 'problem' in read ? read.problem : undefined;
  });
  return problems.every((problem) => problem === wrongPhoneNumber) ? wrongPhoneNumber : undefined;
}

/** "+64 21 345 678" */
export const formatPhoneNumber = (e164: string): string => parsePhoneNumberWithError(e164).formatInternational();
