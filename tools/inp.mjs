// Measures how long pages of the demo site take to answer what a person does on a slow phone: the worst interaction of each page by the browser's
// own Event Timing. On each page it taps every button, tick box, step and menu and some links, types into every field, and does the same in the
// menus and dialogs that open. Nothing is stored: writes are answered with 503. Arguments are paths, steps of
// the wizard or persons, such as `/listing/… details seller`; without them it measures all pages.
// `CPU_SLOWDOWN` is 4 by default; a slower machine needs less.
import { chromium, devices } from '@playwright/test';
import { printTable } from '../bench/src/load.ts';
import { pagesOf } from '../e2e/src/pages.ts';
import { storedDrafts } from '../web/app/domains/selling/wizard/stored-drafts.ts';
import { withSite } from './site.mjs';

const barMs = 200;
const mostSteps = 80;
const mostLinks = 3;
const slowdown = Number(process.env.CPU_SLOWDOWN ?? 4);
const wanted = process.argv.slice(2);
const accounts = {
  visitor: null,
  member: { email: 'buyer@example.com', password: 'demo-buyer-1' },
  seller: { email: 'seller@example.com', password: 'demo-seller-1' },
  administrator: { email: 'admin@example.com', password: 'demo-admin-1' },
};

const rows = await withSite(async ({ BASE_URL, CHROMIUM_PATH }) => {
  const read = async (path, token) =>
    (await fetch(`${BASE_URL}/api${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })).json();
  const { listings } = await read('/listing/all?limit=1');
  const { draws } = await read('/draws');
  const [plan] = await read('/plan/all');
  // A draft that is complete up to the payment, so that each step can be opened.
  const draft = { ...storedDrafts['30 November 2026, with after hours'], planId: plan._id, logo: null, photos: [], payment: null };
  const atStep = (step) => ({ path: '/addList', draft: { ...draft, step } });
  const tokenOf = async (account) => (await signIn(BASE_URL, account)).token;
  const [sellerToken, adminToken] = [await tokenOf(accounts.seller), await tokenOf(accounts.administrator)];
  const [first] = (await read('/listing/mylistings', sellerToken)).listings;
  const { conversations } = await read('/messages', await tokenOf(accounts.member));
  const asked = (await read('/messages', sellerToken)).conversations;
  const [payment] = (await read('/admin/payments?status=succeeded', adminToken)).payments;
  const pages = {
    visitor: [
      ...pagesOf.visitor,
      `/listing/${listings[0]._id}`,
      `/draws/${draws.at(-1).period}`,
      ...['plan', 'details', 'sign-in'].map(atStep),
    ],
    member: [...pagesOf.member, `/messages/${conversations[0]._id}`, atStep('payment')],
    seller: [
      '/mylistings/mylistings',
      `/editListing/${first._id}`,
      `/updatePlan/${first._id}`,
      `/mylistings/figures/${first._id}`,
      '/account/payment',
      '/account/billing',
      '/account/receipts',
      `/messages/${asked[0]._id}`,
      `/messages/${asked[0]._id}/quote`,
      '/referral',
    ],
    administrator: [...pagesOf.administrator, `/admin/users/${payment.payer._id}`, `/admin/payments/${payment._id}`],
  };
  const browser = await chromium.launch({
    executablePath: CHROMIUM_PATH || undefined,
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  });
  const measured = [];
  try {
    for (const [person, opened] of Object.entries(pages)) {
      const isWanted = (one) => [nameOf(one.path ?? one), one.draft?.step, person].some((name) => wanted.includes(name));
      const chosen = opened.filter((one) => wanted.length === 0 || isWanted(one));
      if (chosen.length === 0) continue;
      const context = await openContext(browser, BASE_URL, accounts[person]);
      for (const one of chosen) measured.push(await measure(context, one.path ?? one, person, one.draft));
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return measured;
});

printTable(
  `interactions on a phone, slowed down ${slowdown} times (bar ${barMs} ms)`,
  ['page', 'interactions', 'p75 ms', 'worst ms', 'which', 'waiting, scripts, painting', 'holds'],
  rows,
);
if (rows.some((row) => row.at(-1) !== 'yes')) process.exitCode = 1;

// Hoisted functions, because the code above runs first.

/** An address without its id, such as /listing/…. */
function nameOf(path) {
  return path.replace(/[\da-f-]{36}/, '…');
}

async function signIn(base, account) {
  const headers = { 'content-type': 'application/json' };
  return (await (await fetch(`${base}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(account) })).json()).data;
}

async function openContext(browser, baseURL, account) {
  const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7'];
  const context = await browser.newContext({
    userAgent,
    deviceScaleFactor,
    isMobile,
    hasTouch,
    baseURL,
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'block',
    locale: 'en-NZ',
  });
  if (account !== null) {
    const answer = await context.request.post('/api/auth/login', { data: account });
    await context.addInitScript((user) => localStorage.setItem('user', JSON.stringify(user)), (await answer.json()).data);
  }
  await context.addInitScript(watchInteractions);
  await context.route('**/api/**', (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Not stored.' } }),
  );
  return context;
}

/** Runs in the page. */
function watchInteractions() {
  const found = new Map();
  const take = (entries) => {
    for (const entry of entries) {
      if (entry.interactionId === 0) continue;
      const { interactionId, name, duration, startTime, processingStart, processingEnd } = entry;
      if (duration <= (found.get(interactionId)?.duration ?? 0)) continue;
      const parts = [processingStart - startTime, processingEnd - processingStart, startTime + duration - processingEnd];
      found.set(interactionId, { name, duration, parts: parts.map((ms) => Math.max(0, Math.round(ms))) });
    }
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true });
  /** The interactions since the last call, once the page has been quiet for some frames. */
  globalThis.takeInteractions = async () => {
    let quiet = 0;
    let last = performance.now();
    for (const end = last + 5_000; quiet < 8 && last < end;) {
      const now = await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
      quiet = now - last < 60 ? quiet + 1 : 0;
      last = now;
    }
    take(observer.takeRecords());
    const all = [...found.values()];
    found.clear();
    return all;
  };
}

/** Runs in the page: the next thing to touch that is not among `done`, in the topmost dialog or menu if one is open. */
function nextTarget({ done, mostLinks }) {
  const isVisible = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getBoundingClientRect().width > 4;
  const overlays = [...document.querySelectorAll('dialog[open], [role=dialog], [role=menu], [role=listbox], [popover]')].filter(isVisible);
  const scope = overlays.at(-1) ?? document.body;
  const nameOf = (element) => {
    const text =
      element.getAttribute('aria-label') ||
      element.labels?.[0]?.textContent ||
      element.textContent ||
      element.placeholder ||
      element.name ||
      element.id;
    // Many of one kind are touched once.
    return text
      .replaceAll(/[\d.,]+/g, '#')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, 40);
  };
  const fields = 'input:not([type=hidden], [type=file]), textarea, select';
  const buttons = 'button, summary, [role=button], [role=tab], [role=option], [role=menuitem], [role=menuitemradio], [role=switch]';
  let links = done.filter((key) => key.startsWith('link ')).length;
  for (const element of scope.querySelectorAll(`${fields}, ${buttons}, a[href]`)) {
    if (element.disabled || element.getAttribute('aria-disabled') === 'true' || element.closest('[inert], [aria-hidden=true]')) continue;
    const isTick = ['checkbox', 'radio'].includes(element.type);
    const isField = element.matches(fields) && !isTick && !['button', 'submit', 'range', 'color'].includes(element.type);
    const kind =
      element.localName === 'a' ? 'link' : isTick ? 'tick' : element.localName === 'select' ? 'select' : isField ? 'field' : 'button';
    if (kind === 'link' && (element.target === '_blank' || element.hasAttribute('download') || !element.href.startsWith(location.origin)))
      continue;
    const key = `${kind} ${nameOf(element)}`;
    if (done.includes(key)) continue;
    if (/log ?out|sign ?out/i.test(key)) continue;
    if (kind === 'link' && links++ >= mostLinks) continue;
    const touched = isTick ? (element.labels?.[0] ?? element) : element;
    if (!isVisible(touched)) continue;
    const from = scrollY;
    touched.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = touched.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    if (hit === null || !(touched.contains(hit) || hit.contains(touched))) {
      done.push(key);
      continue;
    }
    return { key, kind, x, y, done, hasScrolled: scrollY !== from };
  }
  return { key: null, done, isOverlay: scope !== document.body };
}

/** A row of the table: if the first look misses the bar, the median of three counts. */
async function measure(context, path, person, draft) {
  const label = nameOf(path) + (draft ? `, ${draft.step}` : '') + (person === 'visitor' ? '' : ` (${person})`);
  const looks = [await lookAt(context, path, draft)];
  const ofKey = (key) => looks.flatMap((look) => look.get(key) ?? []).toSorted((one, other) => one.duration - other.duration);
  const median = (key) => ofKey(key)[Math.floor((ofKey(key).length - 1) / 2)];
  const sorted = () => [...looks[0].keys()].toSorted((one, other) => median(other).duration - median(one).duration);
  if (sorted().length > 0 && median(sorted()[0]).duration > barMs)
    for (let more = 0; more < 2; more += 1) looks.push(await lookAt(context, path, draft));
  const missed = sorted().filter((key) => median(key).duration > barMs);
  for (const key of missed)
    console.log(
      `${label}: ${key}: ${ofKey(key)
        .map(({ name, duration, parts }) => `${name} ${duration} (${parts.join(', ')})`)
        .join('; ')}`,
    );
  const [worst] = sorted();
  if (worst === undefined) return [label, 0, '–', '–', '–', '–', 'yes'];
  const { duration, parts } = median(worst);
  const p75 = median(sorted()[Math.floor(looks[0].size / 4)]).duration;
  return [label, looks[0].size, p75, duration, worst, parts.join(', '), missed.length === 0 ? 'yes' : 'no'];
}

/** The slowest answer to each thing that can be touched on a page. */
async function lookAt(context, path, draft) {
  const page = await context.newPage();
  if (draft) await page.addInitScript((text) => localStorage.setItem('listingFormData', text), JSON.stringify(draft));
  const devtools = await context.newCDPSession(page);
  const dismissed = (dialog) => dialog.accept().catch(() => {});
  page.on('dialog', dismissed);
  const open = async () => {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.goto(path, { waitUntil: 'load' });
    await page
      .waitForFunction(() => Object.keys(document.querySelector('main, body') ?? {}).some((key) => key.startsWith('__react')))
      .catch(() => {});
    await page.waitForTimeout(500);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await settled();
  };
  const settled = () => page.evaluate(() => globalThis.takeInteractions()).catch(() => []);
  const act = async ({ kind, x, y }) => {
    await page.touchscreen.tap(x, y);
    if (kind === 'field') await page.keyboard.type('plumb 12', { delay: 70 });
    if (kind === 'select') await page.keyboard.press('ArrowDown');
  };

  await open();
  const start = page.url();
  let done = [];
  const slowest = new Map();
  for (let step = 0; step < mostSteps; step += 1) {
    const target = await page.evaluate(nextTarget, { done, mostLinks }).catch(() => ({ key: null, done, isGone: true }));
    done = target.done;
    if (target.key === null) {
      if (!target.isOverlay && !target.isGone) break;
      // Done with this menu or dialog.
      await page.keyboard.press('Escape');
      await settled();
      const still = await page.evaluate(nextTarget, { done, mostLinks }).catch(() => ({ key: null, isOverlay: true }));
      if (still.key === null && still.isOverlay) await open();
      continue;
    }
    done.push(target.key);
    // People look before they touch.
    if (target.hasScrolled) await settled();
    await act(target);
    for (const one of await settled()) if (one.duration > (slowest.get(target.key)?.duration ?? 0)) slowest.set(target.key, one);
    if (new URL(page.url()).pathname !== new URL(start).pathname) await open();
  }
  await page.close();
  return slowest;
}
