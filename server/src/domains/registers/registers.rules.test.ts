import { expect, test } from 'vitest';
import { isSameBusiness, evaluateEntry } from './registers.rules.ts';

test.each([
  ['Kingi & Daughters', 'KINGI AND DAUGHTERS LIMITED'],
  ['Kingi Plumbing', 'KINGI HOLDINGS LIMITED'],
  ['Blue Peak Roofing', 'BLUEPEAK ROOFING PTY LTD'],
  ['Tūī Builders', 'TUI BUILDERS LIMITED'],
  ['O’Brien Electrical', "O'BRIEN ELECTRICAL PTY LTD"],
  ['Smith Gas', 'SMITH, JOHN ALAN'],
  ['The Plumbing Company', 'PLUMBING COMPANY LIMITED'],
  ['A1 Drains', 'A1 DRAINAGE LIMITED'],
])('matches “%s” with “%s”', (claimed, registered) => expect(isSameBusiness(claimed, registered)).toBe(true));

test.each([
  ['Kingi Plumbing', 'RUA PLUMBING LIMITED'],
  ['Blue Peak Roofing', 'RED HILL ROOFING LIMITED'],
  ['Quality Home Services NZ Limited', 'BEST HOME MAINTENANCE NEW ZEALAND LIMITED'],
  ['Plumbing Services', 'PLUMBING LIMITED'],
  ['J Smith', 'J BROWN'],
  ['Kingi', 'KING LIMITED'],
  ['Limited', 'PTY LTD'],
  ['The Company', 'A TRUST'],
])('does not match “%s” with “%s”', (claimed, registered) => expect(isSameBusiness(claimed, registered)).toBe(false));

test('verifies a number when an operating business has the claimed name', () => {
  const entry = (isInOperation: boolean, ...names: string[]) => ({
    names: ['HOLDING TWELVE LIMITED', ...names] as [string, ...string[]],
    isInOperation,
  });
  const as = (state: string) => ({ state, registerName: 'HOLDING TWELVE LIMITED' });
  expect(evaluateEntry(entry(true, 'Rua Roofs', 'Kingi Plumbing'), 'Kingi & Daughters')).toEqual(as('verified'));
  expect(evaluateEntry(entry(false, 'Kingi Plumbing'), 'Kingi & Daughters')).toEqual(as('gone'));
  expect(evaluateEntry(entry(true, 'Rua Roofs'), 'Kingi & Daughters')).toEqual(as('refused'));
  // The registered name of another business is not disclosed.
  expect(evaluateEntry(entry(false, 'Rua Roofs'), 'Kingi & Daughters')).toEqual(as('refused'));
  expect(evaluateEntry(null, 'Kingi & Daughters')).toEqual({ state: 'refused', registerName: null });
});
