import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test } from './journey.ts';

/** What people set out to find: the service and the place that the listing must name in the end. */
type Wish = { what: string; where: string; service: string };
const mostPresses = 4;

const plumber: Wish = { what: 'plumber', where: 'Hamilton', service: 'Plumbing' };
const electrician: Wish = { what: 'electrician', where: 'Brisbane', service: 'Electrical & Gas' };

const wishes = [
  ['a plumber in Hamilton', plumber],
  ['an electrician in Brisbane', electrician],
] as const;

/** Presses as a thumb does, and counts how often. */
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

async function expectListing(page: Page, { where, service }: Wish) {
  await expect(page).toHaveURL(/\/listing\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name: 'Business Details' })).toBeVisible();
  await expect(page.locator('main')).toContainText(where);
  await expect(page.locator('main')).toContainText(service);
}

/** `next`: where a thumb goes from the first field, whose suggestions, where there are scripts, cover the second. */
async function findWithThumb(page: Page, wish: Wish, next: 'suggestion' | 'field') {
  const { press, presses } = thumb();
  await page.goto('/');
  const form = page.locator('main').getByRole('search');
  const what = form.getByLabel('What do you need?');
  // What is typed before the scripts are there is not suggested on.
  if (next === 'suggestion') await expect(what).toHaveRole('combobox');
  await press(what);
  await page.keyboard.type(wish.what);
  const where = form.getByLabel('Where?');
  await press(next === 'field' ? where : form.getByRole('option').first());
  await expect(where).toBeFocused();
  await page.keyboard.type(wish.where);
  // The suggestions cover the button: as a thumb would, what is typed is sent from the keyboard.
  await page.keyboard.press('Enter');
  const sent = 1;
  await expect(page).toHaveURL(/\/(search\?|services\/)/);
  await press(page.getByRole('article').first().getByRole('link').first());
  await expectListing(page, wish);
  const all = presses() + sent;
  console.log(`${test.info().title}: ${all} presses`);
  expect(all).toBeLessThanOrEqual(mostPresses);
}

for (const [found, wish] of wishes) {
  test(`a visitor with a phone finds ${found} in at most ${mostPresses} presses @phone`, ({ page }) =>
    findWithThumb(page, wish, 'suggestion'));
}

test.describe('without JavaScript @phone', () => {
  test.use({ javaScriptEnabled: false });
  for (const [found, wish] of wishes) {
    test(`a visitor with a phone finds ${found} in at most ${mostPresses} presses without scripts`, ({ page }) =>
      findWithThumb(page, wish, 'field'));
  }
});

/** Steps through the page by the Tab key until it has come there. */
async function tabTo(page: Page, there: Locator) {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    if (await there.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('the Tab key does not lead there');
}

test('by keyboard alone a visitor chooses a suggestion, searches, finds the words in the header and opens a listing', async ({ page }) => {
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
  await expect(page).toHaveURL(/\/(search\?|services\/)/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Plumbing in Hamilton');
  // What was typed is still there to be changed.
  await expect(page.locator('header').getByLabel('What do you need?')).toHaveValue('Plumbing');
  await expect(page.locator('header').getByLabel('Where?')).toHaveValue('Hamilton');
  await tabTo(page, page.getByRole('article').first().getByRole('link').first());
  await page.keyboard.press('Enter');
  await expectListing(page, plumber);
});

const totalOf = async (page: Page) => Number(((await page.locator('h1 + [role=status]').textContent()) ?? '').replace(/\D/g, ''));

test('what was understood is taken back part by part, each with one press, and comes back by the way back @phone', async ({ page }) => {
  await page.goto('/search?q=drain&where=Hamilton');
  const chips = page.getByRole('region', { name: 'How we read your search' });
  const narrow = await totalOf(page);
  await chips.getByRole('link', { name: 'Remove sub-category' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plumbing in Hamilton, Waikato');
  const wider = await totalOf(page);
  expect(wider).toBeGreaterThan(narrow);
  await chips.getByRole('link', { name: 'Remove place' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plumbing');
  expect(await totalOf(page)).toBeGreaterThan(wider);
  await chips.getByRole('link', { name: 'Remove category' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All services');
  await expect(chips).toHaveCount(0);
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plumbing in Hamilton, Waikato');
  expect(await totalOf(page)).toBe(wider);
});

test('a search that finds nothing has nothing to order or filter, and leads on to one that does in one press @desk', async ({ page }) => {
  await page.goto('/search?q=zzzzqq&where=Hamilton');
  await expect(page.getByRole('heading', { name: 'No listing matches this search' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Order and filters' })).toHaveCount(0);
  const other = page.getByRole('navigation', { name: 'Searches close to this one' }).getByRole('link').first();
  const promised = Number(/([\d,]+) listings?$/.exec((await other.innerText()).trim())?.[1]?.replace(',', ''));
  await other.click();
  await expect(page.getByRole('article').first()).toBeVisible();
  expect(await totalOf(page)).toBe(promised);
});

test('the numbers of the filters come true, and whatever is chosen in the sheet is one step back', async ({ page, isMobile }) => {
  await page.goto('/search?category=plumbing');
  const before = await totalOf(page);
  const heading = page.getByRole('heading', { level: 1 });
  if (isMobile) await page.getByRole('button', { name: 'Order and filters' }).click();
  const rating = page.getByRole('combobox', { name: 'Rating' });
  const choice = rating.getByRole('option', { name: /^4 and up/ });
  const promised = Number(/\(([\d,]+)\)/.exec((await choice.textContent()) ?? '')?.[1]);
  expect(promised).toBeLessThan(before);
  await rating.selectOption('4');
  if (isMobile) {
    await page.getByRole('combobox', { name: 'Order' }).selectOption('newest');
    await expect(page).toHaveURL('/search?category=plumbing');
    await page.getByRole('button', { name: `Show ${promised} listings` }).click();
    await expect(page).toHaveURL('/search?category=plumbing&sort=newest&minRating=4');
  } else {
    await expect(page).toHaveURL('/search?category=plumbing&minRating=4');
  }
  await expect(heading).toBeFocused();
  expect(await totalOf(page)).toBe(promised);
  await page.goBack();
  await expect(page).toHaveURL('/search?category=plumbing');
  await expect.poll(() => totalOf(page)).toBe(before);
});

test('a member reads on /home how their words were understood, and takes it over @desk', async ({ page }) => {
  await signIn(page);
  await page.goto('/home?title=sparky+waikato');
  await page.getByRole('button', { name: /^Electrical & Gas: Electricians in Waikato.*use as filters$/ }).click();
  await expect(page).toHaveURL('/home?category=electrical-gas&subCategory=electricians&country=NZ&region=waikato');
  await expect(page.getByRole('article').first()).toBeVisible();
});
