import { expect, test } from './journey.ts';

test.describe('how quickly pages appear @desk', () => {
  // The choice of page views is random otherwise.
  const choose = (share: number) => `Math.random = () => ${share}`;

  test('a chosen page view is measured and sent once, when the page is hidden, without a cookie', async ({ page }) => {
    await page.addInitScript(choose(0));
    const loaded = page.waitForResponse((response) => /\/assets\/vitals-/.test(response.url()));
    await page.goto('/services');
    await (await loaded).finished();
    await page.getByRole('link', { name: 'Plumbing', exact: true }).first().hover();
    await page.keyboard.press('Tab');
    const sent = page.waitForRequest('**/api/vitals');
    // As when the visitor leaves: of a page that is gone, the driver shows no requests.
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    const request = await sent;
    const { path, isPhone, vitals } = request.postDataJSON() as {
      path: string;
      isPhone: boolean;
      vitals: { name: string; value: number }[];
    };
    expect([path, isPhone]).toEqual(['/services', false]);
    expect(vitals.find(({ name }) => name === 'LCP')?.value).toBeGreaterThan(0);
    expect(await page.context().cookies()).toEqual([]);
  });

  test('the others load nothing for it', async ({ page }) => {
    await page.addInitScript(choose(0.5));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/services');
    await page.waitForLoadState('networkidle');
    await page.goto('/terms');
    await page.waitForLoadState('networkidle');
    expect(asked.filter((url) => /vitals/.test(url))).toEqual([]);
    expect(asked.some((url) => url.includes('/assets/'))).toBe(true);
  });
});
