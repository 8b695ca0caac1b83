import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money } from '@handwise/contract/money';
import { addUpQuote, formatQuantity, getLineMinor, parsePrice, parseQuantity } from '@handwise/contract/quotes/amounts';
import { maxQuantityMilli, maxQuoteLines, maxUnitMinor } from '@handwise/contract/quotes/words';

const anyLine = fc.record({
  quantityMilli: fc.integer({ min: 1, max: maxQuantityMilli }),
  unitMinor: fc.integer({ min: 0, max: maxUnitMinor }),
});
/** Small enough to round to different cents. */
const smallLine = fc.record({ quantityMilli: fc.integer({ min: 1, max: 9_999 }), unitMinor: fc.integer({ min: 0, max: 99_999 }) });
const runs = { numRuns: 2_000 };

/** Whether a whole number is the nearest to a fraction, the upper one in the middle. */
const isHalfUp = (rounded: number, numerator: bigint, denominator: bigint) => {
  const twiceOff = 2n * (BigInt(rounded) * denominator - numerator);
  return twiceOff > -denominator && twiceOff <= denominator;
};

test('a line is quantity × unit price rounded half up to the cent, for any line', () => {
  // The product of the largest ones is beyond the exact integers of a float.
  const isExact = (line: { quantityMilli: number; unitMinor: number }) =>
    isHalfUp(getLineMinor(line), BigInt(line.quantityMilli) * BigInt(line.unitMinor), 1_000n);
  expect(() => fc.assert(fc.property(fc.oneof(anyLine, smallLine), isExact), runs)).not.toThrow();
});

test.each([
  [1_500, 333, 500],
  [500, 1, 1],
  [499, 1, 0],
  [1_005, 100, 101],
  [1_004, 100, 100],
  [333, 9_999, 3_330],
  [maxQuantityMilli, maxUnitMinor, 9_999_999_900_000],
])('%i thousandths at %i cents are %i cents', (quantityMilli, unitMinor, expected) => {
  expect(getLineMinor({ quantityMilli, unitMinor })).toBe(expected);
});

test('GST is 3/23 of a New Zealand total and 1/11 of an Australian one, rounded half up, for any total', () => {
  const isExact = (unitMinor: number) => {
    const line = [{ quantityMilli: 1_000, unitMinor }];
    const nz = addUpQuote(line, { country: 'NZ', gstIncluded: true });
    const au = addUpQuote(line, { country: 'AU', gstIncluded: true });
    return (
      nz.totalMinor === unitMinor && isHalfUp(nz.gstMinor, 3n * BigInt(unitMinor), 23n) && isHalfUp(au.gstMinor, BigInt(unitMinor), 11n)
    );
  };
  fc.assert(fc.property(fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 1_000_000_000 })), isExact), runs);
  expect(addUpQuote([{ quantityMilli: 1_000, unitMinor: 11_500 }], { country: 'NZ', gstIncluded: true }).gstMinor).toBe(1_500);
  expect(addUpQuote([{ quantityMilli: 1_000, unitMinor: 11_000 }], { country: 'AU', gstIncluded: true }).gstMinor).toBe(1_000);
});

test('the total is the sum of the rounded lines in any order, without GST for a business that is not registered', () => {
  const isSum = (lines: { quantityMilli: number; unitMinor: number }[]) => {
    const total = lines.reduce((sum, line) => sum + getLineMinor(line), 0);
    const added = [lines, lines.toReversed()].map((all) => addUpQuote(all, { country: 'NZ', gstIncluded: false }));
    return added.every((one) => one.totalMinor === total && one.gstMinor === 0);
  };
  fc.assert(fc.property(fc.array(smallLine, { maxLength: maxQuoteLines }), isSum));
  // Three thirds of a cent round to nothing each.
  const thirds = { quantityMilli: 333, unitMinor: 1 };
  expect(addUpQuote([thirds, thirds, thirds], { country: 'NZ', gstIncluded: true })).toEqual({ totalMinor: 0, gstMinor: 0 });
});

test('reads what it writes, for any quantity and price', () => {
  const isRead = ({ quantityMilli, unitMinor }: { quantityMilli: number; unitMinor: number }) =>
    parseQuantity(formatQuantity(quantityMilli)) === quantityMilli && parsePrice(money(unitMinor, '').trim()) === unitMinor;
  expect(() => fc.assert(fc.property(fc.oneof(anyLine, smallLine), isRead), runs)).not.toThrow();
});

test.each([
  ['1', 1_000],
  ['2.5', 2_500],
  ['0.125', 125],
  ['.5', 500],
  ['12.', 12_000],
  [' 3 ', 3_000],
  ['1,250.75', 1_250_750],
  ['1.2345', null],
  ['', null],
  ['.', null],
  ['-1', null],
  ['1e3', null],
  ['1,25', null],
  ['two', null],
])('the quantity “%s” is %s thousandths', (text, expected) => {
  expect(parseQuantity(text)).toBe(expected);
});

test.each([
  ['80', 8_000],
  ['$79.5', 7_950],
  ['$ 1,234.05', 123_405],
  ['79.505', null],
  ['80 dollars', null],
])('the price “%s” is %s cents', (text, expected) => {
  expect(parsePrice(text)).toBe(expected);
});
