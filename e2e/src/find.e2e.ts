import type { Locator, Page } from '@playwright/test';
import { atRest, expect, expectAccessible, signIn, test } from './journey.ts';

/** The service and place that the found listing must name. */
type Search = { what: string; where: string; service: string };
const mostPresses = 4;

const plumber: Search = { what: 'plumber', where: 'Hamilton', service: 'Plumbing' };
const electrician: Search = { what: 'electrician', where: 'Brisbane', service: 'Electrical & Gas' };

const searches = [
  ['a plumber in Hamilton', plumber],
  ['an electrician in Brisbane', electrician],
] as const;

/** Taps and counts the taps. */
function thumb() {
  let presses = 0;
  return {
    press: async (what: Locator) => {
      presses += 1;
      await what.click();
    },
    presses: () => presses,
  };
}

async function expectListing(page: Page, { where, service }: Search) {
  await expect(page).toHaveURL(/\/listing\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name: 'Business Details' })).toBeVisible();
  await expect(page.locator('main')).toContainText(where);
  await expect(page.locator('main')).toContainText(service);
}

/** `next`: how to get from the first field to the second, which the suggestions cover unless scripts are off. */
async function findWithThumb(page: Page, search: Search, next: 'suggestion' | 'field') {
  const { press, presses } = thumb();
  await page.goto('/');
  const form = page.locator('main').getByRole('search');
  const what = form.getByLabel('What do you need?');
  // Text typed before the scripts have loaded gets no suggestions.
  if (next === 'suggestion') await expect(what).toHaveRole('combobox');
  await press(what);
  await page.keyboard.type(search.what);
  const where = form.getByLabel('Where?');
  await press(next === 'field' ? where : form.getByRole('option').first());
  await expect(where).toBeFocused();
  await page.keyboard.type(search.where);
  // The suggestions cover the button, so the form is sent from the keyboard.
  await page.keyboard.press('Enter');
  const sent = 1;
  await expect(page).toHaveURL(/\/search\?/);
  await press(page.getByRole('article').first().getByRole('link').first());
  await expectListing(page, search);
  const all = presses() + sent;
  console.log(`${test.info().title}: ${all} presses`);
  expect(all).toBeLessThanOrEqual(mostPresses);
}

for (const [found, search] of searches) {
  test(`a visitor with a phone finds ${found} in at most ${mostPresses} presses @phone @main`, ({ page }) =>
    findWithThumb(page, search, 'suggestion'));
}

test.describe('without JavaScript @phone', () => {
  test.use({ javaScriptEnabled: false });
  for (const [found, search] of searches) {
    test(`a visitor with a phone finds ${found} in at most ${mostPresses} presses without scripts`, ({ page }) =>
      findWithThumb(page, search, 'field'));
  }
});

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, there: Locator) {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    if (await there.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('the Tab key does not lead there');
}

test('a visitor chooses a suggestion, searches and opens a listing by keyboard alone @main', async ({ page }) => {
  await page.goto('/');
  const form = page.locator('main').getByRole('search');
  const what = form.getByLabel('What do you need?');
  await expect(what).toHaveRole('combobox');
  await tabTo(page, what);
  await page.keyboard.type('plumb');
  await expect(page.getByRole('option', { name: 'Plumbing', exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(what).toHaveValue('Plumbing');
  await expect(form.getByLabel('Where?')).toBeFocused();
  await page.keyboard.type('Hamilton');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Plumbing in Hamilton');
  // The typed text can still be edited.
  await expect(page.locator('header').getByLabel('What do you need?')).toHaveValue('Plumbing');
  await expect(page.locator('header').getByLabel('Where?')).toHaveValue('Hamilton');
  await tabTo(page, page.getByRole('article').first().getByRole('link').first());
  await page.keyboard.press('Enter');
  await expectListing(page, plumber);
});

const totalOf = async (page: Page) =>
  Number(/of ([\d,]+)/.exec((await page.locator('h1 + [role=status]').textContent()) ?? '')?.[1]?.replace(/,/g, ''));

test('each understood part of a search is removed with one press and restored by going back @phone', async ({ page }) => {
  await page.goto('/search?q=fence&where=Wellington');
  const chips = page.getByRole('region', { name: 'How we read your search' });
  const narrow = await totalOf(page);
  await chips.getByRole('link', { name: 'Remove sub-category' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Concrete & Driveways in Wellington');
  const wider = await totalOf(page);
  expect(wider).toBeGreaterThan(narrow);
  await chips.getByRole('link', { name: 'Remove place' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Concrete & Driveways');
  expect(await totalOf(page)).toBeGreaterThan(wider);
  await chips.getByRole('link', { name: 'Remove category' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All services');
  await expect(chips.getByRole('list')).toHaveCount(0);
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Concrete & Driveways in Wellington');
  expect(await totalOf(page)).toBe(wider);
});

test('a search without results still has its filters, which say that they find nothing, and leads on in one press @desk', async ({
  page,
}) => {
  await page.goto('/search?q=zzzzqq&country=NZ');
  await expect(page.getByRole('heading', { name: 'No listings found' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Order and filters' }).getByRole('checkbox', { name: 'Verified (0)' })).toBeDisabled();
  await page.getByRole('link', { name: 'Clear all filters' }).last().click();
  await expect(page).toHaveURL('/search');
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('the counts of filters match the results, and all choices in the sheet are one step of history @main', async ({ page, isMobile }) => {
  await page.goto('/search?category=painting');
  const before = await totalOf(page);
  const heading = page.getByRole('heading', { level: 1 });
  if (isMobile) await page.getByRole('button', { name: 'Filters' }).click();
  const rating = page.getByRole('combobox', { name: 'Rating' });
  const choice = rating.getByRole('option', { name: /^4 and up/ });
  const promised = Number(/\(([\d,]+)\)/.exec((await choice.textContent()) ?? '')?.[1]);
  expect(promised).toBeLessThan(before);
  await rating.selectOption('4');
  if (isMobile) {
    await page.getByRole('combobox', { name: 'Order' }).selectOption('newest');
    await expect(page).toHaveURL('/search?category=painting');
    await page.getByRole('button', { name: `Show ${promised} listings` }).click();
    await expect(page).toHaveURL('/search?category=painting&minRating=4&sort=newest');
  } else {
    await expect(page).toHaveURL('/search?category=painting&minRating=4');
  }
  await expect(heading).toBeFocused();
  expect(await totalOf(page)).toBe(promised);
  await page.goBack();
  await expect(page).toHaveURL('/search?category=painting');
  await expect.poll(() => totalOf(page)).toBe(before);
  if (!isMobile) return;
  // The number of the choice before does not stay in the sheet.
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('button', { name: `Show ${before} listings` })).toBeVisible();
});

test('a member gets the visitors’ search in one bar @desk @main', async ({ page }) => {
  await signIn(page);
  await page.goto('/home');
  const bar = page.getByRole('combobox', { name: 'Search listings' });
  await bar.fill('sparky waikato');
  await bar.press('Enter');
  await expect(page).toHaveURL('/search?q=sparky+waikato');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Electrical & Gas: Electricians in Waikato');
  await expect(bar).toHaveValue('sparky waikato');
  // What and where.
  await expect(page.getByRole('combobox')).toHaveCount(2 + (await page.locator('main select').count()));
  await page.getByRole('link', { name: 'Remove sub-category Electricians' }).click();
  await expect(page).toHaveURL('/search?category=electrical-gas&region=waikato');
});

test('a desk shows four listings in its first screen, below one row of filters @desk', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/search?q=plumber&where=Auckland');
  const cards = await page.getByRole('article').evaluateAll((all) => all.map((card) => card.getBoundingClientRect().bottom));
  expect(cards.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(4);
  const pills = page.getByRole('region', { name: 'Order and filters' }).locator('select, summary, label:has([type=checkbox])');
  const tops = await pills.evaluateAll((all) => all.map((pill) => Math.round(pill.getBoundingClientRect().top)));
  expect(tops.length).toBeGreaterThan(5);
  expect(new Set(tops).size).toBe(1);
});

test('the sheet of filters has a title and a button that closes it without a choice @phone', async ({ page }) => {
  await page.goto('/search?q=plumber&where=Auckland');
  await page.getByRole('button', { name: 'Filters' }).click();
  const title = page.getByRole('heading', { name: 'Filters' });
  await expect(title).toBeVisible();
  await page.getByRole('button', { name: 'Close the filters' }).click();
  await expect(title).toBeHidden();
  await expect(page).toHaveURL('/search?q=plumber&where=Auckland');
});

test('the first listing starts within 250 pixels on a phone (300 below an explanation), two fit a screen, and no card is higher than 320 @phone @main', async ({
  page,
}) => {
  const measure = () =>
    page.getByRole('article').evaluateAll((cards) => ({
      top: cards[0]?.getBoundingClientRect().top ?? Infinity,
      second: cards[1]?.getBoundingClientRect().bottom ?? 0,
      height: Math.max(...cards.map((card) => card.getBoundingClientRect().height)),
    }));
  const addresses = [
    '/search?q=plumber&where=Hamilton',
    '/search',
    '/search?category=electrical-gas&near=Ponsonby',
    '/search?near=Dunedin&verified=1',
  ];
  // A widened search, whose explanation takes two lines.
  const widened = '/search?q=pool cleaner in Ponsonby';
  for (const address of [...addresses, widened]) {
    await page.goto(address);
    expect((await measure()).top, address).toBeLessThanOrEqual(address === widened ? 300 : 250);
    expect((await measure()).second, address).toBeLessThanOrEqual(844);
    expect((await measure()).height, address).toBeLessThanOrEqual(320);
  }
  await signIn(page);
  await page.goto(addresses[0] ?? '');
  await expect(page.getByRole('combobox', { name: 'Search listings' })).toBeVisible();
  expect((await measure()).top).toBeLessThanOrEqual(250);
});

test('the front page still has the typed text after going back', async ({ page }) => {
  await page.goto('/');
  const form = page.locator('main').getByRole('search');
  await expect(form.getByLabel('What do you need?')).toHaveRole('combobox');
  await form.getByLabel('What do you need?').fill('leaking tap');
  await form.getByLabel('Where?').fill('Dunedin');
  // The suggestions cover the button.
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/search?q=leaking+tap&where=Dunedin');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Dunedin');
  await page.goBack();
  await expect(form.getByLabel('What do you need?')).toHaveValue('leaking tap');
  await expect(form.getByLabel('Where?')).toHaveValue('Dunedin');
});

test('an answer to “Where?” keeps the words and is one step back @phone', async ({ page }) => {
  await page.goto('/search?q=plumber&photos=1');
  await expect(page).toHaveURL('/search?q=plumber&country=NZ&photos=1');
  const where = page.locator('main').getByLabel('Where?');
  await where.fill('Dunedin');
  await where.press('Enter');
  await expect(page).toHaveURL('/search?q=plumber&where=Dunedin&country=NZ&photos=1');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Dunedin');
  await page.goBack();
  await expect(page).toHaveURL('/search?q=plumber&country=NZ&photos=1');
  await page.locator('main').getByRole('link', { name: 'Tauranga', exact: true }).click();
  await expect(page).toHaveURL('/search?q=plumber&where=Tauranga&country=NZ&photos=1');
  await page.goBack();
  await expect(page).toHaveURL('/search?q=plumber&country=NZ&photos=1');
});

test('a place that both countries have is the one of this browser, and the other is a link @phone', async ({ page }) => {
  for (const [typed, read] of [
    ['/search?q=plumber+newtown', '/search?q=plumber+newtown&country=NZ'],
    ['/search?q=plumber&where=newtown', '/search?q=plumber&where=newtown&country=NZ'],
  ] as const) {
    await page.goto(typed);
    await expect(page).toHaveURL(read);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Newtown, Wellington');
  }
  await page.getByRole('link', { name: /^Newtown, New South Wales \(\d/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Newtown, New South Wales');
});

test('the row of filters stays where it was scrolled to, after a choice and after going back @desk', async ({ page }) => {
  await page.goto('/search?category=plumbing&region=auckland');
  // The script notes where the row is.
  await expect(page.locator('header').getByLabel('What do you need?')).toHaveRole('combobox');
  const insured = page.getByLabel(/^Insured/);
  const pill = page.locator('label').filter({ has: insured });
  await expect(pill).not.toBeInViewport({ ratio: 0.9 });
  await pill.scrollIntoViewIfNeeded();
  await pill.click();
  await expect(page).toHaveURL('/search?category=plumbing&region=auckland&insured=1');
  await expect(insured).toBeChecked();
  await expect(pill).toBeInViewport({ ratio: 0.9 });
  await page.locator('article').first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/listing\//);
  await page.goBack();
  await expect(insured).toBeChecked();
  await expect(pill).toBeInViewport({ ratio: 0.9 });
});

const map = (page: Page) => page.getByRole('region', { name: /^Map: / });
const pins = (page: Page) => map(page).locator('.leaflet-marker-pane').getByRole('button');

test('the map shows the results of a search, moves by keyboard and searches the visible area @desk @main', async ({ page, baseURL }) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '')) elsewhere.push(request.url());
  });
  await page.goto('/search?q=plumber&where=Auckland');
  await expect(pins(page).first()).toBeVisible();
  await expect(
    map(page)
      .getByText(/^(?:Auckland|Devonport|Takapuna|Manukau|Howick|Waiheke Island)$/)
      .first(),
  ).toBeVisible();
  await expect(map(page).getByRole('link', { name: '© OpenStreetMap contributors' })).toBeVisible();
  await expect(map(page).locator('.leaflet-control-scale-line')).toHaveText(/^\d+ k?m$/);
  await expect(map(page).getByRole('button', { name: 'Search this area' })).toHaveCount(0);

  const one = pins(page).filter({ hasNotText: 'listings' }).filter({ hasNotText: '+' }).first();
  // A city shows only clusters until one zooms in.
  await expect(async () => {
    if ((await one.count()) === 0) await map(page).getByRole('button', { name: 'Zoom in' }).click();
    await expect(one).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(
    pins(page)
      .filter({ hasText: /\$\d|★ \d/ })
      .first(),
  ).toBeVisible();
  await one.focus();
  await page.keyboard.press('Enter');
  const link = map(page).locator('.leaflet-popup').getByRole('link').first();
  const business = await link.textContent();
  await link.click();
  await expect(page).toHaveURL(/\/listing\//);
  await expect(page.locator('main')).toContainText(business ?? '');
  await page.goBack();

  await expect(pins(page).first()).toBeVisible();
  await map(page).locator('.leaflet-container').focus();
  await page.keyboard.press('ArrowDown');
  await map(page).getByRole('button', { name: 'Search this area' }).click();
  await expect(page).toHaveURL(/\/search\?category=plumbing&near=-3\d\.\d\d%2C17\d\.\d\d&km=\d+$/);
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(map(page).getByRole('button', { name: 'Search this area' })).toHaveCount(0);
  // The next search brings its own view again.
  await page.getByRole('link', { name: 'Remove distance' }).click();
  await expect(map(page).locator('.leaflet-control-scale-line')).toHaveText(/^\d+00 km$/);
  expect(elsewhere).toEqual([]);
  await expectAccessible(page);
});

test('what is ticked while the page adds the visitor’s country stays, and is counted @phone', async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/search\.data\?.*country=NZ/, async (route) => {
    await released;
    await route.continue();
  });
  const added = page.waitForRequest(/search\.data\?.*country=NZ/);
  await page.goto('/search?q=Plumbing');
  await added;
  await page.getByRole('button', { name: 'Filters' }).click();
  const verified = page.getByRole('checkbox', { name: /^Verified/ });
  await verified.check();
  release();
  await expect(page).toHaveURL('/search?q=Plumbing&country=NZ');
  await expect(verified).toBeChecked();
  const { totalListings } = await (await page.request.get('/api/search?q=Plumbing&country=NZ&verified=1&limit=1')).json();
  await page.getByRole('button', { name: `Show ${totalListings} listing` }).click();
  await expect(page).toHaveURL('/search?q=Plumbing&country=NZ&verified=1');
});

test('the map loads on a phone once it is chosen, and the choice is stored @phone', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto('/search?category=plumbing&region=auckland');
  await atRest(page);
  expect(requests.filter((path) => /leaflet|search\/places/.test(path))).toEqual([]);
  await page.getByRole('radio', { name: 'Map' }).check();
  await expect(pins(page).first()).toBeVisible();
  await expect(page.getByRole('article').first()).toBeHidden();
  await expectAccessible(page);
  await page.goto('/search?category=roofing&region=auckland');
  await expect(pins(page).first()).toBeVisible();
  await page.getByRole('radio', { name: 'List' }).check();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('a search nearby asks for the position, and says what it shows without one @desk @main', async ({ page, context }) => {
  await page.goto('/search?q=plumber+near+me');
  await expect(page.getByText(/Your browser’s settings do not let this site ask where you are.* Showing /)).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: -36.85, longitude: 174.76 });
  await page.goto('/search?q=plumber+near+me');
  await expect(page).toHaveURL(/\/search\?category=plumbing.*near=-36\.85%2C174\.76/);
  // Listings without a known base have no distance.
  await expect(page.getByRole('article').filter({ hasText: 'km away' }).first()).toBeVisible();
});

test('the front page’s search has room at every width, and the page is at most six screens long on a phone', async ({ page }) => {
  await page.goto('/');
  for (const width of [390, 600, 700, 768, 900, 1023, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const fields = page.locator('main').getByRole('search').getByRole('combobox');
    const widths = await fields.evaluateAll((all) => all.map((field) => field.getBoundingClientRect().width));
    expect(Math.min(...widths), `${width} px`).toBeGreaterThanOrEqual(200);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  // The footer has its styles once it is in view.
  await page.keyboard.press('End');
  await expect(page.getByRole('contentinfo')).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(6 * 844);
});

test('typing on the front page suggests trades and suburbs within 300 ms @desk', async ({ page }) => {
  await page.goto('/');
  const form = page.locator('main').getByRole('search');
  for (const [label, text, suggested] of [
    ['What do you need?', 'spark', 'Electricians'],
    ['Where?', 'ponson', 'Ponsonby'],
  ] as const) {
    const field = form.getByLabel(label);
    await expect(field).toHaveRole('combobox');
    // The best of five, because other journeys use the machine meanwhile.
    let best = Infinity;
    for (let turn = 0; turn < 5; turn += 1) {
      await field.fill('');
      await expect(form.getByRole('option', { name: new RegExp(`^${suggested}`) })).toHaveCount(0);
      const start = Date.now();
      await field.pressSequentially(text);
      await expect(form.getByRole('option', { name: new RegExp(`^${suggested}`) }).first()).toBeVisible({ timeout: 5_000 });
      best = Math.min(best, Date.now() - start);
    }
    console.log(`suggestions for "${text}": ${best} ms`);
    expect(best).toBeLessThanOrEqual(300);
  }
});
