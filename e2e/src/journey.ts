import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { faultsOfHtml } from '@handwise/sandbox/testing/valid-html';
import { type Page, type Request, test as base, expect } from '@playwright/test';
import type * as Axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { sizes } from './sizes.ts';

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

/** What the site says of payments. A machine that is busy with something else may have no time for it at once. */
export async function paymentsOf(page: Page) {
  let payments = { apiBase: '', publishableKey: '' };
  await expect(async () => {
    const answer = await page.request.get('/api/config');
    expect(answer.status()).toBe(200);
    ({ payments } = await answer.json());
  }).toPass({ timeout: 30_000 });
  return payments;
}

/** A test whose page may not complain: an error or a warning on the console, or a broken script, fails it. */
export const test = base.extend<{ quiet: void; provoked: RegExp | null }>({
  /** Complaints that a journey provokes itself. */
  provoked: [null, { option: true }],
  quiet: [
    async ({ page, provoked }, use) => {
      const complaints: string[] = [];
      watchRequests(page);
      const payments = await paymentsOf(page);
      // Cards go from the browser straight to the payment provider, here to its stand-in.
      const own = new Set([new URL(test.info().project.use.baseURL ?? '').origin, new URL(payments.apiBase).origin]);
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && isNoise(message.text()) && !provoked?.test(message.text()))
          complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol.startsWith('http') && !own.has(origin) && !provoked?.test(origin))
          complaints.push(`asked another origin: ${request.url()}`);
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

/** A journey that walks in one width only (`playwright.config.ts`) holds what it comes by in the other one too. */
export async function inEachWidth(page: Page, hold: () => Promise<void>) {
  await hold();
  if (!test.info().tags.some((tag) => tag === '@desk' || tag === '@phone')) return;
  const own = page.viewportSize() ?? sizes.desk;
  await page.setViewportSize(own.width < 700 ? sizes.desk : sizes.phone);
  await hold();
  await page.setViewportSize(own);
}

/** What a page must keep, in the width and the colours that it has now. */
export const asItStands = {
  /** WCAG 2.2 A and AA. */
  accessible: (page: Page) =>
    expectNoViolation(page, { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
  /** The colours of WCAG 2.2 AA. */
  contrast: (page: Page) => expectNoViolation(page, { type: 'rule', values: ['color-contrast'] }),
  /** No part of the page may stand out to the side. A page whose width has just changed may take a moment to stand. */
  noSidewaysScroll: (page: Page) =>
    expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
        message: `pixels to the side of ${page.url()}`,
      })
      .toBeLessThanOrEqual(0),
};

export const expectAccessible = (page: Page) => inEachWidth(page, () => asItStands.accessible(page));
export const expectContrast = (page: Page) => inEachWidth(page, () => asItStands.contrast(page));
export const expectNoSidewaysScroll = (page: Page) => inEachWidth(page, () => asItStands.noSidewaysScroll(page));

/** Holds the document that the browser has by now against the HTML standard. */
export const expectValidHtml = async (page: Page) => expect(await faultsOfHtml(await page.content()), `HTML of ${page.url()}`).toEqual([]);

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Run without a library of its own around it: no page has frames of others, and reading the script anew for each run took as long as most runs do.
async function expectNoViolation(page: Page, runOnly: RunOptions['runOnly'] & object) {
  // A colour that is still on its way to another one is neither.
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeScript);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    // What is well need not be told.
    const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => {
      const places = nodes.map((node) => {
        // Of a contrast, which colours: what is read and what lies behind it.
        const { fgColor, bgColor } = (node.any[0]?.data ?? {}) as { fgColor?: string; bgColor?: string };
        return `${node.target.join(' ')}${fgColor ? ` (${fgColor} on ${bgColor})` : ''}`;
      });
      return `${id}: ${places.slice(0, 3).join(', ')}`;
    });
  }, runOnly);
  expect(found, `accessibility of ${page.url()}`).toEqual([]);
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
