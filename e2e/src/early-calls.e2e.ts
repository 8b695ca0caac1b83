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
