import { expect, expectAccessible, expectContrast, expectNoSidewaysScroll, signIn, test } from './journey.ts';

test('views of visitors appear in the seller’s analytics, and the seller’s own do not @desk', async ({ page, browser, baseURL }) => {
  const seller = await signIn(page, 'seller@example.com', 'demo-seller-1');
  const mine = async (path: string) =>
    (await page.request.get(`/api/listing/${path}`, { headers: { authorization: `Bearer ${seller.token}` } })).json();
  const id = (await mine('mylistings?status=active')).listings[0]._id;
  const today = async () => (await mine(`${id}/figures?days=7`)).days.at(-1);
  const before = await today();

  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`/listing/${id}`);
  await expect(page.getByRole('link', { name: 'Edit your listing' })).toBeVisible();

  await page.goto(`/editListing/${id}`);
  await page.getByLabel('Business phone').fill('021 345 678');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Listing updated successfully')).toBeVisible();

  // A browser that has not visited today.
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.${Date.now() % 1_000_000_000}.0 Safari/537.36`;
  const visitor = await browser.newContext({ userAgent, ...(baseURL && { baseURL }) });
  const visit = await visitor.newPage();
  const answer = visit.waitForResponse((response) => response.url().endsWith(`/api/listing/${id}/view`));
  await visit.goto(`/listing/${id}`);
  expect((await answer).status()).toBe(200);
  await expect(visit.getByText('345 678')).toHaveCount(0);
  expect(await visit.content()).not.toMatch(/345.?678/);
  await visit.getByRole('button', { name: 'Show number' }).click();
  const number = visit.getByRole('link', { name: /^\+64 21 345 678/ });
  await expect(number).toHaveAttribute('href', 'tel:+6421345678');
  await expect(number).toBeFocused();
  await visitor.close();

  await expect(async () => expect((await today()).views).toBe(before.views + 1)).toPass();
  expect((await today()).visitors).toBe(before.visitors + 1);
  expect((await today()).numbersShown).toBe(before.numbersShown + 1);
  expect(requests.filter((url) => url.endsWith('/view'))).toEqual([]);

  await page.goto('/mylistings/mylistings');
  await page
    .getByRole('link', { name: /\d+ views? · / })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'How your listing is going' })).toBeVisible();
  await page.goto(`/mylistings/figures/${id}?days=7`);
  await expect(page.getByRole('img', { name: /views? in 7 days, most on/ })).toBeVisible();
  await page.getByText('Your numbers, as a table').click();
  await expect(page.getByRole('row').nth(1).getByRole('cell').first()).toHaveText((before.views + 1).toLocaleString('en-NZ'));
  await page.getByRole('button', { name: /^Saves/ }).click();
  await expect(page.getByRole('img', { name: /saves? in 7 days/ })).toBeVisible();
  await page.getByRole('link', { name: '90 days' }).click();
  await expect(page.getByRole('img', { name: /saves? in 90 days/ })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(page);
});
