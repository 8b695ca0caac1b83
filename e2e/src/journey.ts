import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page, type Request, test as base, expect } from '@playwright/test';
import type * as Axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { faultsOfHtml } from '@handwise/sandbox/testing/valid-html';
import { sizes } from './sizes.ts';

/** Answers that a page handles itself. */
const isClientError = (text: string) => /^Failed to load resource: the server responded with a status of 4\d\d/.test(text);

// Requests of each page, without a member's event stream, which stays open.
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

/** Waits until a page has loaded its data, like the browser's `networkidle`, which a member's page never reaches. */
export async function atRest(page: Page) {
  await page.waitForLoadState('load');
  let busyUntil = Date.now();
  const restedMs = () => {
    if ((underWay.get(page)?.size ?? 0) > 0) busyUntil = Date.now();
    return Date.now() - busyUntil;
  };
  await expect.poll(restedMs, { intervals: [50] }).toBeGreaterThan(500);
}

/** The payment settings of the site, retried while the machine is busy. */
export async function listPayments(page: Pick<Page, 'request'>) {
  let payments = { apiBase: '', publishableKey: '' };
  await expect(async () => {
    const answer = await page.request.get('/api/config');
    expect(answer.status()).toBe(200);
    ({ payments } = await answer.json());
  }).toPass();
  return payments;
}

/** A test that fails if its page logs an error or a warning, or a script breaks. */
export const test = base.extend<{ quiet: void; provoked: RegExp | null }>({
  /** Errors that a journey provokes itself. */
  provoked: [null, { option: true }],
  quiet: [
    async ({ page, provoked }, use) => {
      const complaints: string[] = [];
      watchRequests(page);
      const payments = await listPayments(page);
      // Cards go from the browser straight to the payment provider, here to its stand-in.
      const own = new Set([new URL(test.info().project.use.baseURL ?? '').origin, new URL(payments.apiBase).origin]);
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isClientError(message.text()) && !provoked?.test(message.text()))
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

/** A unique name, because journeys run many times on the same data. */
export const freshName = () => `j${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

/** Signs a member in as the login form does, without using it. */
export async function signIn(page: Page, email = 'buyer@example.com', password = 'demo-buyer-1') {
  const answer = await page.request.post('/api/auth/login', { data: { email, password } });
  expect(answer.ok()).toBe(true);
  const { data } = await answer.json();
  await page.addInitScript((user) => {
    // Only once, because a journey may log out.
    if (!sessionStorage.getItem('signed-in')) localStorage.setItem('user', JSON.stringify(user));
    sessionStorage.setItem('signed-in', 'yes');
  }, data);
  return data;
}

/** Forgets the member in this browser: the stored user, and the cookie that would restore the session. */
export async function forgetMember(page: Page) {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.removeItem('user'));
}

/** Stubs notifications, because a browser without a screen has none and the vendor's push service cannot be reached. */
export const allowNotifications = (page: Page, subscription: unknown) =>
  page.addInitScript((subscribed) => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    Notification.requestPermission = async () => {
      sessionStorage.setItem('permission-requests', `${Number(sessionStorage.getItem('permission-requests')) + 1}`);
      return 'granted';
    };
    PushManager.prototype.getSubscription = async () => null;
    PushManager.prototype.subscribe = async () => ({ toJSON: () => subscribed }) as PushSubscription;
  }, subscription);
export const countPermissionRequests = (page: Page) => page.evaluate(() => Number(sessionStorage.getItem('permission-requests')));

/** Checks a page in both widths, for journeys that run in one only (`playwright.config.ts`). */
export async function inEachWidth(page: Page, hold: () => Promise<void>) {
  await hold();
  if (!test.info().tags.some((tag) => tag === '@desk' || tag === '@phone')) return;
  const own = page.viewportSize() ?? sizes.desk;
  await page.setViewportSize(own.width < 700 ? sizes.desk : sizes.phone);
  await hold();
  await page.setViewportSize(own);
}

/** Checks of any page, in its current width and colours. */
export const atThisWidth = {
  /** WCAG 2.2 A and AA. */
  accessible: (page: Page) =>
    expectNoViolation(page, { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
  /** The colours of WCAG 2.2 AA. */
  contrast: (page: Page) => expectNoViolation(page, { type: 'rule', values: ['color-contrast'] }),
  /** No part of the page may overflow sideways; a page whose width has just changed gets a moment to settle. */
  noSidewaysScroll: (page: Page) =>
    expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
        message: `pixels to the side of ${page.url()}`,
      })
      .toBeLessThanOrEqual(0),
};

export const expectAccessible = (page: Page) => inEachWidth(page, () => atThisWidth.accessible(page));
export const expectContrast = (page: Page) => inEachWidth(page, () => atThisWidth.contrast(page));
export const expectNoSidewaysScroll = (page: Page) => inEachWidth(page, () => atThisWidth.noSidewaysScroll(page));

/** Checks the browser's current document against the HTML standard. */
export const expectValidHtml = async (page: Page) => expect(await faultsOfHtml(await page.content()), `HTML of ${page.url()}`).toEqual([]);

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Runs axe directly instead of through its wrapper: no page has other frames, and loading the script again took as long as most runs.
async function expectNoViolation(page: Page, runOnly: RunOptions['runOnly'] & object) {
  // A colour in transition is neither the old nor the new one.
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeScript);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    // A target that is half behind a bar in this scroll position is not too small; it scrolls into view.
    const bars = [...document.body.querySelectorAll<HTMLElement>('*')].filter((one) => getComputedStyle(one).position === 'sticky');
    for (const { style } of bars) Object.assign(style, { position: 'relative', inset: 'auto' });
    // Passed checks are not reported.
    const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
    for (const { style } of bars) Object.assign(style, { position: '', inset: '' });
    return violations.map(({ id, nodes }) => {
      const places = nodes.map((node) => {
        // The colours of a contrast: text and background.
        const { fgColor, bgColor } = (node.any[0]?.data ?? {}) as { fgColor?: string; bgColor?: string };
        return `${node.target.join(' ')}${fgColor ? ` (${fgColor} on ${bgColor})` : ''}`;
      });
      return `${id}: ${places.slice(0, 3).join(', ')}`;
    });
  }, runOnly);
  expect(found, `accessibility of ${page.url()}`).toEqual([]);
}

/** Delays the scripts of the next page until the returned function is called. */
export async function delayScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/*.js', async (route) => {
    await held;
    // The page may have been left meanwhile.
    await route.continue().catch(() => {});
  });
  return release;
}
