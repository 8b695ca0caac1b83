import pg from 'pg';
import { usePostgres } from '@handwise/sandbox/postgres';
import { expect, expectAccessible, test } from './journey.ts';
import { ownSite } from './own-site.ts';

test.use({ provoked: /status of 503/ });

test('a search that took too long is tried again once by itself, then by a button @desk', async ({ browser }) => {
  const site = await ownSite();
  const database = new pg.Client({ connectionString: (await usePostgres(site.dataDir)).url });
  await database.connect();
  const lock = () => database.query('begin; lock table listings in access exclusive mode');
  const page = await (await browser.newContext({ baseURL: site.address })).newPage();
  const heading = page.getByRole('heading', { level: 1 });
  // The page's own second try waits here, so that a slow machine can look at the page before.
  const unlocked = Promise.withResolvers<void>();
  await page.route('**/search.data*', async (route) => {
    await unlocked.promise;
    await route.continue();
  });
  try {
    await lock();
    const answer = await page.goto('/search?q=plumber&where=Hamilton&photos=1');
    expect(answer?.status()).toBe(503);
    await expect(heading).toHaveText('That search took too long. Trying again…');
    const form = page.locator('main').getByRole('search');
    await expect(form.getByLabel('What do you need?')).toHaveValue('plumber');
    await expect(form.getByLabel('Where?')).toHaveValue('Hamilton');
    await expect(page.getByLabel('With photos')).toBeChecked();
    await expectAccessible(page);
    await database.query('rollback');
    unlocked.resolve();
    await expect(heading).toHaveText('Plumbing in Hamilton, Waikato');

    await lock();
    await page.getByRole('search').getByLabel('What do you need?').first().fill('roofer');
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Search again' });
    await expect(button).toBeVisible();
    await expect(heading).toHaveText('That search took too long.');
    await database.query('rollback');
    await button.click();
    await expect(heading).toHaveText('Roofing in Hamilton, Waikato');
  } finally {
    await database.end();
    await site.close();
  }
});

const busy = { message: 'That search took too long. Please try again in a few seconds.', code: 'search_timed_out', errors: [] };

test('suggestions and a map that could not be loaded say so, and are loaded again on a press @desk', async ({ page }) => {
  let isBusy = true;
  await page.route(/\/api\/search\/(suggest|places)/, (route) => (isBusy ? route.fulfill({ status: 503, json: busy }) : route.continue()));
  await page.goto('/services/plumbing');
  const map = page.getByRole('region', { name: 'Map: Plumbing in' });
  await map.scrollIntoViewIfNeeded();
  await expect(map).toContainText('The map could not be loaded');
  const field = page.getByRole('combobox', { name: 'What do you need?' }).first();
  await field.focus();
  await page.keyboard.type('plum');
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
  await expect(options).toHaveText('Suggestions could not be loaded. Try again');

  isBusy = false;
  await options.click();
  await expect(options.first()).toHaveText('Plumbing');
  await page.keyboard.press('Escape');
  await map.getByRole('button', { name: 'Load the map again' }).click();
  await expect(map).not.toContainText('could not be loaded');
  await expect(map.getByRole('button', { name: /listing/ }).first()).toBeVisible();
});
