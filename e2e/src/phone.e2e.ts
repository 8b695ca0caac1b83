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

/** Notes how long after the next click the line is there, and how it is drawn: the document that is clicked may be left. */
const noteLine = (page: Page) =>
  page.evaluate(() => {
    sessionStorage.removeItem('line');
    const root = document.documentElement;
    let clicked = 0;
    addEventListener('click', () => (clicked = performance.now()), { capture: true, once: true });
    new MutationObserver(() => {
      const took = performance.now() - clicked;
      const { height, animationDuration } = getComputedStyle(root, '::before');
      if (root.hasAttribute('data-loading')) sessionStorage.setItem('line', JSON.stringify({ took, height, animationDuration }));
    }).observe(root, { attributeFilter: ['data-loading'] });
  });

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test.describe(`motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } });

    test(`a slow network shows a line within 100 ms of a click until the page is there, ${reducedMotion} @phone`, async ({ page }) => {
      const network = await page.context().newCDPSession(page);
      const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
      await page.goto('/services');
      await atRest(page);
      await network.send('Network.emulateNetworkConditions', slow);
      // By a link whose script has not come the browser loads another document; by the others the router loads a page.
      for (const [name, path] of [
        ['Prize draws', '/draws'],
        ['The rules of the draw', '/draw-rules'],
      ] as const) {
        await noteLine(page);
        await page.getByRole('link', { name, exact: true }).last().click();
        await expect(page).toHaveURL(path);
        await expect(page.getByRole('heading', { level: 1 })).toContainText(/prize draw/i);
        await expect(page.locator('html[data-loading]')).toHaveCount(0);
        const line = await page.evaluate(() => JSON.parse(sessionStorage.getItem('line') ?? '{}'));
        expect(line).toMatchObject({ height: '3px', animationDuration: reducedMotion === 'reduce' ? '0.001s' : '0.001s, 8s' });
        expect(line.took).toBeLessThan(100);
        await atRest(page);
      }
    });
  });
}
