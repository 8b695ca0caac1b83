import { paths } from '@handwise/contract/paths';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { matchRoutes, type RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import routes from './routes.ts';

const asObject = ({ id, path, index, file, children }: RouteConfigEntry): RouteObject =>
  index
    ? { index, handle: file, ...(id && { id }) }
    : { handle: file, ...(id && { id }), ...(path && { path }), ...(children && { children: children.map(asObject) }) };

const tree = routes.map(asObject);
const layoutsAt = (address: string) => (matchRoutes(tree, address) ?? []).map(({ route }) => String(route.handle));

const addresses = Object.entries(paths).map(([name, path]) => [name, typeof path === 'string' ? path : path('one', 'two')] as const);

test.each(addresses)('there is a page at the address of %s', (_name, address) => {
  const files = layoutsAt(address);
  expect(files.at(-1)).toMatch(/^pages\//);
  expect(files.at(-1)).not.toBe('pages/site/not-found.tsx');
});

test('what is nobody’s address is no page', () => {
  expect(layoutsAt('/account/cards')).toEqual(['pages/site/not-found.tsx']);
});

test.each([
  paths.account,
  paths.security,
  paths.alerts,
  paths.cards,
  paths.addCard,
  paths.receipts,
  paths.decisions,
  paths.receipt('one'),
  paths.ownListings,
  paths.savedListings,
  paths.compareListings,
  paths.messages,
  paths.quoteRequests,
  paths.conversation('one'),
  paths.editListing('one'),
  paths.updatePlan('one'),
  paths.reactivateListing('one'),
  paths.listingFigures('one'),
  paths.paymentSuccess,
  paths.paymentReturn,
  paths.referral,
  paths.referralDashboard,
  paths.claimPrize,
  paths.signupSuccess,
  paths.registerSuccess,
])('%s is for members', (address) => {
  expect(layoutsAt(address)).toContain('pages/layouts/members.tsx');
});

test.each([
  paths.admin,
  paths.adminReports,
  paths.adminAppeals,
  paths.adminReferrals,
  paths.adminUsers,
  paths.adminUser('one'),
  paths.adminListings,
  paths.adminReviews,
  paths.adminPayments,
  paths.adminPayment('one'),
  paths.adminDisputes,
  paths.adminAudit,
  paths.drawManagement,
])('%s is for administrators', (address) => {
  expect(layoutsAt(address)).toContain('pages/layouts/administration.tsx');
});

test.each([
  paths.landing,
  paths.browse,
  paths.pros,
  paths.services,
  paths.servicesIn('plumbing', 'auckland'),
  paths.servicesIn('plumbing', 'waikato', 'cambridge'),
  paths.listing('one'),
  paths.draws,
  paths.draw('2026-11'),
  paths.drawRules,
])('%s is for everybody, and does without what reads in the browser', (address) => {
  expect(layoutsAt(address)).toHaveLength(1);
});
