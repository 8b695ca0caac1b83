import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { countryKey } from '../../../lib/browser-storage.ts';
import { renderPart } from '../../../lib/testing/document.tsx';
import { nothingUnderstood } from './unanswered-data.ts';
import { WhereQuestion } from './where-question.tsx';

beforeEach(() => localStorage.clear());
const show = (market: 'NZ' | null = null) =>
  renderPart(<WhereQuestion data={{ params: { q: 'plumber', photos: '1', page: '2' }, understood: nothingUnderstood }} />, {
    path: '/search?q=plumber',
    root: { market },
  });
const box = () => screen.findByLabelText<HTMLInputElement>('Where?');

test('a typed place narrows the search from its first page, and an empty one does nothing', async () => {
  const { user, router } = show('NZ');
  await user.type(await box(), '   {Enter}');
  expect(router.state.location.search).toBe('?q=plumber');
  await user.clear(await box());
  await user.type(await box(), ' Taupō ');
  await user.click(screen.getByLabelText('Search this place'));
  await expect.poll(() => router.state.location.search).toBe('?q=plumber&where=Taup%C5%8D&photos=1');
});

test('a country that was chosen is that of this browser from then on, and the site of one country offers no other', async () => {
  const { user, router, unmount } = show();
  await user.click(await screen.findByText('All of Australia'));
  await expect.poll(() => router.state.location.search).toBe('?q=plumber&country=AU&photos=1');
  expect(localStorage.getItem(countryKey)).toContain('AU');
  unmount();
  show('NZ');
  await box();
  expect(screen.queryByText(/Australia/)).toBeNull();
});
