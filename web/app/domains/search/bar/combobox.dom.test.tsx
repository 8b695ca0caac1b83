import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../../lib/testing/document.tsx';
import { SearchForm } from './search-form.tsx';

const suggested = (label: string, query: string, kind = 'category', detail = '') => ({ kind, label, detail, query });
const answer = (...suggestions: object[]) => ({ body: { suggestions } });
const plumbing = answer(suggested('Plumbing', 'category=Plumbing'), suggested('Plumb & Co', 'q=%2312', 'business', 'Taupō'));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
const what = () => screen.findByLabelText<HTMLInputElement>('What do you need?');
const where = () => screen.findByLabelText<HTMLInputElement>('Where?');
const options = async () => within(await screen.findByRole('listbox')).getAllByRole('option');
const words = async () => (await options()).map(({ textContent }) => textContent?.trim());

test('suggestions that could not be loaded are said to have failed, and can be loaded again from the list', async () => {
  answerCalls({ 'GET /search/suggest': [null, plumbing] });
  const { user } = renderPart(<SearchForm />);
  await user.type(await what(), 'plu');
  await screen.findByText('Suggestions could not be loaded');
  expect(screen.queryByText(/^No suggestions/)).toBeNull();
  await user.click(screen.getByRole('option', { name: /Try again/ }));
  await expect.poll(words).toEqual(['Plumbing', 'Plumb & Co Taupō']);
  screen.getByText('2 suggestions');
  expect((await what()).value).toBe('plu');
});

test('nothing is asked for an empty field, and the country of the visitor goes with what is', async () => {
  const calls = answerCalls({ 'GET /search/suggest': [plumbing] });
  const { user } = renderPart(<SearchForm />, { root: { market: 'NZ' } });
  await user.click(await what());
  await user.type(await what(), ' p');
  await options();
  expect(calls.map(({ path }) => path)).toEqual(['/search/suggest?q=p']);
});

test('a category that is chosen by keys is written, and waits for the place; with a place it is searched', async () => {
  answerCalls({ 'GET /search/suggest': [plumbing] });
  const { user, router } = renderPart(<SearchForm />);
  await user.type(await what(), 'plu');
  await options();
  await user.keyboard('{ArrowDown}');
  const [first] = await options();
  expect((await what()).getAttribute('aria-activedescendant')).toBe(first?.id);
  await user.keyboard('{Enter}');
  expect((await what()).value).toBe('Plumbing');
  expect(document.activeElement).toBe(await where());
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('Taupō{Enter}');
  await expect.poll(() => router.state.location.search).toBe('?q=Plumbing&where=Taup%C5%8D');
});

test('a business that is chosen is searched at once, by its own search', async () => {
  answerCalls({ 'GET /search/suggest': [plumbing] });
  const { user, router } = renderPart(<SearchForm />);
  await user.type(await what(), 'plu');
  await options();
  await user.click(screen.getByRole('option', { name: /Plumb & Co/ }));
  await expect.poll(() => router.state.location.search).toBe('?q=%2312');
});

test('Enter without a choice searches the words that were typed, and Escape closes the list without losing them', async () => {
  answerCalls({ 'GET /search/suggest': [plumbing] });
  const { user, router } = renderPart(<SearchForm where="Napier" />);
  await user.type(await what(), 'plumber tonight');
  await options();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect((await what()).value).toBe('plumber tonight');
  await user.keyboard('{Enter}');
  await expect.poll(() => router.state.location.search).toBe('?q=plumber+tonight&where=Napier');
});

test('a past search is offered again with its place, and none after the list was cleared', async () => {
  answerCalls({ 'GET /search/suggest': [answer()] });
  const { user, router, unmount } = renderPart(<SearchForm where="Napier" />);
  await user.type(await what(), 'tiler{Enter}');
  await expect.poll(() => localStorage.length).toBe(1);
  unmount();
  // Another visit, which has not come back to this search.
  sessionStorage.clear();
  const later = renderPart(<SearchForm />);
  await later.user.click(await what());
  await expect.poll(words).toEqual(['tiler Napier', 'Clear recent searches']);
  await later.user.click(screen.getByRole('option', { name: /^tiler/ }));
  await expect.poll(() => later.router.state.location.search).toBe('?q=tiler&where=Napier');
  await later.user.clear(await what());
  await later.user.click(await screen.findByRole('option', { name: 'Clear recent searches' }));
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(router.state.location.search).toBe('?q=tiler&where=Napier');
});
