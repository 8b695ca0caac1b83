import { cleanMachineText } from '../machine-text.ts';

// No schemas, so that the claim form can check while typing without zod.

/** The normalised account number, or the error message of the form. */
export type ReadAccountNumber = { number: string } | { problem: string };

type Currency = 'NZD' | 'AUD';

// Parts are separated by a space, a dash or nothing.
const getGroups = (typed: string) => typed.match(/\d+/g) ?? [];
const isWritten = (typed: string) => /^[\d\s./‐-―−-]+$/.test(typed);

type Check = 'byBase' | 'D' | 'E' | 'F' | 'G' | 'none';
type Ranges = readonly (readonly [from: number, to: number])[];

/**
 * Branches of each bank and how its numbers are checked: from Inland Revenue’s specification of withholding tax certificates, with the
 * banks and branches that Payments NZ’s register has added since.
 */
const banks: Readonly<Record<string, readonly [Check, Ranges]>> = {
  '01': [
    'byBase',
    [
      [1, 999],
      [1100, 1199],
      [1800, 1899],
      [6150, 6150],
    ],
  ],
  '02': [
    'byBase',
    [
      [1, 999],
      [1200, 1299],
      [2025, 2055],
    ],
  ],
  '03': [
    'byBase',
    [
      [1, 999],
      [1300, 1399],
      [1500, 1599],
      [1700, 1799],
      [1900, 1999],
      [7350, 7399],
    ],
  ],
  '04': ['byBase', [[2014, 2024]]],
  '05': ['byBase', [[8884, 8889]]],
  '06': [
    'byBase',
    [
      [1, 999],
      [1400, 1499],
    ],
  ],
  '08': ['D', [[6500, 6599]]],
  '09': ['E', [[0, 0]]],
  '10': ['byBase', [[5165, 5169]]],
  '11': [
    'byBase',
    [
      [5000, 6499],
      [6600, 8999],
    ],
  ],
  '12': [
    'byBase',
    [
      [3000, 3299],
      [3400, 3499],
      [3600, 3699],
    ],
  ],
  '13': ['byBase', [[4900, 4999]]],
  '14': ['byBase', [[4700, 4799]]],
  '15': ['byBase', [[3900, 3999]]],
  '16': ['byBase', [[4400, 4499]]],
  '17': ['byBase', [[3300, 3399]]],
  '18': ['byBase', [[3500, 3599]]],
  '19': ['byBase', [[4600, 4649]]],
  '20': ['byBase', [[4100, 4199]]],
  '21': ['byBase', [[4800, 4899]]],
  '22': ['byBase', [[4000, 4049]]],
  '23': ['byBase', [[3700, 3799]]],
  '24': ['byBase', [[4300, 4349]]],
  '25': ['F', [[2500, 2599]]],
  '26': ['G', [[2600, 2699]]],
  '27': ['byBase', [[3800, 3849]]],
  '28': ['G', [[2100, 2149]]],
  '29': ['G', [[2150, 2299]]],
  '30': ['byBase', [[2900, 2949]]],
  '31': ['none', [[2800, 2849]]],
  '33': ['F', [[6700, 6799]]],
  '35': ['byBase', [[2400, 2499]]],
  '38': ['byBase', [[9000, 9499]]],
  '88': ['byBase', [[8800, 8805]]],
};

/** Weights of the digits: two of the bank, four of the branch, eight of the account, four of the suffix. */
const checks = {
  A: { weights: [0, 0, 6, 3, 7, 9, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0, 0], modulus: 11, sumsDigits: false },
  B: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0, 0], modulus: 11, sumsDigits: false },
  D: { weights: [0, 0, 0, 0, 0, 0, 0, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0], modulus: 11, sumsDigits: false },
  E: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 3, 2, 0, 0, 0, 1], modulus: 11, sumsDigits: true },
  F: { weights: [0, 0, 0, 0, 0, 0, 0, 1, 7, 3, 1, 7, 3, 1, 0, 0, 0, 0], modulus: 10, sumsDigits: false },
  G: { weights: [0, 0, 0, 0, 0, 0, 0, 1, 3, 7, 1, 3, 7, 1, 0, 3, 7, 1], modulus: 10, sumsDigits: true },
} as const;

/** From this account number on, the check leaves out the branch. */
const firstWithoutBranch = 990_000;

const sumOfDigits = (value: number): number => (value < 10 ? value : sumOfDigits(Math.floor(value / 10) + (value % 10)));

function holdsCheck(check: Check, [bank, branch, account, suffix]: readonly [string, string, string, string]): boolean {
  if (check === 'none') return true;
  const byBase = Number(account) < firstWithoutBranch ? 'A' : 'B';
  const { weights, modulus, sumsDigits } = checks[check === 'byBase' ? byBase : check];
  const digits = [...`${bank}${branch}${account.padStart(8, '0')}${suffix.padStart(4, '0')}`].map(Number);
  const products = digits.map((digit, at) => digit * (weights[at] ?? 0));
  return products.reduce((sum, product) => sum + (sumsDigits ? sumOfDigits(product) : product), 0) % modulus === 0;
}

const newZealandShape = 'A New Zealand account number has a bank, a branch, an account and a suffix, like 12-3456-0123459-00';

/** Bank, branch, account and suffix: 12-3456-0123459-00. */
function readNewZealand(typed: string): ReadAccountNumber {
  const groups = getGroups(typed);
  const digits = groups.join('');
  // Spaces separate the four parts if the first is short; otherwise they are only for legibility.
  const isInParts = groups.length === 4 && (groups[0] ?? '').length <= 2;
  const [bank, branch, account, suffix] = isInParts
    ? groups
    : [digits.slice(0, 2), digits.slice(2, 6), digits.slice(6, 13), digits.slice(13)];
  const suffixLengths = isInParts ? /^\d{1,4}$/ : /^\d{2,3}$/;
  const fits = bank?.length === 2 && branch?.length === 4 && /^\d{6,8}$/.test(account ?? '') && suffixLengths.test(suffix ?? '');
  if (!fits || !account || !suffix) return { problem: newZealandShape };
  if (/^0+$/.test(account)) return { problem: 'The account in this number is all zeros. Please check it' };
  const [check, branches] = (Object.hasOwn(banks, bank) ? banks[bank] : undefined) ?? [];
  if (!check || !branches) return { problem: `No New Zealand bank has the number ${bank}. Please check the bank’s number` };
  if (!branches.some(([from, to]) => Number(branch) >= from && Number(branch) <= to)) {
    return { problem: `Bank ${bank} has no branch ${branch}. Please check the branch’s number` };
  }
  if (!holdsCheck(check, [bank, branch, account, suffix])) {
    return { problem: 'A digit of this number is wrong, or two are swapped. Please compare it with what your bank shows' };
  }
  return { number: [bank, branch, account.padStart(7, '0'), suffix.padStart(2, '0')].join('-') };
}

/** BSB and account: 062-000 12345678. */
function readAustralia(typed: string): ReadAccountNumber {
  const groups = getGroups(typed);
  const digits = groups.join('');
  // Its digits would make a BSB and an account of somebody else.
  if (/^2,4,[67],[23]$/.test(String(groups.map(({ length }) => length))))
    return { problem: 'This is a New Zealand account number. Choose New Zealand dollars, or type an Australian one' };
  const [bsb, account] = [digits.slice(0, 6), digits.slice(6)];
  if (account.length === 0)
    return { problem: 'An Australian account number has a BSB of six digits and an account, like 062-000 12345678' };
  if (account.length < 4) return { problem: 'A digit is missing: the account after the BSB has at least four' };
  if (account.length > 10) return { problem: 'There are too many digits: a BSB has six, and the account at most ten' };
  if (bsb.startsWith('00')) return { problem: 'No Australian bank has a BSB that begins with 00. Please check it' };
  if (/^0+$/.test(account)) return { problem: 'The account in this number is all zeros. Please check it' };
  return { number: `${bsb.slice(0, 3)}-${bsb.slice(3)} ${account}` };
}

export function readAccountNumber(text: string, currency: Currency): ReadAccountNumber {
  const typed = cleanMachineText(text);
  if (!isWritten(typed)) return { problem: 'Use digits only, with spaces or dashes between them if you like' };
  return currency === 'NZD' ? readNewZealand(typed) : readAustralia(typed);
}
