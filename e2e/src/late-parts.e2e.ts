import type { Page } from '@playwright/test';
import { atRest, expect, test } from './journey.ts';

const rest = '**/assets/listing-rest-*.js';

async function reviewedListing(page: Page): Promise<string> {
  const { listings } = await (await page.request.get('/api/listing/all?limit=100')).json();
  const listing = listings.find((one: { reviewCount: number }) => one.reviewCount > 20);
  return `/listing/${listing._id}`;
}

test('a press below the description takes effect once its script has loaded, without moving anything @phone', async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(rest, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(await reviewedListing(page));
  await atRest(page);
  const reviews = page.locator('#reviews').getByRole('article');
  await expect(reviews).toHaveCount(10);
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  const requested = page.waitForRequest(rest);
  await page.getByRole('button', { name: 'Show more reviews' }).click();
  await requested;
  await expect(page.getByRole('button', { name: 'Show more reviews' })).toHaveAttribute('data-held');
  expect(await height()).toBe(before);
  release();
  await expect(reviews).toHaveCount(20);
  await expect(page.locator('[data-held]')).toHaveCount(0);
});

test.describe('of an older deployment', () => {
  test.use({ provoked: /ERR_FAILED/ });

  test('a listing whose later scripts are missing stays as rendered, and its links work @phone', async ({ page }) => {
    await page.route(rest, (route) => route.abort());
    await page.goto(await reviewedListing(page));
    await atRest(page);
    const failed = page.waitForEvent('requestfailed');
    await page.mouse.wheel(0, 400);
    await failed;
    await atRest(page);
    await expect(page.locator('#reviews').getByRole('article')).toHaveCount(10);
    await page.locator('#reviews').getByRole('link', { name: 'How reviews work' }).click();
    await expect(page).toHaveURL('/reviews-policy');
    await expect(page.getByRole('contentinfo')).toContainText('All rights reserved');
  });
});
