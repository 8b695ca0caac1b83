import { join } from 'node:path';
import type { APIRequestContext, Response } from '@playwright/test';
import { budgets, scriptOf } from '../../web/script-budget.ts';
import { atRest, expect, signIn, test } from './journey.ts';

const build = join(import.meta.dirname, '../../web/build');

const own = new Set(['inbox', 'home', 'dashboard', 'own listings', 'administration', 'wizard']);
const addressOf = async (page: string, request: APIRequestContext): Promise<string> => {
  const { listings } = await (await request.get('/api/listing/all?limit=1')).json();
  const { draws } = await (await request.get('/api/draws')).json();
  const { services } = await (await request.get('/api/costs')).json();
  const addresses: Record<string, string> = {
    'front page': '/',
    directory: '/services/plumbing',
    costs: `/costs/${services[0].category.slug}/${services[0].subCategory.slug}`,
    search: '/search?category=plumbing',
    listing: `/listing/${listings[0]._id}`,
    draw: `/draws/${draws.at(-1).period}`,
    inbox: '/messages',
    home: '/home',
    dashboard: '/referral',
    'own listings': '/mylistings/mylistings',
    administration: '/admin',
    wizard: '/addList',
  };
  const address = addresses[page];
  if (!address) throw new Error(`no address for the ${page}`);
  return address;
};

for (const budget of budgets) {
  test(`the ${budget.page} loads no script outside its budget @phone @main`, async ({ page, request }) => {
    const isOwn = own.has(budget.page);
    if (budget.page === 'administration') await signIn(page, 'admin@example.com', 'demo-admin-1');
    else if (isOwn) await signIn(page, 'seller@example.com', 'demo-seller-1');
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        document.documentElement.dataset.refused = `${violatedDirective} ${blockedURI}`;
      });
    });
    const loaded: { path: string; text: Promise<string> }[] = [];
    const note = (response: Response) => {
      if (response.request().resourceType() !== 'script') return;
      loaded.push({ path: new URL(response.url()).pathname, text: response.text() });
    };
    page.on('response', note);
    await page.goto(await addressOf(budget.page, request));
    await atRest(page);
    page.off('response', note);
    const counted = new Set([...scriptOf(budget, build).keys()].map((file) => `/${file}`));
    expect(loaded.map(({ path }) => path).filter((path) => !counted.has(path))).toEqual([]);
    await expect(page.locator('html'), 'tries what the security policy forbids').not.toHaveAttribute('data-refused');
    const texts = await Promise.all(loaded.map(({ text }) => text));
    expect(texts.some((text) => text.includes('hydrateRoot'))).toBe(true);
    // Only forms, members and the draw checker load the schema library, TanStack Query and the verifier, which are recognised by a string
    // in each.
    if (!isOwn) expect(texts.filter((text) => /ZodError|No QueryClient set|bls-unchained/.test(text))).toEqual([]);
  });
}
