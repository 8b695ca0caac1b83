import { paths } from '@handwise/contract/paths';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../../lib/testing/document.tsx';
import { storeUser, type StoredUser } from '../../../lib/session/stored-user.ts';
import { Toaster } from '../../../ui/feedback/toast.tsx';
import { ownListingQuery } from '../own/my-listings-queries.ts';
import { PlanChange } from './plan-change.tsx';

const id = '01941f2b-0682-7400-8924-00000000000a';
const facts = { features: [], slots: 5, photos: 10, mostPopular: false, rank: 1 };
const basic = { ...facts, _id: 'basic', name: 'Basic', planType: 'basic', priceMinor: 1500, planPrice: 15 };
const premium = { ...facts, _id: 'premium', name: 'Premium', planType: 'premium', priceMinor: 2500, planPrice: 25 };
const listing = {
  _id: id,
  sellerId: 'me',
  status: 'active',
  country: 'AU',
  serviceTitle: 'Drains',
  listingNumber: 7,
  plan: { planType: 'basic' },
};
const card = { _id: 'newest', fullName: 'Mere', cardBrand: 'visa', cardLast4: '4242', expMonth: 12, expYear: 2090 };
const price = {
  amount: 1000,
  currency: 'AUD',
  reason: 'For the days that are left.',
  endDate: '2090-12-21T00:00:00.000Z',
  timeZone: 'Australia/Perth',
  renewal: null,
  free: null,
};
type Answers = Parameters<typeof answerCalls>[0];

beforeEach(() => storeUser({ _id: 'me', token: 'token', fullName: 'Mere', email: 'mere@example.org' } as StoredUser));

function render(answers: Answers, kind: 'update' | 'reactivate' = 'update') {
  const calls = answerCalls({
    [`GET /listing/${id}`]: [{ body: { ...listing, status: kind === 'update' ? 'active' : 'inactive' } }],
    'GET /plan/all': [{ body: [basic, premium] }],
    'GET /credit/all': [{ body: { data: [card, { ...card, _id: 'older', cardLast4: '1111' }] } }],
    'GET /plan-user/quote': [{ body: price }],
    'GET /config': [{ body: { payments: { mode: 'sandbox', apiBase: '', publishableKey: 'pk_test' } } }],
    ...answers,
  });
  const part = renderPart(
    <>
      <Toaster />
      <PlanChange kind={kind} listingId={id} />
    </>,
    { root: { market: 'AU' } },
  );
  const choose = async () => {
    await part.user.click(await screen.findByRole('radio', { name: /^Premium/ }));
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Continue/ }).disabled).toBe(false));
    await part.user.click(screen.getByRole('button', { name: /^Continue/ }));
  };
  return { ...part, calls, choose, changes: () => calls.filter(({ method }) => method !== 'GET') };
}

test('a plan is paid for once for two presses, at the price and with the card on the screen', async () => {
  const { answer, give } = createLateAnswer({ body: { status: 'done', message: '' } });
  const { user, choose, changes, router, calls } = render({ [`PUT /listing/${id}/plan`]: [answer] });
  await choose();
  await user.click(await screen.findByRole('radio', { name: /1111/ }));
  const pay = screen.getByRole('button', { name: 'Pay $10.00 AUD' });
  await user.click(pay);
  await user.click(pay);
  give();
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.ownListings));
  expect(calls.findLast(({ path }) => path.startsWith('/plan-user/quote'))?.path).toContain('planId=premium');
  expect(changes()).toEqual([{ method: 'PUT', path: `/listing/${id}/plan`, body: { planId: 'premium', paymentId: 'older' } }]);
});

test('a payment without an answer is not shown as done, keeps what was chosen and can be tried again', async () => {
  const { user, choose, changes, router } = render({ [`PUT /listing/${id}/plan`]: [null, { body: { status: 'done', message: '' } }] });
  await choose();
  await user.click(await screen.findByRole('radio', { name: /1111/ }));
  await user.click(screen.getByRole('button', { name: 'Pay $10.00 AUD' }));
  const problem = await screen.findByRole('alert');
  expect(problem.textContent).toMatch(/trouble connecting to the server/);
  expect(document.activeElement).toBe(problem);
  expect(router.state.location.pathname).toBe('/');
  await user.click(await screen.findByRole('button', { name: 'Pay $10.00 AUD' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.ownListings));
  const [first, again] = changes();
  expect(first?.body).toEqual({ planId: 'premium', paymentId: 'older' });
  expect(again).toEqual(first);
});

test('a price that could not be loaded is not for free, and is asked for again', async () => {
  const { user, choose } = render({ 'GET /plan-user/quote': [null, { body: price }] });
  await screen.findByText('Failed to load data');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Continue to payment' }).disabled).toBe(true);
  expect(screen.queryByText('Nothing to pay')).toBeNull();
  await user.click(screen.getByRole('button', { name: /again/i }));
  await screen.findByText('$10.00 AUD');
  await choose();
  await screen.findByRole('button', { name: 'Pay $10.00 AUD' });
});

test('a card that is being typed stays while the listing or the cards fail to load again', async () => {
  const once = (body: object) => [{ body }, null];
  const { user, choose, client } = render({
    [`GET /listing/${id}`]: once(listing),
    'GET /plan/all': once([basic, premium]),
    'GET /credit/all': once({ data: [card] }),
  });
  await choose();
  await user.click(await screen.findByRole('radio', { name: 'Use another card' }));
  await user.type(await screen.findByLabelText('Card number'), '4242');
  await client.invalidateQueries();
  await waitFor(() => expect(client.getQueryState(ownListingQuery(id).queryKey)?.status).toBe('error'));
  expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4242');
});

test('a renewal is switched on again only if it is ticked, at the price beside it', async () => {
  const renewal = { cardId: 'newest', amount: 2500, currency: 'AUD' };
  const { user, choose, changes } = render({
    'GET /plan-user/quote': [{ body: { ...price, renewal } }],
    [`PUT /listing/${id}/plan`]: [{ body: { status: 'done', message: '' } }],
    'GET /plan-user/my-subscriptions': [
      // The price went up between the page and the payment.
      {
        body: {
          data: { subscriptions: [{ _id: 'begun', isActive: true, startDate: '2026-12-01', plan: { ...premium, priceMinor: 9900 } }] },
        },
      },
    ],
    'PUT /plan-user/begun/renewal': [{ body: { status: 'done', message: 'It renews' } }],
  });
  await choose();
  await user.click(await screen.findByRole('checkbox', { name: 'Renew the new plan every 30 days for $25.00 AUD' }));
  await user.click(screen.getByRole('button', { name: 'Pay $10.00 AUD' }));
  await screen.findByText('It renews');
  expect(changes().at(-1)).toEqual({ method: 'PUT', path: '/plan-user/begun/renewal', body: { cardId: 'newest', amount: 2500 } });
});

test('a listing whose plan still runs comes back without a card', async () => {
  const free = { ...price, amount: 0, reason: 'Your plan still runs. Nothing to pay.' };
  const { user, changes, router } = render(
    { 'GET /plan-user/quote': [{ body: free }], [`PUT /listing/${id}/reactivate`]: [{ body: { status: 'done', message: '' } }] },
    'reactivate',
  );
  await user.click(await screen.findByRole('button', { name: 'Reactivate at no cost' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.ownListings));
  expect(changes()).toEqual([{ method: 'PUT', path: `/listing/${id}/reactivate`, body: { planId: 'basic', paymentId: null } }]);
});
