import type { Page } from '@playwright/test';
import { atRest, delayScripts, expect, test } from './journey.ts';
import { withoutNewerApis } from './old-browser.ts';

test('menus, suggestions, filters and a listing work in the oldest promised browser @phone @main', async ({ page }) => {
  await withoutNewerApis(page);
  await page.goto('/');
  await atRest(page);
  const isNative = await page.evaluate(() => [
    'parse' in URL,
    'withResolvers' in Promise,
    String(HTMLElement.prototype.showPopover).includes('native code'),
  ]);
  expect(isNative).toEqual([false, false, false]);
  const services = page.getByRole('banner').getByRole('link', { name: 'All services' });
  await expect(services).toBeHidden();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(services).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(services).toBeHidden();

  await page.getByRole('combobox', { name: 'What do you need?' }).fill('leaking t');
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page).toHaveURL(/\/search/);
  const withPhotos = page.getByRole('checkbox', { name: 'With photos' });
  await expect(withPhotos).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await withPhotos.check();
  await page.getByRole('button', { name: /^Show/ }).click();
  await expect(page).toHaveURL(/photos=1/);
  await expect(withPhotos).toBeHidden();

  await page.getByRole('article').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/listing\//);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('html')).not.toHaveAttribute('data-failed');
});

test.describe('a page whose script fails', () => {
  test.use({ provoked: /broken|ERR_FAILED|Failed to load/ });

  const failures: [string, (page: Page) => Promise<unknown>][] = [
    ['is missing', (page) => page.route('**/assets/entry.client-*.js', (route) => route.abort())],
    [
      'throws while it starts',
      (page) => page.addInitScript(() => void Object.defineProperty(history, 'state', { get: () => JSON.parse('broken') as unknown })),
    ],
    [
      'throws while it renders',
      (page) =>
        page.addInitScript(
          () =>
            void (
              Object.prototype.hasOwnProperty.call(URLSearchParams, 'x') ||
              (URLSearchParams.prototype.get = () => JSON.parse('broken') as never)
            ),
        ),
    ],
  ];
  for (const [how, fail] of failures) {
    test(`because it ${how} stays as rendered, says so, keeps what was typed, and its form and links work @phone`, async ({ page }) => {
      page.removeAllListeners('pageerror');
      const release = await delayScripts(page);
      await fail(page);
      await page.goto('/search?q=plumber', { waitUntil: 'domcontentloaded' });
      const typed = page.getByRole('banner').getByLabel('What do you need?');
      await page.getByRole('banner').getByRole('button', { name: 'plumber' }).click();
      await typed.fill('painter');
      release();
      await page.waitForLoadState('load');
      await expect(page.locator('html')).toHaveAttribute('data-failed', '');
      await expect(page.getByRole('alert').filter({ hasText: 'could not start fully' })).toBeVisible();
      expect(await page.getByRole('article').count()).toBeGreaterThan(3);
      await expect(page.getByText('Application Error')).toHaveCount(0);
      await expect(typed).toHaveValue('painter');
      await expect(typed).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/q=painter/);
      await expect(page.getByRole('article').first()).toBeVisible();
      await page.getByRole('article').getByRole('link').first().click();
      await expect(page).toHaveURL(/\/listing\//);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });
  }
});
