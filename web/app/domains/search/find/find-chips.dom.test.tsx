import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { renderPart } from '../../../lib/testing/document.tsx';
import { FindChips } from './find-chips.tsx';
import type { FindData } from './find-data.ts';
import { nothingUnderstood } from './unanswered-data.ts';

type Failed = (problem: { code: number }) => void;
type Found = (position: { coords: { latitude: number; longitude: number } }) => void;

/** A browser that says where it is, or refuses to. Returns how often it was asked. */
function stubPosition(isAllowed: boolean) {
  const asked: string[] = [];
  const getCurrentPosition = (found: Found, failed: Failed) => {
    asked.push('position');
    if (isAllowed) found({ coords: { latitude: -38.68512, longitude: 176.07021 } });
    else failed({ code: 1 });
  };
  Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition }, configurable: true });
  return asked;
}
afterEach(() => {
  Reflect.deleteProperty(navigator, 'geolocation');
});

type Search = Pick<FindData, 'params' | 'understood' | 'unknown' | 'alternatives'>;
const show = (
  params: Search['params'],
  understood: Partial<Search['understood']> = {},
  more: Partial<Search> = {},
  market: 'NZ' | null = null,
) =>
  renderPart(<FindChips data={{ params, understood: { ...nothingUnderstood, ...understood }, ...more } as Search} />, {
    path: '/search?q=plumber',
    root: { market },
  });
const link = (name: string) => screen.findByRole('link', { name });
const chips = () => within(screen.getByRole('list', { name: 'Active filters' })).getAllByRole('link');

test('a press on a chip leads to the search without it, and one link to the search without any', async () => {
  const plumbing = { category: 'Plumbing', subCategory: 'Drain cleaning', words: 'cheap' };
  const { user, router } = show({ q: 'cheap', category: 'plumbing', subCategory: 'drain-cleaning', photos: '1', page: '2' }, plumbing);
  await link('Remove sub-category Drain cleaning');
  expect(chips().map(({ textContent }) => textContent)).toEqual([
    'Remove category Plumbing',
    'Remove sub-category Drain cleaning',
    'Remove words “cheap”',
  ]);
  expect((await link('Clear all filters')).getAttribute('href')).toBe('/search');
  await user.click(await link('Remove sub-category Drain cleaning'));
  expect(router.state.location.search).toBe('?q=cheap&category=plumbing&photos=1');
});

test('the position is asked for by a press, and narrows this search', async () => {
  const asked = stubPosition(true);
  const { user, router } = show({ q: 'plumber', photos: '1' }, { words: 'plumber' });
  const press = await screen.findByRole('button', { name: 'Near me' });
  expect(asked).toEqual([]);
  await user.click(press);
  await expect.poll(() => new URLSearchParams(router.state.location.search).get('near')).toBe('-38.69,176.07');
  expect(router.state.location.search).toContain('q=plumber&');
  expect(router.state.location.search).toContain('photos=1');
});

test('a refused position says what is shown, and leads nowhere unless the words asked for it', async () => {
  stubPosition(false);
  const { user, router } = show({ q: 'plumber' }, {}, {}, 'NZ');
  await user.click(await screen.findByRole('button', { name: 'Near me' }));
  await screen.findByText(/ Showing New Zealand\.$/);
  expect(router.state.location.search).toBe('?q=plumber');
});

test('“near me” without a position becomes the same search in the site’s country, without a step back to it', async () => {
  stubPosition(false);
  const { router } = show({ q: 'plumber near me' }, { category: 'Plumbing', nearMe: true }, {}, 'NZ');
  await expect.poll(() => router.state.location.search).toBe('?category=plumbing');
  expect(router.state.historyAction).toBe('REPLACE');
});

test('a search that has its distance asks for no position, and what it was read as is explained', async () => {
  const asked = stubPosition(true);
  const near = { label: 'Cambridge', latitude: 0, longitude: 0, km: 10 };
  show({ q: 'plumber', near: 'Cambridge', km: '10' }, { near, nobody: 'Nobody in Cambridge does this' }, { unknown: 'Atlantis' });
  await link('Remove distance Within 10 km of Cambridge');
  expect(screen.queryByRole('button', { name: 'Near me' })).toBeNull();
  expect((await screen.findByText(/Atlantis/)).textContent).toBe(
    'We don’t know a place called “Atlantis”. This is the search without it. Nobody in Cambridge does this.',
  );
  expect(asked).toEqual([]);
});

test('other places of that name are links with their numbers, and only those', async () => {
  const alternative = { total: 1_200, query: 'q=plumber&region=otago', label: 'Hampden, Otago', isNamesake: true };
  show({ q: 'plumber hampden' }, {}, {
    alternatives: [alternative, { ...alternative, label: 'Nearby', query: 'q=x', isNamesake: false }],
  } as never);
  expect((await link('Hampden, Otago (1,200)')).getAttribute('href')).toBe('/search?q=plumber&region=otago');
  expect(screen.queryByText(/^Nearby/)).toBeNull();
});
