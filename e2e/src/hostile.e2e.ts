import { expect, signIn, test } from './journey.ts';

const attack = '<img src=x onerror="window.harmed=true"><script>window.harmed=true</script>';

test('markup in a listing’s texts is shown as text and runs nothing', async ({ page }) => {
  await signIn(page);
  await page.route('**/api/listing/all*', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const listing of body.listings)
      Object.assign(listing, { serviceTitle: attack, businessTitle: attack, serviceDescription: attack, location: attack });
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto('/home');
  await expect(page.getByRole('article').first()).toContainText('onerror');
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
});

test('markup in an address is shown as text and runs nothing', async ({ page }) => {
  await signIn(page);
  await page.goto(`/home?title=${encodeURIComponent(attack)}`);
  await expect(page.getByText('No listings found')).toBeVisible();
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  const answer = await page.goto(`/services/${encodeURIComponent(attack)}`);
  expect(answer?.status()).toBe(404);
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
});

test.describe('a script that was slipped in', () => {
  test.use({ provoked: /Content Security Policy/ });
  test('is stopped by the page’s policy', async ({ page }) => {
    await page.goto('/');
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.harmed = true';
      document.body.append(script);
      return 'harmed' in window;
    });
    expect(ran).toBe(false);
  });
});
