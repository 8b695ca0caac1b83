const computeCheckDigit = (digits: readonly number[], weights: readonly number[]) =>
  (11 - (digits.reduce((sum, digit, place) => sum + digit * (weights[place] ?? 0), 0) % 11)) % 11;

/**
 * The digits of a New Zealand GST number, which is an IRD number: 8 or 9 digits, the last one a check digit, as in Inland Revenue's specification of
 * resident withholding tax certificates. Its upper limit of numbers that are likely to be issued is left out. Undefined for anything else.
 */
export function parseGstNumber(text: string): string | undefined {
  const number = text
    .replace(/^\s*(?:GST|IRD)(?:\s*(?:number|no\.?|#))?\s*:?/i, '')
    .replace(/[\s.-]/g, '')
    .replace(/^0/, '');
  if (!/^[1-9]\d{7,8}$/.test(number)) return undefined;
  const digits = [...number.padStart(9, '0')].map(Number);
  const last = digits.pop();
  const first = computeCheckDigit(digits, [3, 2, 7, 6, 5, 4, 3, 2]);
  return last === (first === 10 ? computeCheckDigit(digits, [7, 4, 3, 2, 5, 2, 7, 6]) : first) ? number : undefined;
}

/** "49-091-850", "136-410-132" */
export const formatGstNumber = (number: string) => number.replace(/^(\d{2,3})(\d{3})(\d{3})$/, '$1-$2-$3');
