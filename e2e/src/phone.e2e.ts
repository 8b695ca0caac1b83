import type { Page } from '@playwright/test';
import { atThisWidth, atRest, expect, expectAccessible, expectNoSidewaysScroll, freshName, signIn, test } from './journey.ts';
import { buyPlan, newSeller, photoFile, publish } from './selling.ts';
import { countTaps, writeToSomebody } from './taps.ts';

async function fillBusiness(page: Page) {
  await page.getByLabel('Business name').fill('Walker Plumbing');
  await page.getByLabel('Business email').fill('walker@example.org');
  await page.getByLabel('Country').selectOption('New Zealand');
  await page.getByLabel('Region').selectOption('Waikato');
  await page.getByLabel('District or city').selectOption('Taupō');
  await page.getByRole('textbox', { name: 'Services' }).fill('Leaks, Drains');
  await page.getByLabel('About your business').fill('Three plumbers with forty years of experience between them, on time and tidy.');
}

/** The elements at the top and the bottom edge of the screen, in the middle of the page. */
const edges = (page: Page) =>
  page.evaluate(() =>
    [2, innerHeight - 2].map((y) =>
      document
        .elementsFromPoint(innerWidth / 2, y)
        .some((element) => element.localName === 'header' || element.matches('[data-bottom-bar]')),
    ),
  );

test('the header covers no field of the wizard at any scroll position @phone', async ({ page }) => {
  await page.goto('/addList');
  await fillBusiness(page);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('radio', { name: 'Basic' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await expect(title).toBeVisible();
  const top = await title.evaluate((element) => element.getBoundingClientRect().top + scrollY);
  for (let above = 60; above > -48; above -= 12) {
    await page.evaluate((y) => scrollTo(0, y), top - above);
    await atThisWidth.accessible(page);
  }
});

test('bars at the screen’s edges scroll away if text at 200 % leaves no room for them @phone', async ({ page }) => {
  const seller = await newSeller(page);
  await buyPlan(page, seller, 'basic');
  const id = await publish(page, seller, 'basic', 'Plumber with bars');
  // Scrolls each time, because the page grows while its data loads.
  const edgesHalfway = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
    return edges(page);
  };
  for (const [path, atUsualSize] of [
    [`/editListing/${id}`, [false, true]],
    ['/home', [true, false]],
  ] as const) {
    await page.goto(path);
    await atRest(page);
    await expect.poll(edgesHalfway).toEqual(atUsualSize);
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    await expect.poll(edgesHalfway).toEqual([false, false]);
    await expectNoSidewaysScroll(page);
  }
});

test('a live listing with a photo and hours takes at most 20 taps from the landing page @phone @main', async ({ page }) => {
  const { tap, type, pick, total } = countTaps();
  // A trade that needs no licence.
  const title = `Lawn mowing ${freshName()}`;
  const onward = () => tap(page.getByRole('button', { name: 'Continue', exact: true }));
  await page.goto('/');
  await tap(page.getByRole('link', { name: 'join as a pro' }));
  await type(page.getByLabel('Business name'), 'Walker Gardens');
  await type(page.getByLabel('Business email'), `${freshName()}@example.org`);
  await type(page.getByLabel('Town or suburb'), 'Taupō');
  await type(page.getByRole('textbox', { name: 'Services' }), 'Lawns, Hedges');
  await type(page.getByLabel('About your business'), 'Three gardeners with forty years of experience between them, on time and tidy.');
  await expect(page.getByLabel('Country')).toHaveValue('NZ');
  await expect(page.getByLabel('Region')).toHaveValue('Waikato');
  await expect(page.getByLabel('District or city')).toHaveValue('Taupō');
  await onward();

  await tap(page.getByRole('radio', { name: 'Basic' }));
  await pick(page.getByLabel('Choose photos'), await photoFile('van.png'));
  await type(page.getByRole('textbox', { name: 'Title' }), title);
  await expect(page.getByText('We chose the category from your title.')).toBeVisible();
  await expect(page.getByLabel('Main category')).toHaveValue('other');
  await expect(page.getByLabel('Category', { exact: true })).toHaveValue('Landscape & Lawn Maintenance');
  await type(page.getByLabel('Description'), 'Lawns, hedges and small gardens, every week or once, with a fixed price.');
  await tap(page.getByText('What helps people decide'));
  await type(page.getByLabel('Monday to Friday, from'), '07:30');
  await type(page.getByLabel('Monday to Friday, until'), '17:00');
  await onward();

  await type(page.getByLabel('Full name'), 'Hana Tamihana');
  await expect(page.getByLabel('Username')).toHaveValue(/^hana_t\d{4}$/);
  await type(page.getByLabel('Password', { exact: true }), 'pohutukawa-9');
  await tap(page.getByRole('button', { name: 'Create account' }));
  await type(page.getByLabel('Card number'), '4242424242424242');
  // The form goes on by itself, as the provider's does.
  await expect(page.getByLabel('Expiry date')).toBeFocused();
  await page.keyboard.type('1234');
  await expect(page.getByLabel('Security code')).toBeFocused();
  await page.keyboard.type('123');
  await tap(page.getByRole('button', { name: 'Pay Now' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Your listing is live' })).toBeVisible();
  expect(total()).toBeLessThanOrEqual(20);
});

test('a message from a stranger takes at most 8 taps and 4 fields from the landing page @phone @main', async ({ page }) => {
  const { tap, type, total, fields } = countTaps();
  await writeToSomebody(page, tap);
  await type(page.getByLabel(/^Your message to/), 'Our kitchen tap has been dripping since Monday. When could you come?');
  await type(page.getByLabel('Full name'), 'Hana Tamihana');
  // Proposed from the name, and can be changed here.
  await expect(page.getByLabel('Username')).toHaveValue(/^hana_t\d{4}$/);
  await type(page.getByRole('textbox', { name: 'Email' }), `${freshName()}@example.org`);
  await type(page.getByLabel('Password', { exact: true }), 'pohutukawa-9');
  await tap(page.getByRole('button', { name: 'Create account' }));
  await expect(page).toHaveURL(/\/messages\/[\w-]+$/);
  await expect(page.getByText('Our kitchen tap has been dripping since Monday.').last()).toBeVisible();
  expect([total(), fields()]).toEqual([8, 4]);
});

test('three requests for quotes take at most 6 taps from a search @phone', async ({ page }) => {
  await signIn(page);
  const { tap, type, total } = countTaps();
  await page.goto('/search?q=plumber&where=hamilton');
  await tap(page.getByRole('main').getByRole('link', { name: 'Get quotes' }).first());
  const job = `The tap in the kitchen drips. ${freshName()}`;
  // Trade and place come from the search.
  await expect(page.getByLabel('Kind of job')).toHaveValue(/^Plumbing/);
  await expect(page.getByRole('combobox', { name: 'Where is the job?' })).toHaveValue(/^Hamilton/);
  await type(page.getByLabel('What do you need done?'), job);
  for (const at of [0, 1, 2]) await tap(page.getByRole('checkbox').nth(at));
  await tap(page.getByRole('button', { name: 'Ask 3 businesses' }));
  await expect(page.getByRole('heading', { name: 'Sent to 3 businesses' })).toBeVisible();
  expect(total()).toBeLessThanOrEqual(6);
});

test('the wizard previews the listing when a button is pressed @phone', async ({ page }) => {
  await page.goto('/addList');
  await fillBusiness(page);
  await page.getByRole('button', { name: 'Preview your listing' }).tap();
  const preview = page.getByRole('dialog', { name: 'Preview of your listing' });
  await expect(preview.getByRole('article')).toContainText('Walker Plumbing');
  await expect(preview.getByRole('article')).toContainText('Taupō › Waikato › New Zealand');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(page.getByRole('button', { name: 'Preview your listing' })).toBeFocused();
});

test('the reminder of an unconfirmed address is short, with the rest at a press @phone', async ({ page }) => {
  const { user } = await newSeller(page);
  await page.goto('/home');
  const bar = page.getByRole('complementary', { name: 'Your email address' });
  await expect(bar).toContainText(`We sent a link to ${user.email}`);
  // The fallback font, which stays if the own one comes late, takes a line more.
  expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(180);
  await expect(bar.getByRole('button', { name: 'Send the link again' })).toBeHidden();
  await bar.getByText('Why, and what if it did not arrive?').tap();
  await bar.getByRole('button', { name: 'Send the link again' }).tap();
  await expect(bar.getByText('It is on its way.')).toBeVisible();
});

/** Records in session storage how long after the next click the line appears and how it looks, because the clicked document may be left. */
const noteLine = (page: Page) =>
  page.evaluate(() => {
    sessionStorage.removeItem('line');
    const root = document.documentElement;
    let clicked = 0;
    addEventListener('click', () => (clicked = performance.now()), { capture: true, once: true });
    new MutationObserver(() => {
      const took = performance.now() - clicked;
      const { height, animationDuration } = getComputedStyle(root, '::before');
      // The router marks the page again once it loads.
      if (root.hasAttribute('data-loading') && !sessionStorage.getItem('line'))
        sessionStorage.setItem('line', JSON.stringify({ took, height, animationDuration }));
    }).observe(root, { attributeFilter: ['data-loading'] });
  });

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test.describe(`motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } });

    test(`a slow network shows a line before anything of the next page arrives, and until it is there, ${reducedMotion} @phone`, async ({
      page,
    }) => {
      const network = await page.context().newCDPSession(page);
      // Slow enough that even a busy machine draws the line before the first byte arrives.
      const slow = { offline: false, latency: 2_500, downloadThroughput: 50_000, uploadThroughput: 50_000 };
      await page.goto('/services');
      await atRest(page);
      await network.send('Network.emulateNetworkConditions', slow);
      // A link whose script has not loaded opens a new document; the others navigate with the router.
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
        expect(line.took).toBeLessThan(slow.latency);
        await atRest(page);
      }
    });
  });
}
