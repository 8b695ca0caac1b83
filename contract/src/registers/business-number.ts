import type { CountryCode } from '../markets.ts';

// Business numbers of public registers and their check digits. Without schemas, because pages of listings load them.

/** The public business register of each country. `page` is the public page of a number's entry. */
export const businessRegisters = {
  nzbn: {
    country: 'NZ',
    number: 'NZBN',
    name: 'New Zealand Business Number register',
    page: (number: string) => `https://www.nzbn.govt.nz/mynzbn/nzbndetails/${number}/`,
  },
  abn: {
    country: 'AU',
    number: 'ABN',
    name: 'Australian Business Register',
    page: (number: string) => `https://abr.business.gov.au/ABN/View?abn=${number}`,
  },
} as const satisfies Record<string, { country: CountryCode; number: string; name: string; page: (number: string) => string }>;
export type BusinessRegister = keyof typeof businessRegisters;

export const getRegister = (country: CountryCode): BusinessRegister => (country === 'NZ' ? 'nzbn' : 'abn');

const computeWeightedSum = (digits: readonly number[], weights: readonly number[]) =>
  digits.reduce((sum, digit, place) => sum + digit * (weights[place] ?? 0), 0);

/** A GS1 global location number with New Zealand's prefix for businesses: 13 digits, the last one a check digit. */
const isNzbn = (number: string) =>
  /^94\d{11}$/.test(number) && computeWeightedSum([...number].map(Number), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

/** 11 digits, the first two check digits: the weighted sum, with 1 subtracted from the first digit, is divisible by 89. */
function isAbn(number: string): boolean {
  if (!/^[1-9]\d{10}$/.test(number)) return false;
  const [first = 0, ...others] = [...number].map(Number);
  return computeWeightedSum([first - 1, ...others], [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0;
}

/** The digits without grouping; undefined if the number is not valid in this country. */
export function parseBusinessNumber(text: string, country: CountryCode): string | undefined {
  const digits = text.replace(/[\s.-]/g, '');
  return (country === 'NZ' ? isNzbn : isAbn)(digits) ? digits : undefined;
}

/** Formats a number for display: an ABN in groups. */
export const formatBusinessNumber = (number: string, register: BusinessRegister): string =>
  register === 'abn' ? number.replace(/^(\d\d)(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4') : number;
