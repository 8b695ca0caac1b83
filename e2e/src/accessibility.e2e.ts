import type { Page } from '@playwright/test';
import { atRest, expect, expectAccessible, expectContrast, expectNoSidewaysScroll, signIn, test } from './journey.ts';

const visitorPages = [
  '/',
  '/services',
  '/services/plumbing',
  '/services/plumbing/auckland',
  '/pros',
  '/privacy',
  '/terms',
  '/contact',
  '/reviews-policy',
  '/how-to-stop',
  '/auth/login',
  '/auth/register',
  '/auth/forgot-password',
  '/auth/verify',
  '/auth/reset',
  '/mails/end',
  '/addList',
  '/no-such-page',
];
const memberPages = [
  '/home',
  '/home?category=plumbing&country=NZ&region=waikato',
  '/home?title=zzzzzz',
  '/auth/signup-success',
  '/auth/register-success',
  '/account',
  '/account/security',
  '/account/decisions',
  '/mylistings/saved',
  '/mylistings/compare',
  '/messages',
  '/referral-dashboard',
];

const administratorPages = [
  '/admin',
  '/admin/reports',
  '/admin/reports?status=decided',
  '/admin/appeals',
  '/admin/users',
  '/admin/listings?q=plumb',
  '/admin/reviews?stars=5',
  '/admin/payments',
  '/admin/audit',
];

test.use({ colorScheme: 'light' });

/** In the light scheme, and after the machine has gone dark for the night: only colours are other ones then. */
async function expectSound(page: Page) {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectContrast(page);
}

for (const path of visitorPages) {
  test(`${path} is accessible to a visitor`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await atRest(page);
    await expectSound(page);
  });
}

for (const path of memberPages) {
  test(`${path} is accessible to a member`, async ({ page }) => {
    await signIn(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).filter({ visible: true })).toBeVisible();
    await atRest(page);
    await expectSound(page);
  });
}

for (const path of administratorPages) {
  test(`${path} is accessible to an administrator`, async ({ page }) => {
    await signIn(page, 'admin@example.com', 'demo-admin-1');
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).filter({ visible: true })).toBeVisible();
    await atRest(page);
    await expectSound(page);
  });
}

test('a listing is accessible', async ({ page }) => {
  await page.goto('/services/plumbing');
  await page.getByRole('article').first().getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Reviews & Ratings' })).toBeVisible();
  await atRest(page);
  await expectSound(page);
});

test('on a phone of 360 pixels nothing stands out to the side', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ['/', '/services/plumbing', '/pros', '/auth/register']) {
    await page.goto(path);
    await expectNoSidewaysScroll(page);
  }
});
