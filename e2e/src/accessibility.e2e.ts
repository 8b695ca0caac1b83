import type { Browser, Page } from '@playwright/test';
import { atThisWidth, atRest, expect, expectValidHtml, test as journey, signIn } from './journey.ts';
import { pagesOf } from './pages.ts';
import { narrowest, sizes } from './sizes.ts';
import { expectNoStrayBullet, expectNothingCut, expectNoZoom, expectRoomForThumbs } from './small-screen.ts';

type Role = 'visitor' | 'member' | 'administrator';

const signInAs: Record<Role, (page: Page) => Promise<unknown>> = {
  visitor: async () => {},
  member: (page) => signIn(page),
  administrator: (page) => signIn(page, 'admin@example.com', 'demo-admin-1'),
};

/** Each role has one browser page for all its addresses and both widths, because only their final state is checked. */
const test = journey.extend<{ role: Role }, { pageOf: (role: Role) => Promise<Page> }>({
  role: ['visitor', { option: true }],
  pageOf: [
    async ({ browser }, use) => {
      const opened = new Map<Role, Page>();
      await use(async (role) => {
        const page = opened.get(role) ?? (await openPage(browser));
        if (!opened.has(role)) await signInAs[role](page);
        opened.set(role, page);
        return page;
      });
      await Promise.all([...opened.values()].map((page) => page.context().close()));
    },
    { scope: 'worker' },
  ],
  page: async ({ role, pageOf }, use) => {
    const page = await pageOf(role);
    await page.setViewportSize(sizes.desk);
    await page.emulateMedia({ colorScheme: 'light' });
    await use(page);
    for (const event of ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed'] as const) page.removeAllListeners(event);
    // Same origin, so that the browser reuses the process with the site's scripts.
    await page.goto('/robots.txt');
  },
});

async function openPage(browser: Browser): Promise<Page> {
  const { use } = test.info().project;
  const { baseURL = '', viewport = null, isMobile = false, hasTouch = false, locale = '', timezoneId = '', contextOptions } = use;
  const context = await browser.newContext({ ...contextOptions, baseURL, viewport, isMobile, hasTouch, locale, timezoneId });
  return context.newPage();
}

/**
 * Checks both widths in the light scheme, then the colours in the dark one. On a phone also checks the touch targets, and that nothing is
 * cut off on the narrowest screen.
 */
async function expectSound(page: Page) {
  await atRest(page);
  // The document is the same in each width.
  await expectValidHtml(page);
  await atThisWidth.accessible(page);
  await atThisWidth.noSidewaysScroll(page);
  await page.setViewportSize(narrowest);
  await atThisWidth.noSidewaysScroll(page);
  await expectNothingCut(page);
  await expectNoStrayBullet(page);
  await page.setViewportSize(sizes.phone);
  await atThisWidth.accessible(page);
  await atThisWidth.noSidewaysScroll(page);
  await expectRoomForThumbs(page);
  await expectNoZoom(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  // Reduced motion changes all colours at once.
  expect(await page.evaluate(() => document.getAnimations().filter((one) => one instanceof CSSTransition).length)).toBe(0);
  await atThisWidth.contrast(page);
  await page.setViewportSize(sizes.desk);
  await atThisWidth.contrast(page);
}

const pagesOfRoles = [
  ['visitor', 'a visitor'],
  ['member', 'a member'],
  ['administrator', 'an administrator'],
] as const;

for (const [role, person] of pagesOfRoles) {
  test.describe('@desk', () => {
    test.use({ role });
    for (const path of pagesOf[role]) {
      test(`${path} is accessible to ${person}`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 }).filter({ visible: true })).toBeVisible();
        await expectSound(page);
      });
    }
  });
}

test('a listing is accessible @desk', async ({ page }) => {
  await page.goto('/services/plumbing');
  await page.getByRole('article').first().getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Reviews & Ratings' })).toBeVisible();
  await expectSound(page);
});
