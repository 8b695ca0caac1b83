import type { Page } from '@playwright/test';
import { atRest, expect, expectAccessible, expectNoSidewaysScroll, signIn, test } from './journey.ts';

const bar = (page: Page) => page.getByRole('combobox', { name: 'Search listings' });
const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const options = (page: Page) => list(page).getByRole('option');
const active = (page: Page) => list(page).getByRole('option', { selected: true });

test('a member takes a suggestion by keyboard and finds it again as a recent search @main', async ({ page }) => {
  await signIn(page);
  await page.goto('/home');
  await bar(page).focus();
  await expect(options(page)).toHaveCount(0);
  await page.keyboard.type('plumb');
  await expect(options(page).first()).toHaveText('Plumbing');
  await expect(bar(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByText(/^\d suggestions$/)).toBeAttached();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  // The typed text stays until a suggestion is chosen.
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toHaveText('Plumbing');
  await expect(bar(page)).toHaveValue('plumb');
  await page.keyboard.press('Escape');
  await expect(options(page)).toHaveCount(0);
  await expect(bar(page)).toHaveValue('plumb');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/search?category=plumbing');
  await expect(bar(page)).toHaveValue('');

  await bar(page).focus();
  await page.keyboard.type('drain');
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/search?q=drain&category=plumbing');
  // The address changes before the new page, which closes the list.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/drain/i);
  await expect(options(page)).toHaveCount(0);

  // Both are recent searches, the last first; one is removed, then all.
  await expect(async () => {
    // The new page may take the focus, which closes the list.
    await bar(page).fill('');
    await expect(options(page)).toHaveText([/^drain/, /^Plumbing/, 'Clear recent searches'], { timeout: 5_000 });
  }).toPass();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Delete');
  await expect(options(page)).toHaveText([/^Plumbing/, 'Clear recent searches']);
  await options(page).last().click();
  await expect(options(page)).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('recentSearches'))).toBeNull();
});

test('text typed while a suggestion’s results load stays in the field and gets suggestions', async ({ page }) => {
  await signIn(page);
  await page.goto('/home');
  await bar(page).focus();
  await page.keyboard.type('plumb');
  await expect(options(page).first()).toHaveText('Plumbing');
  const loaded = Promise.withResolvers<void>();
  await page.route('**/search.data?*', async (route) => {
    await loaded.promise;
    return route.continue();
  });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(bar(page)).toHaveValue('');
  await bar(page).focus();
  await page.keyboard.type('dr');
  loaded.resolve();
  await expect(page).toHaveURL('/search?category=plumbing');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Plumbing');
  await page.keyboard.type('ain');
  await expect(bar(page)).toHaveValue('drain');
  await expect(options(page).first()).toBeVisible();
});

test('results focus the content after Enter', async ({ page }) => {
  await signIn(page);
  await page.goto('/home');
  await bar(page).fill('tiler');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/search?q=tiler');
  await expect(page.locator('#content')).toBeFocused();
});

test('suggestions are requested once typing pauses, and a late answer to an earlier text is not shown @desk', async ({ page }) => {
  const requests: string[] = [];
  const late = Promise.withResolvers<void>();
  await page.route('**/api/search/suggest?*', async (route) => {
    const q = new URL(route.request().url()).searchParams.get('q') ?? '';
    requests.push(q);
    if (q !== 'roo') return route.continue();
    await late.promise;
    // The page has aborted it by then.
    const json = { suggestions: [{ kind: 'category', label: 'Late', detail: '', query: 'q=late' }] };
    return route.fulfill({ json }).catch(() => {});
  });
  await page.clock.install();
  await signIn(page);
  await page.goto('/home');
  await atRest(page);
  await bar(page).focus();
  // The list loads with the focus.
  await expect(page.getByRole('search').getByRole('status')).toBeAttached();
  await page.clock.pauseAt(Date.now() + 600_000);
  for (const letter of 'roo') {
    await page.keyboard.type(letter);
    await page.clock.runFor(100);
  }
  expect(requests).toEqual([]);
  await page.clock.runFor(20);
  await expect.poll(() => requests).toEqual(['roo']);
  await page.keyboard.type('fing');
  await page.clock.runFor(120);
  await expect(options(page).first()).toHaveText('Roofing');
  late.resolve();
  await atRest(page);
  await expect(options(page).first()).toHaveText('Roofing');
  expect(requests).toEqual(['roo', 'roofing']);
});

test('text typed while an earlier search loads stays in the field @desk', async ({ page }) => {
  const results = Promise.withResolvers<void>();
  await signIn(page);
  await page.goto('/search?category=plumbing');
  await atRest(page);
  await page.route('**/search.data?*', async (route) => {
    await results.promise;
    await route.continue();
  });
  await bar(page).fill('drain');
  await page.keyboard.press('Enter');
  await bar(page).fill('pip');
  results.resolve();
  await expect(page).toHaveURL('/search?q=drain&category=plumbing');
  await atRest(page);
  await expect(bar(page)).toHaveValue('pip');
  await expect(bar(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Clear all filters' }).click();
  await expect(page).toHaveURL('/search');
  await expect(bar(page)).toHaveValue('');
});

test('a place is chosen with a press, and Tab leaves the typed text in the field', async ({ page }) => {
  await page.goto('/services');
  const where = page.locator('main').getByRole('combobox', { name: 'Where?' });
  await where.click();
  await page.keyboard.type('hamil');
  await options(page).filter({ hasText: 'Waikato' }).first().click();
  await expect(where).toHaveValue('Hamilton, Waikato');
  await expect(where).toBeFocused();
  await expect(options(page)).toHaveCount(0);
  await where.fill('taup');
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(where).toHaveValue('taup');
  await expect(where).not.toBeFocused();
  await expect(options(page)).toHaveCount(0);
});
