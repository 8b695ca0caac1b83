import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { HeaderSearch } from './header-search.tsx';

const categories = [
  { name: 'Plumbing', slug: 'plumbing', mainCategory: 'trade' },
  { name: 'Painting', slug: 'painting', mainCategory: 'trade' },
  { name: 'Gardening', slug: 'gardening', mainCategory: 'domestic' },
] as never;

beforeEach(() => {
  localStorage.clear();
  answerCalls({ 'GET /search/suggest': [{ body: { suggestions: [] } }] });
});
/** The bar of a page. The document has no popovers, so the panel is always there, and says whether it was closed. */
async function show(path: string) {
  const part = renderPart(<HeaderSearch />, { path, root: { market: 'NZ', categories } });
  const panel = await screen.findByLabelText('Search Categories');
  const closed: string[] = [];
  Object.assign(panel, { hidePopover: () => closed.push('closed') });
  const address = () => part.router.state.location.pathname + part.router.state.location.search;
  return { ...part, panel: within(panel), element: panel, closed, address };
}
const words = () => screen.getByLabelText<HTMLInputElement>('Search listings');
const where = () => screen.getByLabelText<HTMLInputElement>('Where?');
const filter = () => screen.getByLabelText<HTMLInputElement>('Filter categories');

test('typed words and a place lead from any page to their search', async () => {
  const { user, address } = await show('/home?category=roofing');
  await user.type(words(), 'drains');
  await user.type(where(), 'Taupō{Enter}');
  await expect.poll(address).toBe('/search?q=drains&where=Taup%C5%8D');
});

test('a search shows its words, and new ones keep its filters but not its page', async () => {
  const { user, address } = await show('/search?q=plumber&where=Napier&photos=1&sort=rating&page=3');
  expect([words().value, where().value]).toEqual(['plumber', 'Napier']);
  await user.clear(words());
  await user.type(words(), 'drains');
  await user.click(screen.getByLabelText('Search'));
  await expect.poll(address).toBe('/search?q=drains&where=Napier&photos=1&sort=rating');
});

test('a category of the panel narrows the search, and closes the panel', async () => {
  const { user, panel, closed, address } = await show('/search?photos=1&category=painting&page=3');
  expect(panel.getByText('Painting').closest('button')?.getAttribute('aria-pressed')).toBe('true');
  expect(panel.getByText('Plumbing').closest('button')?.getAttribute('aria-pressed')).toBe('false');
  await user.click(panel.getByText('Plumbing'));
  await expect.poll(address).toBe('/search?category=plumbing&photos=1');
  expect(closed).toEqual(['closed']);
});

test('the panel’s filter finds by any part of a name; Enter takes the first, and closing empties it', async () => {
  const { user, panel, element, address } = await show('/home');
  // Enter with nothing typed chooses nothing.
  await user.type(filter(), '{Enter}');
  expect(address()).toBe('/home');
  await user.type(filter(), ' PAIN ');
  expect(panel.queryByText('Plumbing')).toBeNull();
  panel.getByText('Painting');
  await user.type(filter(), 'x');
  panel.getByText('No categories found matching "PAIN x"');
  await user.type(filter(), '{Enter}');
  expect(address()).toBe('/home');
  const event = Object.assign(new Event('toggle'), { newState: 'closed' });
  fireEvent(element, event);
  expect(filter().value).toBe('');
  panel.getByText('Plumbing');
  await user.type(filter(), 'garden{Enter}');
  await expect.poll(address).toBe('/search?category=gardening');
});

test('arrow keys lead from the filter through the categories and around', async () => {
  const { user } = await show('/home');
  await user.click(filter());
  const focused = () => document.activeElement?.textContent ?? '';
  await user.keyboard('{ArrowDown}');
  const first = focused();
  expect(first).not.toBe('');
  await user.keyboard('{ArrowDown}{ArrowUp}');
  expect(focused()).toBe(first);
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(filter());
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement?.tagName).toBe('BUTTON');
  expect(focused()).not.toBe(first);
});
