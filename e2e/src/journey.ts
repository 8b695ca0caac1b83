import { AxeBuilder } from '@axe-core/playwright';
import { faultsOfHtml } from '@handwise/sandbox/testing/valid-html';
import { type Page, type Request, test as base, expect } from '@playwright/test';

/** What the browser complains of besides the answers that a journey provokes itself. */
const isNoise = (text: string) => !/^Failed to load resource: the server responded with a status of 4\d\d/.test(text);

// Of each page, but for the stream of events that members have open as long as they are there.
const underWay = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page) {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/api/events') requests.add(request);
  });
  const ended = (request: Request) => void requests.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
}

/** What a page reads when it opens has come: as the browser's own `networkidle`, which a member's page never reaches. */
export async function atRest(page: Page) {
  await page.waitForLoadState('load');
  let busyUntil = Date.now();
  const restedMs = () => {
    if ((underWay.get(page)?.size ?? 0) > 0) busyUntil = Date.now();
    return Date.now() - busyUntil;
  };
  await expect.poll(restedMs, { intervals: [50], timeout: 30_000 }).toBeGreaterThan(500);
}

/** A test whose page may not complain: an error or a warning on the console, or a broken script, fails it. */
export const test = base.extend<{ quiet: void; provoked: RegExp | null }>({
  /** Complaints that a journey provokes itself. */
  provoked: [null, { option: true }],
  quiet: [
    async ({ page, provoked }, use) => {
      const complaints: string[] = [];
      watchRequests(page);
      const { payments } = await (await page.request.get('/api/config')).json();
      // Cards go from the browser straight to the payment provider, here to its stand-in.
      const own = new Set([new URL(test.info().project.use.baseURL ?? '').origin, new URL(payments.apiBase).origin]);
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && isNoise(message.text()) && !provoked?.test(message.text()))
          complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol.startsWith('http') && !own.has(origin)) complaints.push(`asked another origin: ${request.url()}`);
      });
      await use();
      expect(complaints, 'complaints of the browser').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** A name that nothing before has used: journeys run many times on the same data. */
export const freshName = () => `j${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

/** Signs a member in as the login form would have, without walking through it. */
export async function signIn(page: Page, email = 'buyer@example.com', password = 'demo-buyer-1') {
  const answer = await page.request.post('/api/auth/login', { data: { email, password } });
  expect(answer.ok()).toBe(true);
  const { data } = await answer.json();
  await page.addInitScript((user) => {
    // Once only: a journey may log out.
    if (!sessionStorage.getItem('signed-in')) localStorage.setItem('user', JSON.stringify(user));
    sessionStorage.setItem('signed-in', 'yes');
  }, data);
  return data;
}

/** Holds the page as it stands against WCAG 2.2 A and AA. */
export const expectAccessible = (page: Page) =>
  expectNoViolation(page, axeOf(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']));

/** Holds the document that the browser has by now against the HTML standard. */
export const expectValidHtml = async (page: Page) => expect(await faultsOfHtml(await page.content()), `HTML of ${page.url()}`).toEqual([]);

/** Holds the colours of the page as it stands against WCAG 2.2 AA. */
export const expectContrast = (page: Page) => expectNoViolation(page, axeOf(page).withRules(['color-contrast']));

// What is well need not be told. No page has frames of others, so it is all reckoned within it, without a second page.
const axeOf = (page: Page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();

async function expectNoViolation(page: Page, axe: AxeBuilder) {
  // A colour that is still on its way to another one is neither.
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map((node) => node.target.join(' '))
        .slice(0, 3)
        .join(', ')}`,
  );
  expect(found, `accessibility of ${page.url()}`).toEqual([]);
}

/** No part of the page may stand out to the side. */
export async function expectNoSidewaysScroll(page: Page) {
  const [content, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  expect(content, `width of ${page.url()}`).toBeLessThanOrEqual(room ?? 0);
}

/** Keeps the scripts of the next page from coming until what it resolves to is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/*.js', async (route) => {
    await held;
    // The page may have gone meanwhile.
    await route.continue().catch(() => {});
  });
  return release;
}
