import type { ReferralDashboard } from '@handwise/contract/referrals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { EntriesTable } from './entries-table.tsx';
import { OwnNotices } from './own-notices.tsx';
import { ReferralsTable } from './referrals-table.tsx';
import { WinnerBanner } from './winner-banner.tsx';

/** The words of what is shown. */
const shown = (part: ReactNode) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>{part}</MemoryRouter>
    </QueryClientProvider>,
  )
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const closing = '2026-11-30T10:30:00.000Z';
const entry = {
  id: '0'.repeat(32),
  source: 'signup',
  createdAt: '2026-11-10T00:00:00.000Z',
  status: 'active',
  tickets: 3,
  expiryDate: closing,
  voidReason: null,
  period: '2026-11',
} as const;
const referral = {
  id: 'one',
  code: 'REF-DEM-1001',
  status: 'pending',
  heldBecause: null,
  heldUntil: null,
  refusedBecause: null,
  rewardType: null,
  swapUntil: null,
  referredUser: { name: 'Aroha Ngata', username: 'aroha', email: 'aroha@example.org', joinedAt: '2026-11-10T00:00:00.000Z' },
  listing: null,
} as const;
const notHeld = { heldBecause: null, heldUntil: null, refusedBecause: null };

function notices(changes: { emailConfirmed?: boolean; tickets?: number; own?: ReferralDashboard['ownReferral'] }): string {
  const { emailConfirmed = true, tickets = 1, own = null } = changes;
  const data = {
    user: { fullName: 'Mere Kingi', username: 'mere', email: 'mere@example.org', emailConfirmed },
    drawEntries: { total: tickets, entries: [] },
    currentDraw: { drawDate: closing, month: 10, year: 2026, daysUntilDraw: 8, hoursUntilDraw: 3 },
    ownReferral: own,
  } as Partial<ReferralDashboard>;
  return shown(<OwnNotices data={data as ReferralDashboard} />);
}

test('from the first ticket on it is said that the address must be confirmed before the draw closes', () => {
  expect(notices({ emailConfirmed: false })).toContain('Your 1 ticket only counts with a confirmed address.');
  expect(notices({ emailConfirmed: false, tickets: 2 })).toContain('Your 2 tickets only count with a confirmed address.');
  expect(notices({ emailConfirmed: false })).toContain('Nov 30, 2026, 11:30 pm New Zealand time');
  expect(notices({ emailConfirmed: false, tickets: 0 })).toBe('');
  expect(notices({})).toBe('');
});

test('whose own registration is held or refused reads why, until when, and whom to tell that it is wrong', () => {
  const held = { ...notHeld, heldBecause: 'Both accounts have used the same card.', heldUntil: '2026-12-04T00:00:00.000Z' };
  expect(notices({ own: { status: 'pending', ...held } })).toBe(
    'The code that you signed up with is being checked. Its ticket and your free first month wait for that. Both accounts have used the same card. If nobody has decided by Dec 4, 2026, it counts. Is this wrong? Tell us why.',
  );
  expect(notices({ own: { status: 'refused', ...notHeld, refusedBecause: 'Both accounts have the same mailbox.' } })).toContain(
    'does not count. Both accounts have the same mailbox. Is this wrong? Tell us why.',
  );
  expect(notices({ own: { status: 'converted', ...notHeld } })).toBe('');
});

const winningDraw = {
  _id: 'one',
  drawDate: '2026-10-31T10:30:00.000Z',
  month: 9,
  year: 2026,
  prizeAmount: 1000,
  status: 'completed',
  currency: 'NZD',
  claimBy: '2026-11-30T00:00:00.000Z',
} as const;

test.each([
  ['pending', 'You won $1,000 in the draw of October 2026 Claim it by Nov 30, 2026, or it goes to a reserve. Claim your prize'],
  ['claimed', 'You won $1,000 in the draw of October 2026 We have your bank details. The payment is on its way. See your claim'],
  ['paid', ''],
] as const)('a winner whose prize is %s reads what there is to do', (paymentStatus, text) => {
  expect(shown(<WinnerBanner status={{ isWinner: true, winningDraw: { ...winningDraw, paymentStatus } }} />)).toBe(text);
});

test('whoever has not won sees no banner', () => {
  expect(shown(<WinnerBanner status={{ isWinner: false, winningDraw: null }} />)).toBe('');
});

test('a referral says what it waits for, what it brought, and why it does not count', () => {
  expect(shown(<ReferralsTable referrals={[]} />)).toContain('No Referrals Yet');
  expect(shown(<ReferralsTable referrals={[referral]} />)).toMatch(/Aroha Ngata aroha aroha@example.org Nov 10, 2026 Pending Pending/);
  expect(shown(<ReferralsTable referrals={[{ ...referral, heldBecause: 'Too fast.', heldUntil: closing }]} />)).toContain(
    'Being checked. Too fast. If nobody has decided by Nov 30, 2026, it counts.',
  );
  expect(shown(<ReferralsTable referrals={[{ ...referral, status: 'refused', refusedBecause: 'Own code.' }]} />)).toMatch(
    /Refused Own code. None/,
  );
});

test('tickets can be swapped as long as their draw is open, and not where there is nothing to swap', () => {
  const converted = { ...referral, status: 'converted', rewardType: 'draw_entries', listing: { title: 'Hot water' } } as const;
  const swap = 'Take a free month instead for Aroha Ngata';
  expect(shown(<ReferralsTable referrals={[{ ...converted, swapUntil: '2099-01-01T00:00:00.000Z' }]} />)).toContain(swap);
  expect(shown(<ReferralsTable referrals={[{ ...converted, swapUntil: '2020-01-01T00:00:00.000Z' }]} />)).not.toContain(swap);
  expect(shown(<ReferralsTable referrals={[converted]} />)).not.toContain(swap);
});

test('an entry says what it is for, until when, and why it takes no part', () => {
  expect(shown(<EntriesTable entries={[]} />)).toContain('No Entries Yet');
  expect(shown(<EntriesTable entries={[entry]} />)).toMatch(/Signup Nov 10, 2026 Active 3 Nov 30, 2026$/);
  expect(shown(<EntriesTable entries={[{ ...entry, expiryDate: null }]} />)).toMatch(/No expiry$/);
  expect(shown(<EntriesTable entries={[{ ...entry, status: 'void', voidReason: 'swapped' }]} />)).toContain(
    'Void Swapped for a free month',
  );
});

test('a long list begins with its first ten', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...entry, id: `${at}`.padStart(32, '0') }));
  const rows = (count: number) => shown(<EntriesTable entries={many(count)} />).match(/Signup/g)?.length;
  expect([rows(10), rows(11)]).toEqual([10, 10]);
  expect(shown(<EntriesTable entries={many(11)} />)).toContain('Show all 11 entries');
  expect(shown(<EntriesTable entries={many(10)} />)).not.toContain('Show all');
});
