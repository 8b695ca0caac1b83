import type { PublicDraw } from '@handwise/contract/draws/calls';
import { expect, test } from 'vitest';
import {
  drawRefetchMs,
  formatChance,
  verifyCommand,
  getEdition,
  isSmallDraw,
  formatPrize,
  formatResult,
  formatStruck,
  ticketNumber,
  formatTotals,
  formatWaiting,
} from './draw-view.ts';

const round = {
  number: 7,
  chain: 'quicknet',
  announcedAt: '2026-10-31T10:30:00Z',
  expectedAt: '2026-10-31T10:35:00Z',
  secondsLeft: 12,
  late: false,
} as const;
const winner = { name: 'Mere K.', entryId: 'aa', ticketIndex: 3, tickets: 5, place: 0, prize: 'pending' } as const;
const draw: PublicDraw = {
  period: '2026-10',
  year: 2026,
  month: 10,
  status: 'completed',
  startsAt: '2026-09-30T10:30:00Z',
  closesAt: '2026-10-31T10:30:00Z',
  closedAt: '2026-10-31T10:30:00Z',
  root: 'ab',
  totalTickets: 1234,
  totalEntries: 1234,
  entryCount: 310,
  totalParticipants: 1,
  prize: { amount: 1000, currency: null },
  round,
  outcome: 'drawn',
  winner,
  struck: [],
};

test("describes a draw's state in one line", () => {
  expect(formatResult({ ...draw, status: 'open' })).toBe('Open until Oct 31, 2026, 11:30 pm');
  expect(formatResult({ ...draw, status: 'waiting' })).toBe('Waiting for public randomness, ready in about 12 seconds');
  expect(formatResult(draw)).toBe('Mere K. won $1,000');
  expect(formatResult({ ...draw, prize: { amount: 1000, currency: 'AUD' } })).toBe('Mere K. won $1,000 AUD');
  expect(formatResult({ ...draw, winner: { ...winner, name: '' } })).toBe('Somebody who has since closed their account won $1,000');
  expect(formatResult({ ...draw, outcome: 'no_entries', winner: null })).toBe('Nobody entered, so nobody won');
  expect(formatResult({ ...draw, outcome: 'not_awarded', winner: null })).toBe('The prize was not awarded');
});

test('shows the wait in seconds, and that a round is late', () => {
  expect(formatWaiting({ ...round, secondsLeft: 1 })).toBe('Waiting for public randomness, ready in about 1 second');
  expect(formatWaiting({ ...round, secondsLeft: 0 })).toBe('Waiting for public randomness, ready in about 1 second');
  expect(formatWaiting({ ...round, late: true })).toContain('will take no other');
});

test('shows the chance as one in N', () => {
  expect(formatChance(5, 1235)).toBe('5 of 1,235 tickets: one chance in 247');
  expect(formatChance(5, 1234)).toBe('5 of 1,234 tickets: about one chance in 247');
  expect(formatChance(2, 5)).toBe('2 of 5 tickets: about one chance in 2.5');
  expect(formatChance(3, 3)).toBe('3 of 3 tickets');
});

test('writes totals, prizes and ticket numbers counted from one', () => {
  expect(formatTotals({ ...draw, status: 'open' })).toBe('1 person holds 1,234 tickets in 310 entries');
  expect(formatTotals({ ...draw, status: 'waiting', totalParticipants: 290 })).toBe('290 people hold 1,234 tickets in 310 entries');
  expect(formatTotals({ ...draw, status: 'completed', totalParticipants: 290 })).toBe('290 people held 1,234 tickets in 310 entries');
  expect(formatTotals({ ...draw, status: 'open', totalTickets: 0 })).toBe('No tickets yet');
  expect(formatPrize({ amount: 1000, currency: 'NZD' })).toBe('$1,000 NZD');
  expect(ticketNumber(0)).toBe('1');
  expect(formatStruck({ entryId: 'aa', ticketIndex: 1, reason: 'Not claimed.', struckAt: '2026-10-31T10:30:00Z', samePerson: [] })).toBe(
    'Struck on Oct 31, 2026: Not claimed.',
  );
});

test("builds the verification command with the site's own proof URL", () => {
  expect(verifyCommand('https://handwise.co.nz', '2026-10')).toBe(
    'npm run --silent draw:verify -- https://handwise.co.nz/api/draws/2026-10/proof --log log.txt --checkpoint mail.txt',
  );
});

test('polls while a draw can change, and stops once it is over', () => {
  const waiting = { ...draw, status: 'waiting' } as const;
  expect(drawRefetchMs(draw)).toBeNull();
  expect(drawRefetchMs({ ...draw, status: 'open' })).toBe(60_000);
  expect(drawRefetchMs(waiting)).toBe(1_000);
  expect(drawRefetchMs({ ...waiting, round: { ...round, secondsLeft: 21 } })).toBe(5_000);
  expect(drawRefetchMs({ ...waiting, round: { ...round, late: true } })).toBe(10_000);
});

test('refetches the files when a draw is over and when a winner is struck', () => {
  const struck = [{ entryId: 'aa', ticketIndex: 1, reason: 'Not claimed.', struckAt: '2026-10-31T10:30:00Z', samePerson: [] }];
  const editions = [draw, { ...draw, status: 'waiting' } as const, { ...draw, struck }].map(getEdition);
  expect(new Set(editions).size).toBe(3);
  expect(getEdition({ ...draw, winner: { ...winner, prize: 'paid' } })).toBe(getEdition(draw));
});

test('fetches only short lists automatically', () => {
  expect([10_000, 10_001].map((entryCount) => isSmallDraw({ ...draw, entryCount }))).toEqual([true, false]);
});
