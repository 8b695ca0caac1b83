import { earlyCalls } from '../../web/app/lib/document/early-calls.ts';
import { atRest, expect, signIn, test } from './journey.ts';

test.use({ provoked: /ERR_FAILED/ });

for (const [path, calls] of Object.entries(earlyCalls)) {
  test(`${path} makes its calls before its scripts load, and uses each response @phone`, async ({ page }) => {
    if (path.startsWith('/admin')) await signIn(page, 'admin@example.com', 'demo-admin-1');
    else await signIn(page, 'seller@example.com', 'demo-seller-1');
    const made: string[] = [];
    page.on('response', (response) => {
      if (response.ok() && response.url().includes('/api/')) made.push(response.url().replace(/^.*\/api/, ''));
    });
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(path);
    await expect.poll(() => made.toSorted()).toEqual(calls.toSorted());

    await page.unroute('**/assets/*.js');
    await page.goto(path);
    await atRest(page);
    await expect.poll(() => page.evaluate(() => Object.keys(window.early?.responses ?? { none: '' }))).toEqual([]);
  });
}

test('the members’ home asks for the picture of its first card once, before the page’s own script has loaded @phone', async ({ page }) => {
  await signIn(page, 'seller@example.com', 'demo-seller-1');
  const { listings } = await (await page.request.get('/api/search')).json();
  const { srcSet, avifSrcSet } = listings[0].cover;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/browse-(?!skeleton)/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/home', { waitUntil: 'domcontentloaded' });
  const pictures = () => asked.filter((path) => `${srcSet} ${avifSrcSet}`.includes(`${path} `));
  await expect.poll(pictures).toHaveLength(1);
  release();
  await expect(page.getByRole('article').first().locator('img').first()).toHaveJSProperty('complete', true);
  await atRest(page);
  expect(pictures()).toHaveLength(1);
});
