import { expect, test } from './journey.ts';

test.describe('how quickly pages appear @desk', () => {
  test('a chosen page view is measured and sent once, when the page is hidden, without a cookie', async ({ page }) => {
    await page.addInitScript(() => {
      // As a visitor's browser. Which page views are measured is random otherwise.
      Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });
      Math.random = () => 0;
      // Kept, because the driver shows no body of a beacon.
      const sent: string[] = [];
      const { sendBeacon } = Navigator.prototype;
      Navigator.prototype.sendBeacon = function (url, body) {
        void (body as Blob).text().then((text) => sent.push(`${String(url)} ${text}`));
        return sendBeacon.call(this, url, body);
      };
      const observed: (string | undefined)[] = [];
      const { observe } = PerformanceObserver.prototype;
      PerformanceObserver.prototype.observe = function (options) {
        observed.push(options?.type);
        observe.call(this, options);
      };
      Object.assign(globalThis, { sent, observed });
    });
    const sent = () => page.evaluate(() => (globalThis as unknown as { sent: string[] }).sent);
    // Slow to come, and the visitor goes on meanwhile.
    const { promise: goneOn, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/assets/vitals-*', async (route) => {
      await goneOn;
      await route.continue();
    });
    await page.goto('/services');
    await page.waitForFunction(() => Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')));
    await page.locator('main a[href="/services/plumbing"]').first().click();
    await expect(page).toHaveURL('/services/plumbing');
    goOn();
    await page.waitForFunction(() => (globalThis as unknown as { observed: string[] }).observed.includes('largest-contentful-paint'));
    // Observers are told in the order in which they began.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          new PerformanceObserver(() => resolve()).observe({ type: 'largest-contentful-paint', buffered: true });
        }),
    );
    // As when the visitor goes to another app.
    const hide = () =>
      page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      });
    // A press settles which part was the largest.
    await page.keyboard.press('Tab');
    await expect(async () => {
      await hide();
      expect(await sent()).toHaveLength(1);
    }).toPass({ timeout: 60_000 });
    await hide();
    const [first, ...others] = await sent();
    expect(others).toEqual([]);
    const [url, text] = first?.split(' ') ?? [];
    const { path, width, vitals } = JSON.parse(text ?? '') as { path: string; width: number; vitals: { name: string; value: number }[] };
    expect([url, path, width]).toEqual(['/api/vitals', '/services', page.viewportSize()?.width]);
    expect(vitals.find(({ name }) => name === 'LCP')?.value).toBeGreaterThan(0);
    expect((await page.request.post('/api/vitals', { data: JSON.parse(text ?? '') as object })).status()).toBe(200);
    expect(await page.context().cookies()).toEqual([]);
  });

  test('the others load nothing for it', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });
      Math.random = () => 0.5;
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/services');
    await page.waitForLoadState('networkidle');
    await page.goto('/terms');
    await page.waitForLoadState('networkidle');
    expect(asked.filter((url) => url.includes('vitals'))).toEqual([]);
    expect(asked.some((url) => url.includes('/assets/'))).toBe(true);
  });
});
