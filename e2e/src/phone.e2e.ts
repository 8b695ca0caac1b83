import type { Page } from '@playwright/test';
import { asItStands, atRest, expect, expectNoSidewaysScroll, test } from './journey.ts';
import { buyPlan, newSeller, publish } from './selling.ts';

async function fillBusiness(page: Page) {
  await page.getByLabel('Business name').fill('Walker Plumbing');
  await page.getByLabel('Business email').fill('walker@example.org');
  await page.getByLabel('Country').selectOption('New Zealand');
  await page.getByLabel('Region').selectOption('Waikato');
  await page.getByLabel('District or city').selectOption('Taupō');
  await page.getByRole('textbox', { name: 'Services' }).fill('Leaks, Drains');
  await page.getByLabel('About your business').fill('Three plumbers with forty years of experience between them, on time and tidy.');
}

/** What is drawn at the top and at the bottom edge of the screen, in the middle of the page. */
const edges = (page: Page) =>
  page.evaluate(() =>
    [2, innerHeight - 2].map((y) =>
      document
        .elementsFromPoint(innerWidth / 2, y)
        .some((element) => element.localName === 'header' || element.matches('[data-bottom-bar]')),
    ),
  );

test('no field of the wizard is covered by the header, however far its page is scrolled @phone', async ({ page }) => {
  await page.goto('/addList');
  await fillBusiness(page);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('radio', { name: 'Basic' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await expect(title).toBeVisible();
  const top = await title.evaluate((element) => element.getBoundingClientRect().top + scrollY);
  for (let above = 60; above > -48; above -= 12) {
    await page.evaluate((y) => scrollTo(0, y), top - above);
    await asItStands.accessible(page);
  }
});

test('bars at the edges of the screen scroll away where text of 200 % leaves no room for them @phone', async ({ page }) => {
  const seller = await newSeller(page);
  await buyPlan(page, seller, 'basic');
  const id = await publish(page, seller, 'basic', 'Plumber with bars');
  const halfway = () => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  for (const [path, atUsualSize] of [
    [`/editListing/${id}`, [false, true]],
    ['/home', [true, false]],
  ] as const) {
    await page.goto(path);
    await atRest(page);
    await halfway();
    await expect.poll(() => edges(page)).toEqual(atUsualSize);
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    await halfway();
    await expect.poll(() => edges(page)).toEqual([false, false]);
    await expectNoSidewaysScroll(page);
  }
});
