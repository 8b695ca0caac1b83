import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { FoundUser } from '@handwise/contract/admin/search';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import AdminAppealsPage from './admin-appeals.tsx';
import AdminAuditPage from './admin-audit.tsx';
import AdminDisputesPage from './admin-disputes.tsx';
import AdminDrawPage from './admin-draw.tsx';
import AdminFunnelPage from './admin-funnel.tsx';
import AdminHealthPage from './admin-health.tsx';
import AdminImportPage from './admin-import.tsx';
import AdminLicencesPage from './admin-licences.tsx';
import AdminListingsPage from './admin-listings.tsx';
import AdminOverviewPage from './admin-overview.tsx';
import AdminPaymentsPage from './admin-payments.tsx';
import AdminReferralsPage from './admin-referrals.tsx';
import AdminReportsPage from './admin-reports.tsx';
import AdminReviewsPage from './admin-reviews.tsx';
import AdminUsersPage from './admin-users.tsx';

const pages = {
  AdminAppealsPage,
  AdminAuditPage,
  AdminDisputesPage,
  AdminDrawPage,
  AdminFunnelPage,
  AdminHealthPage,
  AdminImportPage,
  AdminLicencesPage,
  AdminListingsPage,
  AdminOverviewPage,
  AdminPaymentsPage,
  AdminReferralsPage,
  AdminReportsPage,
  AdminReviewsPage,
  AdminUsersPage,
};

test.each(Object.entries(pages))('%s never says that there is nothing when it failed to load', async (_name, Page) => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  const { container } = renderPart(<Page />);
  await screen.findAllByRole('button', { name: 'Try Again' });
  expect(container.textContent).not.toMatch(
    /(?<!says )nothing|none|nobody has|nobody took|every report|no (imports|disputes|open|objections|referral|past)|\b0\b/i,
  );
});

const userOf = (fullName: string): FoundUser => ({
  _id: fullName,
  fullName,
  username: fullName,
  email: `${fullName}@example.org`,
  role: 'user',
  emailConfirmed: true,
  createdAt: '2026-11-20T00:00:00Z',
  suspendedAt: null,
  deletedAt: null,
  listings: 0,
});
const usersAnswer = (totalPages: number, ...names: string[]) => ({
  body: { users: names.map(userOf), currentPage: 1, totalPages, total: names.length },
});

test('what another search or filter found is not shown as the answer to this one, and says nothing about it', async () => {
  const waiting = new Promise<null>(() => {});
  answerCalls({ 'GET /admin/users': [usersAnswer(1, 'Mere'), usersAnswer(1), waiting] });
  const { user } = renderPart(<AdminUsersPage />, { path: '/admin/users?q=mere' });
  await screen.findByText('1 account');
  await user.clear(screen.getByLabelText('Find an account'));
  await user.type(screen.getByLabelText('Find an account'), 'ana{Enter}');
  await screen.findByText('Nothing found');
  expect(screen.queryByText('Mere')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Suspended' }));
  await screen.findByText(/^Still trying/);
  expect(screen.queryByText('Nothing found')).toBeNull();
});

test('the page before stays until the next one has loaded', async () => {
  answerCalls({ 'GET /admin/users': [usersAnswer(2, 'Mere'), new Promise<null>(() => {})] });
  const { user } = renderPart(<AdminUsersPage />);
  await user.click(await screen.findByRole('link', { name: 'Next page' }));
  await vi.waitFor(() => expect(screen.getByRole('link', { current: 'page', name: /2/ })).toBeTruthy());
  screen.getByText('Mere');
});

test.each([
  ['accounts', AdminUsersPage, '/admin/users'],
  ['listings', AdminListingsPage, '/admin/listings'],
  ['payments', AdminPaymentsPage, '/admin/payments'],
  ['reviews', AdminReviewsPage, '/admin/reviews'],
])('a filter or a search from a later page of %s shows what it finds from the first page on', async (_name, Page, path) => {
  const calls = answerCalls({ [`GET ${path}`]: [null] });
  const { user } = renderPart(<Page />, { path: `${path}?page=3` });
  const readAsked = () => Object.fromEntries(new URLSearchParams(calls.at(-1)?.path.split('?')[1]));
  await waitFor(() => expect(readAsked().page).toBe('3'));
  const filters = screen.getAllByRole('navigation').flatMap((list) => [...list.querySelectorAll('a')].map((link) => link.search));
  expect(filters.length).toBeGreaterThan(2);
  expect(filters.filter((search) => search.includes('page'))).toEqual([]);
  await user.type(screen.getByRole('searchbox'), 'mere{Enter}');
  await waitFor(() => expect(readAsked()).toMatchObject({ q: 'mere', page: '1' }));
  await user.clear(screen.getByRole('searchbox'));
  await user.type(screen.getByRole('searchbox'), '{Enter}');
  await waitFor(() => expect(readAsked().q ?? '').toBe(''));
});
