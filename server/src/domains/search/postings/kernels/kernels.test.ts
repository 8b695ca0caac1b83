import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Bits,
  bitsBehindOneAnother,
  both,
  countBits,
  countBoth,
  countFour,
  either,
  hasBit,
  newBits,
  rowsOf,
  setBit,
  without,
} from '../bits.ts';
import { assemble } from './assemble.ts';
import { bytesColumn, giveBack, kernels, shortsColumn, takenBytes, wordsColumn } from './room.ts';

const rows = fc.uniqueArray(fc.oneof(fc.nat({ max: 65_535 }), fc.nat({ max: 80 }), fc.constantFrom(63, 64, 65_535)), { maxLength: 300 });
const [one, other, to] = [newBits(), newBits(), newBits()];
function setAll(bits: Bits, all: readonly number[]) {
  bits.fill(0);
  for (const row of all) setBit(bits, row);
}
const rowsIn = (bits: Bits) => [...rowsOf(bits)];
const inOrder = (some: readonly number[]) => some.toSorted((a, b) => a - b);

test('what both have, what one has alone and what either has is as sets have it, and so is how many that is', () => {
  fc.assert(
    fc.property(rows, rows, (some, others) => {
      setAll(one, some);
      setAll(other, others);
      const shared = some.filter((row) => others.includes(row));
      expect([both(to, one, other), rowsIn(to)]).toEqual([shared.length, inOrder(shared)]);
      const alone = some.filter((row) => !others.includes(row));
      expect([without(to, one, other), rowsIn(to)]).toEqual([alone.length, inOrder(alone)]);
      either(to, one, other);
      expect(rowsIn(to)).toEqual(inOrder([...new Set([...some, ...others])]));
      expect([countBoth(one, other), countBits(one)]).toEqual([shared.length, some.length]);
    }),
    { numRuns: 60, seed: 7 },
  );
});

test('how many are set in each of four is as one asks each of them, and rows are listed as they are set', () => {
  const four = bitsBehindOneAnother(5).slice(1);
  fc.assert(
    fc.property(rows, fc.tuple(rows, rows, rows, rows), (some, others) => {
      setAll(one, some);
      for (const [index, bits] of four.entries()) setAll(bits, others[index] ?? []);
      expect(countFour(one, four[0] as Bits)).toEqual(four.map((bits) => countBoth(one, bits)));
      expect(rowsIn(one)).toEqual(Array.from({ length: 65_536 }, (_, row) => row).filter((row) => hasBit(one, row)));
    }),
    { numRuns: 40, seed: 7 },
  );
});

test('rows are added to those that are set, and those whose number is above the most are taken out', () => {
  fc.assert(
    fc.property(rows, rows, fc.nat({ max: 65_535 }), (some, others, most) => {
      setAll(to, some);
      const column = shortsColumn(others.length);
      column.set(others);
      kernels.addRows(to.byteOffset, column.byteOffset, column.byteOffset + column.byteLength);
      const all = inOrder([...new Set([...some, ...others])]);
      expect(rowsIn(to)).toEqual(all);
      const numbers = wordsColumn(65_536);
      for (const row of all) numbers[row] = row ^ 0x5555;
      kernels.keepUpTo(to.byteOffset, numbers.byteOffset, most);
      expect(rowsIn(to)).toEqual(all.filter((row) => (row ^ 0x5555) <= most));
      giveBack(column);
      giveBack(numbers);
    }),
    { numRuns: 40, seed: 7 },
  );
});

test('room that is given back is given out again, empty, and what lies side by side as one', () => {
  const before = takenBytes();
  const columns = [bytesColumn(8_192), wordsColumn(2_048), shortsColumn(5_000), bytesColumn(1)];
  const [first, second, third] = columns;
  for (const column of columns) column.fill(255);
  expect(takenBytes() - before).toBe(5 * 8_192);
  for (const column of [first, third, second]) if (column) giveBack(column);
  const joined = bytesColumn(4 * 8_192);
  expect([joined.byteOffset, joined.every((byte) => byte === 0)]).toEqual([first?.byteOffset, true]);
  for (const column of [joined, ...columns.slice(3)]) giveBack(column);
  expect(takenBytes()).toBe(before);
  // Nothing needs no room.
  giveBack(shortsColumn(0));
  expect(takenBytes()).toBe(before);
});

test('bits of all rows are counted and listed', () => {
  one.fill(0xffff_ffff);
  expect([countBits(one), rowsOf(one).length, both(to, one, one), without(to, one, one)]).toEqual([65_536, 65_536, 65_536, 0]);
});

test('what the assembler does not know is told instead of left out', () => {
  const body = (text: string) => `(import "room" "memory" (memory 1 1 shared)) (func (export "f") (param $one i32) ${text})`;
  expect(assemble(body('(local $two i32) (local.set $two (local.get $one))')).length).toBeGreaterThan(8);
  for (const text of ['(i32.rotl (local.get $one))', '(local.set $three (local.get $one))', '(br $nowhere)'])
    expect(() => assemble(body(text))).toThrow('cannot be assembled');
});
