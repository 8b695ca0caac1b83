import type { Referral, ReferralDashboard as Dashboard } from '@handwise/contract/referrals/calls';
import { QueryClient } from '@tanstack/react-query';
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetUser, storeUser } from '../../../lib/session/stored-user.ts';
import { answerCalls, createLateAnswer, renderPart } from '../../../lib/testing/document.tsx';
import { Toaster } from '../../../ui/feedback/toast.tsx';
import { referralDashboard } from '../referral-queries.ts';
import { MonthlyDraws } from './monthly-draws.tsx';
import { ReferralDashboard } from './referral-dashboard.tsx';

const closing = '2090-11-30T10:30:00.000Z';
const referral: Referral = {
  id: 'one',
  code: 'REF-MER-0001',
  status: 'converted',
  heldBecause: null,
  heldUntil: null,
  heldOutcome: null,
  refusedBecause: null,
  rewardType: 'draw_entries',
  swapUntil: closing,
  referredUser: { name: 'Aroha Ngata', username: 'aroha', email: 'aroha@example.org', joinedAt: '2026-11-10T00:00:00.000Z' },
  listing: { title: 'Hot water' },
};
const swapped: Referral = { ...referral, rewardType: 'free_month', swapUntil: null };
const dashboard = (changes: Partial<Dashboard> = {}): { body: Dashboard } => ({
  body: {
    referralCode: 'REF-MER-0001',
    referralLink: 'https://example.org/auth/register?ref=REF-MER-0001',
    codeUsageCount: 1,
    user: { fullName: 'Mere Kingi', username: 'mere', email: 'mere@example.org', emailConfirmed: true },
    referralStats: {
      referralsCount: 1,
      successfulConversions: 1,
      activeDrawTickets: 5,
      pendingReferrals: 0,
      drawEntriesEarned: 5,
      conversionRate: 100,
    },
    drawEntries: { total: 5, entries: [] },
    currentDraw: { drawDate: closing, month: 10, year: 2090, daysUntilDraw: 8, hoursUntilDraw: 3 },
    winnerStatus: { isWinner: false, winningDraw: null },
    analytics: {
      referralsByMonth: [],
      rewardTypes: { free_month: 0, draw_entries: 1 },
      entriesBySource: { signup: 0, listing: 0, referral: 5, other: 0 },
    },
    referrals: [],
    ownReferral: null,
    ...changes,
  },
});
const subscriptions = (credits: number) => ({ body: { data: { credits: Array.from({ length: credits }, (_, at) => ({ id: `${at}` })) } } });
const base = {
  'GET /events': [new Promise<null>(() => {})],
  'GET /referral/notifications': [{ body: { notifications: [] } }],
  'GET /plan-user/my-subscriptions': [subscriptions(0)],
};

beforeEach(() => {
  storeUser({ _id: 'mere', token: 'token-of-mere' } as Parameters<typeof storeUser>[0]);
});
afterEach(() => {
  vi.useRealTimers();
  forgetUser();
  localStorage.clear();
});
/** Failed loads are tried again once, which would take a second. */
const createClient = () => {
  const client = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } });
  return client;
};
const show = (path = '/referral') =>
  renderPart(
    <>
      <ReferralDashboard />
      <Toaster />
    </>,
    { path, client: createClient() },
  );

test('a dashboard that could not be loaded says so and can be loaded again; later it stays', async () => {
  answerCalls({ ...base, 'GET /referral/dashboard': [null, null, dashboard(), null, null] });
  const { user, client } = show();
  await screen.findByText('Error Loading Dashboard');
  await screen.findByText('Failed to load referral data');
  await user.click(screen.getByText('Try Again'));
  await screen.findByText('Mere Kingi');
  await client.refetchQueries(referralDashboard('mere'));
  expect(client.getQueryState(referralDashboard('mere').queryKey)?.status).toBe('error');
  await user.tab();
  screen.getByText('Mere Kingi');
});

test('a tab is kept in the address, and an unknown one is the first', async () => {
  answerCalls({ ...base, 'GET /referral/dashboard': [dashboard()] });
  const { user, router } = show('/referral?tab=nonsense');
  await screen.findByText('Total tickets');
  await user.click(screen.getByRole('tab', { name: 'Share & Earn' }));
  await screen.findByText('https://example.org/auth/register?ref=REF-MER-0001');
  expect(router.state.location.search).toBe('?tab=share');
  await user.click(screen.getByRole('tab', { name: 'Monthly Draws' }));
  await screen.findByText('Next Draw In');
  expect(router.state.location.search).toBe('?tab=draws');
  await user.click(screen.getByRole('tab', { name: 'Draw Entries' }));
  await screen.findByText('Total tickets');
  expect(router.state.location.search).toBe('');
});

test('tickets are swapped for a free month only after a second yes, once, and a failure is said', async () => {
  const late = createLateAnswer({ body: { message: 'You have a free month.', credit: { id: 'credit', createdAt: closing } } });
  const calls = answerCalls({
    ...base,
    'GET /referral/dashboard': [
      dashboard({ referrals: [referral] }),
      dashboard({ referrals: [referral] }),
      dashboard({ referrals: [swapped] }),
    ],
    'GET /plan-user/my-subscriptions': [subscriptions(0), subscriptions(0), subscriptions(1)],
    'POST /referral/rewards/one': [{ status: 409, body: { code: 'reward_too_late', message: 'Their draw has closed.' } }, late.answer],
  });
  const { user } = show();
  const swaps = () => calls.filter(({ method, path }) => method === 'POST' && path.includes('rewards')).map(({ body }) => body);
  const ask = async () => {
    await user.click(await screen.findByRole('button', { name: 'Take a free month instead for Aroha Ngata' }));
    const dialog = within(await screen.findByRole('dialog'));
    dialog.getByText(/The 5 tickets for Aroha Ngata leave their draw straight away/);
    return dialog;
  };
  await user.click((await ask()).getByText('Keep the tickets'));
  expect(swaps()).toEqual([]);
  await user.click((await ask()).getByText('Take the free month'));
  await screen.findByText('Their draw has closed.');
  await expect.poll(() => screen.queryByText('Keep the tickets')).toBeNull();
  expect(screen.queryByText(/^You have 1 free month/)).toBeNull();
  await user.dblClick((await ask()).getByText('Take the free month'));
  late.give();
  await screen.findByText('You have a free month.');
  await screen.findByText('You have 1 free month.');
  await expect.poll(() => screen.queryByText('Keep the tickets')).toBeNull();
  expect(swaps()).toEqual([{ rewardType: 'free_month' }, { rewardType: 'free_month' }]);
  await expect.poll(() => screen.queryByText(/^Take a free month instead/)).toBeNull();
  screen.getByText('Free Month');
});

test('free months that could not be loaded are said, and loaded again', async () => {
  answerCalls({ ...base, 'GET /referral/dashboard': [dashboard()], 'GET /plan-user/my-subscriptions': [null, null, subscriptions(2)] });
  const { user } = show();
  await screen.findByText(/Your free months could not be loaded/);
  await user.click(screen.getByText('Try Again'));
  expect(await screen.findByText('You have 2 free months.')).toBeTruthy();
});

test('a code that could not be created can be asked for again, and is then shown', async () => {
  const calls = answerCalls({
    ...base,
    'GET /referral/dashboard': [dashboard({ referralCode: '' }), dashboard()],
    'POST /referral/generate-code': [null, { body: { code: 'REF-MER-0001' } }],
  });
  const { user } = show('/referral?tab=share');
  const press = async () => user.click(await screen.findByText('Generate Referral Code'));
  await press();
  await screen.findByText('Failed to retrieve referral code');
  await press();
  await screen.findByText('Referral code generated!');
  await screen.findByText('REF-MER-0001');
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

test('what cannot be copied says so, and what was copied too', async () => {
  answerCalls({ ...base, 'GET /referral/dashboard': [dashboard()] });
  const { user } = show('/referral?tab=share');
  const copied: string[] = [];
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    if (copied.push(text) === 1) throw new Error('not allowed');
  });
  await user.click(await screen.findByText('Copy Link'));
  await screen.findByText('Failed to copy link');
  await user.click(screen.getByText('Copy Link'));
  await screen.findByText('Referral link copied to clipboard!');
  await screen.findByText('Copied!');
  await user.click(screen.getByText('Copy'));
  await screen.findByText('Referral code copied to clipboard!');
  expect(copied).toEqual([...Array(2).fill('https://example.org/auth/register?ref=REF-MER-0001'), 'REF-MER-0001']);
  write.mockRestore();
});

test('news that came while away is shown once, marked as seen, and cleared by a press', async () => {
  const notice = { id: 'n1', type: 'signup', timestamp: '2026-11-20T01:00:00.000Z', tickets: 1 };
  const calls = answerCalls({
    ...base,
    'GET /referral/dashboard': [dashboard()],
    'GET /referral/notifications': [{ body: { notifications: [notice] } }],
    'POST /referral/notifications/seen': [{ body: { message: 'Seen' } }],
  });
  forgetUser();
  storeUser({ _id: 'tama', token: 'token-of-tama' } as Parameters<typeof storeUser>[0]);
  const { user } = show();
  await screen.findByText('New since your last visit');
  await expect.poll(() => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ ids: ['n1'] }]);
  await user.click(screen.getByText('Clear these'));
  expect(screen.queryByText('New since your last visit')).toBeNull();
});

test('all of a long list of referrals are a press away', async () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ ...referral, id: `${at}` }));
  answerCalls({ ...base, 'GET /referral/dashboard': [dashboard({ referrals: many })] });
  const { user } = show();
  await user.click(await screen.findByText('Show all 12 referrals'));
  expect(screen.getAllByText('aroha@example.org')).toHaveLength(12);
  expect(screen.queryByText('Show all 12 referrals')).toBeNull();
});

test('the time until the draw counts down, and the next draw is asked for when it is up', () => {
  vi.useFakeTimers({ now: Date.parse(closing) - 86_400_000 - 3_600_000 - 60_500 });
  const { queryKey } = referralDashboard('mere');
  const client = new QueryClient();
  client.setQueryData(queryKey, dashboard().body);
  renderPart(<MonthlyDraws data={dashboard().body} />, { client });
  const left = () => screen.getByRole('timer').getAttribute('aria-label');
  const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  expect(left()).toBe('1 day, 1 hour, 1 minute');
  wait(501);
  expect(left()).toBe('1 day, 1 hour, 0 minutes');
  wait(60_000);
  expect(left()).toBe('1 day, 0 hours, 59 minutes');
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(false);
  vi.setSystemTime(Date.parse(closing) - 500);
  wait(60_000);
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
