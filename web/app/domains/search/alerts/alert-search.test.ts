import { afterEach, expect, test, vi } from 'vitest';
import { getLoginPath } from '../../../lib/session/redirect.ts';
import { getAlertSearch, saveSearchAlert } from './alert-search.ts';
import { pendingAlert } from './pending-alert.ts';

afterEach(() => vi.unstubAllGlobals());

test('stores a search without its order and page', () => {
  const search = { q: 'heat pump', region: 'waikato', photos: '1', sort: 'newest', page: '3', km: '' };
  expect(getAlertSearch(search)).toBe('q=heat+pump&region=waikato&photos=1');
});

test.each([{}, { country: 'NZ' }, { verified: '1', country: 'AU', sort: 'rating' }, { maxPrice: '100' }])(
  'offers no alert for a search for everything: %j',
  (search) => expect(getAlertSearch(search)).toBe(null),
);

test.each(['q', 'where', 'category', 'subCategory', 'region', 'district', 'near'])('stores a search with %s alone', (name) => {
  expect(getAlertSearch({ [name]: 'x' })).toBe(`${name}=x`);
});

test('carries a visitor’s pending alert through the login', () => {
  const search = getAlertSearch({ q: 'plumber & gas?', where: 'Taupō' }) ?? '';
  const back = pendingAlert.addTo('/search?q=plumber&page=2', search);
  const { search: address } = new URL(getLoginPath(back), 'https://own.invalid');
  expect(pendingAlert.read(address)).toBe(search);
  expect(pendingAlert.read(new URL(back, 'https://own.invalid').search)).toBe(search);
  expect(pendingAlert.without(new URL(back, 'https://own.invalid').search)).toBe('?q=plumber&page=2');
});

test.each(['?alert=', '?alert=plumber', '?alert=%3Cscript%3E', '?alert=q%3D', `?alert=q%3D${'x'.repeat(901)}`])(
  'finds no pending action in %j',
  (search) => {
    expect(pendingAlert.read(search)).toBe(null);
  },
);

test("stores the search's parameters only", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: { method: string; body: string }) => {
    sent.push([method, url, JSON.parse(body)]);
    return Response.json({ _id: 'one' });
  });
  await saveSearchAlert('q=heat+pump&km=10&evil=1&sort=newest', 'weekly');
  expect(sent).toEqual([['POST', '/api/alerts', { q: 'heat pump', km: '10', frequency: 'weekly' }]]);
});
