import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { forgetUser, storeUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import SavedListingsPage from './saved-listings.tsx';

const listing = (_id: string, serviceTitle: string, status = 'active') => ({
  _id,
  listingNumber: 7,
  serviceTitle,
  businessTitle: 'Tāne & Sons',
  serviceCategory: 'Plumbing',
  serviceDescription: 'Leaks and drains.',
  location: 'Taupō, Waikato',
  base: null,
  serviceRadiusKm: null,
  serviceDistricts: [],
  verified: [],
  answering: null,
  licence: null,
  priceGuide: null,
  businessHours: null,
  cover: null,
  status,
  plan: { planType: 'basic' },
  subscriptionEndDate: '2090-12-21T00:00:00.000Z',
  timeZone: 'Pacific/Auckland',
  availability: null,
  reviewCount: 0,
  averageRating: null,
});
const [drains, gutters, taps, roofs] = ['Drains', 'Gutters', 'Taps', 'Roofs'].map((name) => listing(name.toLowerCase(), name));
const list = (...listings: unknown[]) => ({ body: { listings, totalListings: listings.length, totalPages: 1, currentPage: 1 } });
const ids = (...saved: string[]) => ({ body: { ids: saved } });

beforeEach(() => {
  forgetUser();
  localStorage.clear();
  storeUser({ _id: crypto.randomUUID(), token: 'token' } as Parameters<typeof storeUser>[0]);
});
const show = (path = '/mylistings/saved') =>
  renderPart(
    <>
      <SavedListingsPage />
      <Toaster />
    </>,
    { path },
  );
const titles = () => screen.queryAllByText(/^(Drains|Gutters|Taps|Roofs)$/, { selector: 'h2' }).map(({ textContent }) => textContent);
const heart = (title: string) => screen.findByRole('button', { name: `Save ${title}` });

test('saved listings that could not be loaded are not none, and can be loaded again', async () => {
  answerCalls({ 'GET /listing/saved/find': [null, list(drains)], 'GET /listing/saved/ids': [ids('drains')] });
  const { user } = show();
  await screen.findByText('Connection Problem');
  expect(screen.queryByText('No saved listings')).toBeNull();
  await user.click(screen.getByText('Try Again'));
  await expect.poll(titles).toEqual(['Drains']);
});

test('saved listings that could not be loaded again stay with what was chosen, and say so until they are', async () => {
  answerCalls({
    'GET /listing/saved/find': [list(drains, gutters), null, list(drains, gutters, taps)],
    'GET /listing/saved/ids': [ids('drains', 'gutters')],
  });
  const { user, client } = show();
  await user.click(await screen.findByLabelText('Compare Gutters'));
  await client.refetchQueries({ queryKey: ['saved'] });
  await screen.findByText(/could not be loaded again/);
  expect(titles()).toEqual(['Drains', 'Gutters']);
  expect(screen.getByLabelText<HTMLInputElement>('Compare Gutters').checked).toBe(true);
  await user.click(screen.getByText('Try Again'));
  await expect.poll(titles).toEqual(['Drains', 'Gutters', 'Taps']);
  expect(screen.queryByText(/could not be loaded again/)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Compare Gutters').checked).toBe(true);
});

test('three listings at most are compared, and only those that are there', async () => {
  answerCalls({
    'GET /listing/saved/find': [list(drains, gutters, taps, roofs, listing('gone', 'Gone', 'expired'))],
    'GET /listing/saved/ids': [ids()],
  });
  const { user } = show();
  const box = (name: string) => screen.findByLabelText<HTMLInputElement>(`Compare ${name}`);
  expect(screen.queryByText(/chosen$/)).toBeNull();
  await user.click(await box('Drains'));
  screen.getByText('1 of 3 chosen');
  expect(screen.getByText('View listing').getAttribute('href')).toBe('/mylistings/compare?listings=drains');
  for (const name of ['Gutters', 'Taps']) await user.click(await box(name));
  expect((await box('Roofs')).disabled).toBe(true);
  expect((await box('Taps')).disabled).toBe(false);
  expect(screen.getByText('Compare listings').getAttribute('href')).toBe('/mylistings/compare?listings=drains,gutters,taps');
  await user.click(await box('Gutters'));
  expect(screen.getByText('Compare listings').getAttribute('href')).toBe('/mylistings/compare?listings=drains,taps');
  expect((await box('Roofs')).disabled).toBe(false);
  await user.click(screen.getByText('Clear choice'));
  expect((await box('Drains')).checked).toBe(false);
  expect(screen.queryByText(/chosen$/)).toBeNull();
  screen.getByText('Has ended');
  expect(screen.queryByLabelText('Compare Gone')).toBeNull();
});

test('a removed listing stays on the page and can be saved again; a heart that was refused goes back and says why', async () => {
  const calls = answerCalls({
    'GET /listing/saved/find': [list(drains)],
    'GET /listing/saved/ids': [ids('drains')],
    'DELETE /listing/saved/delete/drains': [null, { body: { isSaved: false } }],
    'POST /listing/saved/drains': [
      { status: 409, body: { code: 'too_many_saved', message: 'You have saved 200 listings.' } },
      { status: 500, body: { code: 'internal', message: 'Oh' } },
      { body: { isSaved: true } },
    ],
  });
  const { user } = show();
  const isSaved = async () => (await heart('Drains')).getAttribute('aria-pressed');
  const press = async () => user.click(await heart('Drains'));
  await expect.poll(isSaved).toBe('true');
  await press();
  await screen.findByText('This listing could not be removed from your list. Please try again.');
  expect(await isSaved()).toBe('true');
  await press();
  await expect.poll(isSaved).toBe('false');
  await expect.poll(() => calls.filter(({ method }) => method === 'DELETE').length).toBe(2);
  expect(titles()).toEqual(['Drains']);
  await press();
  await screen.findByText('You have saved 200 listings.');
  expect(await isSaved()).toBe('false');
  await press();
  await screen.findByText('This listing could not be saved. Please try again.');
  await press();
  await expect.poll(() => calls.filter(({ method }) => method === 'POST').length).toBe(3);
  expect(await isSaved()).toBe('true');
});

test('the page of the address is loaded, and one beyond the last leads back', async () => {
  const calls = answerCalls({
    'GET /listing/saved/find': [{ body: { listings: [], totalListings: 13, totalPages: 2, currentPage: 9 } }, list(drains)],
    'GET /listing/saved/ids': [ids()],
  });
  const { user, router } = show('/mylistings/saved?page=9');
  await user.click(await screen.findByLabelText('Page 1'));
  await expect.poll(titles).toEqual(['Drains']);
  expect(router.state.location.search).toBe('');
  expect(calls.map(({ path }) => path).filter((path) => path.includes('find'))).toEqual([
    '/listing/saved/find?page=9',
    '/listing/saved/find?page=1',
  ]);
});
