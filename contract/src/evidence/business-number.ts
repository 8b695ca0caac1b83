import type { CountryCode } from '../markets.ts';

// The numbers that registers give to businesses, and their check digits. Without schemas: pages of listings need them.

/** The public register of each country's businesses. `page` is where anybody reads the entry of a number. */
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

export const registerOf = (country: CountryCode): BusinessRegister => (country === 'NZ' ? 'nzbn' : 'abn');

const weighed = (digits: readonly number[], weights: readonly number[]) =>
  digits.reduce((sum, digit, place) => sum + digit * (weights[place] ?? 0), 0);

/** A global location number of GS1 with New Zealand's prefix for businesses: 13 digits, of which the last one checks the others. */
const isNzbn = (number: string) =>
  /^94\d{11}$/.test(number) && weighed([...number].map(Number), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

/** 11 digits, the first two of which check the others: weighed, and one taken from the first, they divide by 89. */
function isAbn(number: string): boolean {
  if (!/^[1-9]\d{10}$/.test(number)) return false;
  const [first = 0, ...others] = [...number].map(Number);
  return weighed([first - 1, ...others], [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0;
}

/** The number's digits, however they are grouped; undefined where it can be no number of this country's register. */
export function businessNumberOf(text: string, country: CountryCode): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  return (country === 'NZ' ? isNzbn : isAbn)(digits) ? digits : undefined;
}

/** As people write it: an ABN in groups. */
export const businessNumberText = (number: string, register: BusinessRegister): string =>
  register === 'abn' ? number.replace(/^(\d\d)(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4') : number;
