import type { OutputOf } from '@handwise/contract/calls';
import type { Funnel } from '@handwise/contract/funnel/calls';
import { screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import AdminFunnelPage from './admin-funnel.tsx';
import AdminOverviewPage from './admin-overview.tsx';

const since = '2026-11-20T01:00:00.000Z';
const work: OutputOf<'GET /admin/work'> = {
  tasks: [{ source: 'reports', title: 'Report: Taps', path: '/admin/reports', since, dueAt: null }],
  left: [],
  unread: [],
};
const overview: OutputOf<'GET /admin/overview'> = {
  openReports: 17,
  openAppeals: 0,
  suspendedAccounts: 0,
  hiddenListings: 0,
  pendingRefunds: 0,
  refusedEvents: 0,
  lastEventAt: null,
  owedPayments: 0,
  openDisputes: 0,
  foundPayments: [],
  heldReferrals: 0,
  refusedReferrals: 0,
  wronglyHeldReferrals: 0,
  oldestReportAt: since,
  head: { number: 3, hash: 'ab' },
};
const funnel: Funnel = {
  computedAt: since,
  week: [],
  place: [],
  trade: [],
  unanswered: [{ name: 'Taupō, Waikato', requests: 8 }],
  ladder_place: [],
  ladder_trade: [],
};
const others = {
  'GET /admin/work': [{ body: { ...work, tasks: [] } }],
  'GET /admin/overview': [{ body: overview }],
  'GET /admin/referrals': [null],
  'POST /admin/health': [null],
};

test.each<[string, string, ComponentType, object, RegExp]>([
  ['the work', 'GET /admin/work', AdminOverviewPage, work, /Report: Taps/],
  ['the numbers', 'GET /admin/overview', AdminOverviewPage, overview, /^17$/],
  ['the funnel', 'GET /admin/funnel', AdminFunnelPage, funnel, /Taupō, Waikato/],
])('%s that could not be loaded again stays, and says so until it is', async (_, address, Page, body, shown) => {
  answerCalls({ ...others, [address]: [{ body }, null, { body }] });
  const { user, client } = renderPart(<Page />);
  await screen.findByText(shown);
  await client.refetchQueries({ predicate: ({ queryKey: [, name] }) => address.endsWith(String(name)) });
  await screen.findByText(/could not be loaded again/);
  expect(screen.getByText(shown)).toBeTruthy();
  await user.click(screen.getByText('Try Again'));
  await expect.poll(() => screen.queryByText(/could not be loaded again/)).toBeNull();
  expect(screen.getByText(shown)).toBeTruthy();
});
