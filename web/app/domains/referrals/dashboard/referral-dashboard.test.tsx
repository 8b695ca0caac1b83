import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import type { DrawEntry } from '@handwise/contract/tickets/calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { DrawEntries } from './draw-entries.tsx';
import { EntriesTable } from './entries-table.tsx';
import { OwnNotices } from './own-notices.tsx';
import { ReferralsTable } from './referrals-table.tsx';
import { WinnerBanner } from './referral-dashboard.tsx';

/** The text of a component. */
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
  heldOutcome: null,
  refusedBecause: null,
  rewardType: null,
  swapUntil: null,
  referredUser: { name: 'Aroha Ngata', username: 'aroha', email: 'aroha@example.org', joinedAt: '2026-11-10T00:00:00.000Z' },
  listing: null,
} as const;
const notHeld = { heldBecause: null, heldUntil: null, heldOutcome: null, refusedBecause: null };

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

test('asks holders of tickets to confirm their address before the draw closes', () => {
  expect(notices({ emailConfirmed: false })).toContain('Your 1 ticket only counts with a confirmed address.');
  expect(notices({ emailConfirmed: false, tickets: 2 })).toContain('Your 2 tickets only count with a confirmed address.');
  expect(notices({ emailConfirmed: false })).toContain('Nov 30, 2026, 11:30 pm New Zealand time');
  expect(notices({ emailConfirmed: false, tickets: 0 })).toBe('');
  expect(notices({})).toBe('');
});

test('says why a registration is held or refused, until when, and whom to contact', () => {
  const held = { ...notHeld, heldBecause: 'It went fast.', heldUntil: '2026-12-04T00:00:00.000Z' };
  const begin = 'The code that you signed up with is being checked. Its ticket and your free first month wait for that. It went fast.';
  expect(notices({ own: { status: 'pending', ...held, heldOutcome: 'counts' } })).toBe(
    `${begin} If nobody has decided by Dec 4, 2026, it counts. Is this wrong? Tell us why.`,
  );
  expect(notices({ own: { status: 'pending', ...held, heldOutcome: 'lapses' } })).toBe(
    `${begin} It counts as soon as you pay for a plan with a card that no connected account uses. If nobody has decided by Dec 4, 2026, it lapses. Is this wrong? Tell us why.`,
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
  leftOut: [] as string[],
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

test('shows no banner without a win', () => {
  expect(shown(<WinnerBanner status={{ isWinner: false, winningDraw: null }} />)).toBe('');
});

test('shows what a referral waits for, what it earned, and why it does not count', () => {
  expect(shown(<ReferralsTable referrals={[]} />)).toContain('No Referrals Yet');
  expect(shown(<ReferralsTable referrals={[referral]} />)).toMatch(/Aroha Ngata aroha aroha@example.org Nov 10, 2026 Pending Pending/);
  const held = { ...referral, heldBecause: 'Too fast.', heldUntil: closing };
  expect(shown(<ReferralsTable referrals={[{ ...held, heldOutcome: 'counts' }]} />)).toContain(
    'Being checked. Too fast. If nobody has decided by Nov 30, 2026, it counts.',
  );
  expect(shown(<ReferralsTable referrals={[{ ...held, heldOutcome: 'lapses' }]} />)).toContain(
    'Too fast. It counts as soon as they pay for a plan with a card that no connected account uses. If nobody has decided by Nov 30, 2026, it lapses.',
  );
  expect(shown(<ReferralsTable referrals={[{ ...referral, status: 'refused', refusedBecause: 'Own code.' }]} />)).toMatch(
    /Refused Own code. None/,
  );
});

test('offers swapping tickets while their draw is open, if there are any', () => {
  const converted = { ...referral, status: 'converted', rewardType: 'draw_entries', listing: { title: 'Hot water' } } as const;
  const swap = 'Take a free month instead for Aroha Ngata';
  expect(shown(<ReferralsTable referrals={[{ ...converted, swapUntil: '2099-01-01T00:00:00.000Z' }]} />)).toContain(swap);
  expect(shown(<ReferralsTable referrals={[{ ...converted, swapUntil: '2020-01-01T00:00:00.000Z' }]} />)).not.toContain(swap);
  expect(shown(<ReferralsTable referrals={[converted]} />)).not.toContain(swap);
});

const entriesTable = (entries: readonly DrawEntry[], running = '2026-11') => shown(<EntriesTable entries={entries} running={running} />);

test("shows an entry's reason, its draw, and why it takes no part", () => {
  expect(entriesTable([])).toContain('No Entries Yet');
  expect(entriesTable([entry])).toMatch(/User Signup Nov 10, 2026 Active 3 Nov 30, 2026$/);
  expect(entriesTable([{ ...entry, expiryDate: null }])).toMatch(/No expiry$/);
  expect(entriesTable([{ ...entry, status: 'void', voidReason: 'swapped' }])).toContain('Void Swapped for a free month');
});

test('collapses entries of past draws below those of the open one', () => {
  const drawn = { ...entry, id: '1'.repeat(32), status: 'drawn' } as const;
  expect(entriesTable([drawn], '2026-12')).toMatch(/No Entries Yet .* Past draws \(1\) Source .* User Signup Nov 10, 2026 Drawn/);
  const next = { ...entry, source: 'listing', period: '2026-12' } as const;
  expect(entriesTable([drawn, next], '2026-12')).toMatch(/Listing Created .* Past draws \(1\) .* User Signup/);
  expect(renderToStaticMarkup(<EntriesTable entries={[drawn, next]} running="2026-12" />)).toMatch(
    /<details(?![^>]* open)[^>]*><summary>Past draws/,
  );
  expect(entriesTable([next], '2026-12')).not.toContain('Past draws');
});

test('shows the first five rows of a long list', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...entry, id: `${at}`.padStart(32, '0') }));
  const rows = (count: number) => entriesTable(many(count)).match(/User Signup/g)?.length;
  expect([rows(5), rows(6)]).toEqual([5, 5]);
  expect(entriesTable(many(6))).toContain('Show all 6 entries');
  expect(entriesTable(many(5))).not.toContain('Show all');
});

/** The text of the first tab once the draw of `month` (from 0) has opened. */
const drawEntries = (month: number) =>
  shown(
    <DrawEntries
      data={
        {
          referralCode: 'REF-MER-0001',
          referralStats: {
            referralsCount: 2,
            successfulConversions: 0,
            activeDrawTickets: 3,
            pendingReferrals: 2,
            drawEntriesEarned: 5,
            conversionRate: 0,
          },
          drawEntries: { total: 3, entries: [entry] },
          currentDraw: { drawDate: closing, month, year: 2026, daysUntilDraw: 8, hoursUntilDraw: 3 },
          analytics: {
            referralsByMonth: [],
            rewardTypes: { free_month: 0, draw_entries: 0 },
            entriesBySource: { signup: 3, listing: 0, referral: 2, other: 0 },
          },
          referrals: [],
        } as Partial<ReferralDashboard> as ReferralDashboard
      }
    />,
  );

test('names the draw that the tickets are in, which after an early draw is next month’s', () => {
  expect(drawEntries(10)).toContain('Total tickets 3 In the draw of November 2026.');
  expect(drawEntries(11)).toContain('Total tickets 3 In the draw of December 2026.');
});

test('says that the chart counts all tickets, and how many people were referred', () => {
  expect(drawEntries(10)).toContain('All your tickets so far, void ones included, by how you earned them');
  expect(drawEntries(10)).toContain('Your Referred Users (2) No Referrals Yet');
});
