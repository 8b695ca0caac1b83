/** What the prefix of a card number determines. `groups` is how its digits are printed on the card. */
type Scheme = { brand: string; start: RegExp; lengths: readonly number[]; groups: readonly number[]; cvc: number };

const fours = [4, 4, 4, 4, 3] as const;
const unknown: Scheme = {
  brand: 'unknown',

  start: /^/,
  lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  groups: fours,
  cvc: 3,
};
const schemes: readonly Scheme[] = [
  { brand: 'visa', start: /^4/, lengths: [16], groups: fours, cvc: 3 },
  {
    brand: 'mastercard',

    start: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    groups: fours,
    cvc: 3,
  },
  { brand: 'amex', start: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvc: 4 },
  { brand: 'diners', start: /^3(0[0-5]|[689])/, lengths: [14, 16], groups: [4, 6, 4, 2], cvc: 3 },
  { brand: 'discover', start: /^6(011|4[4-9]|5)/, lengths: [16], groups: fours, cvc: 3 },
  { brand: 'jcb', start: /^35/, lengths: [16], groups: fours, cvc: 3 },
  { brand: 'unionpay', start: /^62/, lengths: [16, 17, 18, 19], groups: fours, cvc: 3 },
];

export const getCardScheme = (digits: string): Scheme => schemes.find(({ start }) => start.test(digits)) ?? unknown;

export const getDigits = (text: string) => text.replace(/\D/g, '');

/** "4242 4242 4242 4242", in the groups of the card's brand, cut at its maximum length. */
export function formatNumber(text: string): string {
  const { lengths, groups } = getCardScheme(getDigits(text));
  let rest = getDigits(text).slice(0, Math.max(...lengths));
  const parts = [];
  for (const size of groups) {
    if (rest === '') break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.join(' ');
}

/** "04 / 28" from what is typed, pasted or filled in: 4, 428, 0428, 04/28, 04/2028. `shrinking` keeps the separator erasable. */
export function formatExpiry(text: string, shrinking: boolean): string {
  let digits = getDigits(text);
  if (/^[2-9]/.test(digits) || /^\s*1\s*\//.test(text)) digits = `0${digits}`;
  const month = digits.slice(0, 2);
  const year = digits.length >= 6 ? digits.slice(4, 6) : digits.slice(2, 4);
  return month.length < 2 || (shrinking && year === '') ? month : `${month} / ${year}`;
}

/** The check sum of card numbers (ISO/IEC 7812). */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return digits !== '' && sum % 10 === 0;
}

export type TypedCard = { number: string; expiry: string; cvc: string };

/** The error of each field; null without one. */
export function listCardProblems(card: TypedCard, now: Date): Record<keyof TypedCard, string | null> {
  const digits = getDigits(card.number);
  const { lengths, cvc } = getCardScheme(digits);
  const { month, year } = parseExpiry(card.expiry);
  const isOver = year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1);
  const isDate = /^\d\d \/ \d\d$/.test(card.expiry);
  return {
    number: lengths.includes(digits.length)
      ? passesLuhn(digits)
        ? null
        : 'Your card number is invalid.'
      : 'Your card number is incomplete.',
    expiry: isDate
      ? month < 1 || month > 12
        ? 'Your card’s expiry date is invalid.'
        : isOver
          ? 'Your card’s expiry date is in the past.'
          : null
      : 'Your card’s expiry date is incomplete.',
    cvc: card.cvc.length === cvc ? null : 'Your card’s security code is incomplete.',
  };
}

/** Parses a complete "MM / YY". */
export const parseExpiry = (expiry: string) => {
  const digits = getDigits(expiry);
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2, 4)) };
};
