import type { Page, Route } from '@playwright/test';
import { expect, signIn, test } from './journey.ts';

// What the server answers while its database is away.
const unavailable = { message: 'The database is not responding.', code: 'unavailable', errors: [], requestId: 'none' };
const fail = (route: Route) =>
  route.request().method() === 'GET'
    ? route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: unavailable })
    : route.continue();

const paths = [
  '/messages',
  '/quote-requests',
  '/mylistings/mylistings',
  '/mylistings/saved',
  '/referral',
  '/account',
  '/account/security',
  '/account/alerts',
  '/account/payment',
  '/account/receipts',
  '/account/decisions',
  '/addListing',
  '/home',
];
const emptyStates =
  /\bno (messages|saved|listings?|plan|alerts?|cards?|quote|tax|longer)\b|\bnothing (yet|here|to|is)\b|\bnone (yet|so far)\b|too few|choose a plan|not found|isn’t here|\b0 (listings|of)\b/i;

/** Opens the page in a tab of its own and waits for its errors. */
async function expectNoEmptyState(tab: Page, path: string) {
  await tab.route('**/api/**', fail);
  await tab.goto(path);
  const main = tab.getByRole('main');
  await expect(main.getByRole('button', { name: 'Try Again' }).first(), path).toBeVisible({ timeout: 60_000 });
  expect(await main.innerText(), path).not.toMatch(emptyStates);
}

test('while the API fails, no member’s page says that there is nothing, and a retry shows what there is @desk', async ({
  page,
  context,
}) => {
  test.setTimeout(600_000);
  await signIn(page);
  await page.goto('/services/plumbing');
  const [listing = ''] =
    /[\da-f-]{36}/.exec((await page.getByRole('article').first().getByRole('link').first().getAttribute('href')) ?? '') ?? [];
  for (const path of [...paths, `/mylistings/compare?listings=${listing}`, `/get-quotes?listing=${listing}`]) {
    const tab = await context.newPage();
    await expectNoEmptyState(tab, path);
    if (path === '/messages') {
      await tab.unroute('**/api/**');
      await tab.getByRole('main').getByRole('button', { name: 'Try Again' }).first().click();
      await expect(tab.getByRole('region', { name: 'Conversations' }).getByRole('link').nth(1)).toBeVisible();
    }
    await tab.close();
  }
});
