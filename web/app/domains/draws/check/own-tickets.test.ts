import type { DrawEntry } from '@handwise/contract/tickets/calls';
import { expect, test } from 'vitest';
import { formatOwnEntry, formatOwnPlace, formatOwnVoid } from './own-tickets.tsx';

const entry: DrawEntry = {
  id: '00c18de1f9d3ab527e0af0e3a3b6d0f1',
  source: 'listing',
  createdAt: '2026-10-12T09:30:00Z',
  status: 'drawn',
  tickets: 5,
  expiryDate: null,
  voidReason: null,
  period: '2026-10',
};

test("describes an entry's reason and its tickets in the draw", () => {
  expect(formatOwnEntry(entry)).toBe('5 tickets for the first listing of somebody you invited, Oct 12, 2026');
  expect(formatOwnPlace({ ...entry, proof: { firstTicket: 10 } }, 1234)).toBe('Tickets 11 to 15 of 1,234');
  expect(formatOwnPlace({ ...entry, tickets: 1, proof: { firstTicket: 0 } }, 1234)).toBe('Ticket 1 of 1,234');
  expect(formatOwnPlace({ ...entry, proof: null }, 1234)).toBeNull();
});

test('says why an entry is void', () => {
  expect(formatOwnVoid('unconfirmed')).toBe('Not in the draw: your email address was not confirmed when the draw closed.');
  expect(formatOwnVoid(null)).toBeNull();
});
