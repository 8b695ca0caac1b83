import type { Plan } from '@handwise/contract/plans/calls';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { storedDrafts } from '../../domains/selling/wizard/stored-drafts.ts';
import { listingDraftKey } from '../../lib/browser-storage.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import AddListPage from './add-list.tsx';

const plan: Plan = {
  _id: '0190f2c4-0000-7000-8000-000000000002',
  planType: 'basic',
  name: 'Basic',
  planPrice: 25,
  priceMinor: 2500,
  features: ['5 photos'],
  rank: 1,
  slots: 1,
  photos: 5,
  mostPopular: false,
};
const plans = { body: [plan] };
const requirements = { 'GET /licences/requirement': [null] };

beforeEach(() => localStorage.clear());
/** The wizard of a visitor who left it at a step. */
function show(step: string) {
  const draft = { ...Object.values(storedDrafts).at(-1), step, payment: null, photos: [], logo: null };
  localStorage.setItem(listingDraftKey, JSON.stringify(draft));
  return renderPart(<AddListPage />, { path: '/add-list', root: { market: 'NZ' } });
}
const listPlans = { queryKey: ['plans'] };

test('plans that could not be loaded can be loaded again; later they stay, with the choice', async () => {
  answerCalls({ ...requirements, 'GET /plan/all': [null, plans, null] });
  const { user, client } = show('plan');
  await screen.findByText(/^Error loading plans/);
  screen.getByText('Nothing you typed is lost.');
  await user.click(screen.getByText('Try Again'));
  await screen.findByText('Continue with Basic');
  await client.refetchQueries(listPlans);
  expect(client.getQueryState(listPlans.queryKey)?.status).toBe('error');
  await user.tab();
  screen.getByText('Continue with Basic');
  expect(screen.queryByText(/^Error loading plans/)).toBeNull();
});

test('the details stay with what is typed when the plans could not be loaded again', async () => {
  answerCalls({ ...requirements, 'GET /plan/all': [plans, null] });
  const { user, client } = show('details');
  const title = await screen.findByLabelText<HTMLInputElement>(/title/i);
  await user.type(title, ' and Napier');
  await client.refetchQueries(listPlans);
  expect(client.getQueryState(listPlans.queryKey)?.status).toBe('error');
  await user.tab();
  expect(title.value).toBe('Plumber in Taupō and Napier');
  // Neither taken away nor hidden while something else loads in its place.
  expect(document.contains(title)).toBe(true);
  expect(title.closest('[style*="none"]')).toBeNull();
  expect(screen.queryByText(/^Error loading plans/)).toBeNull();
});
