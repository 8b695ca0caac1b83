// Measures pages of the demo site with Lighthouse: as visitors and members get them, behind the nginx of `ops/nginx.conf`, on a simulated slow phone
// with an empty cache. Arguments are the number of runs (the median counts, of three by default) and paths; without paths it measures all pages.
// `CPU_SLOWDOWN` is 4 by default, as in Lighthouse, which expects a fast desktop; a slower machine needs less.
// Not a dependency, because it would make the project's packages a third larger.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { printTable } from '../bench/src/load.ts';
import { root } from './install.mjs';
import { freePort, withSite } from './site.mjs';

const version = '13.5.0';
const [times = 3, ...wantedPaths] = process.argv.slice(2).map((text) => (/^\d+$/.test(text) ? Number(text) : text));
const bars = { visitors: { performance: 100, lcpMs: 1500 }, members: { performance: 90, lcpMs: 2500 } };

const { default: lighthouse, defaultConfig } = await import('lighthouse').catch(() => {
  console.error(`Lighthouse is not installed here: npm install --no-save lighthouse@${version}`);
  process.exit(1);
});

const visitors = { sign: null, categories: ['performance', 'accessibility', 'best-practices', 'seo'] };
// Members' pages are not for search engines, so SEO is not measured.
const members = (email, password) => ({ sign: { email, password }, categories: ['performance', 'accessibility', 'best-practices'] });
const buyer = members('buyer@example.com', 'demo-buyer-1');
const seller = members('seller@example.com', 'demo-seller-1');
const admin = members('admin@example.com', 'demo-admin-1');

const proxyPort = await freePort();
const proxyAddress = `https://localhost:${proxyPort}`;
const env = { APP_URL: proxyAddress, TRUST_PROXY: '127.0.0.1' };

const rows = await withSite(async ({ BASE_URL, CHROMIUM_PATH }) => {
  const { listings } = await (await fetch(`${BASE_URL}/api/listing/all?limit=1`)).json();
  const { draws } = await (await fetch(`${BASE_URL}/api/draws`)).json();
  const { services } = await (await fetch(`${BASE_URL}/api/costs`)).json();
  const pages = [
    ['/', visitors],
    ['/services', visitors],
    ['/services/plumbing', visitors],
    ['/services/plumbing/waikato/hamilton', visitors],
    ['/search?category=plumbing', visitors],
    [`/listing/${listings[0]._id}`, visitors],
    [`/draws/${draws.at(-1).period}`, visitors],
    ['/costs', visitors],
    [`/costs/${services[0].category.slug}/${services[0].subCategory.slug}`, visitors],
    ['/home', buyer],
    ['/messages', buyer],
    ['/account', buyer],
    ['/mylistings/mylistings', seller],
    ['/referral-dashboard', seller],
    ['/addList', seller],
    ['/admin', admin],
    ['/admin/funnel', admin],
  ];
  const measured = [];
  const wanted = pages.filter(([path]) => wantedPaths.length === 0 || wantedPaths.includes(path));
  const stopProxy = await startProxy(new URL(BASE_URL).port);
  try {
    for (const [path, kind] of wanted) measured.push(await measure(proxyAddress, path, kind, CHROMIUM_PATH));
  } finally {
    await stopProxy();
  }
  return measured;
}, env);

printTable(
  `pages in Lighthouse ${version}: mobile, simulated, the median of ${times}`,
  ['page', 'performance', 'accessibility', 'best practices', 'SEO', 'LCP ms', 'TBT ms', 'CLS', 'holds'],
  rows,
);

async function measure(base, path, { sign, categories }, executablePath) {
  const folder = mkdtempSync(join(tmpdir(), 'handwise-lighthouse-'));
  // The browser chooses the port and writes it to a file.
  const browser = await chromium.launchPersistentContext(folder, {
    executablePath: executablePath || undefined,
    args: ['--remote-debugging-port=0', '--no-sandbox', '--disable-background-networking', '--ignore-certificate-errors'],
    ignoreHTTPSErrors: true,
  });
  try {
    const [page] = browser.pages();
    await page.goto(`${base}/api/health`);
    if (sign) {
      const answer = await page.request.post(`${base}/api/auth/login`, { data: sign });
      await page.evaluate((user) => localStorage.setItem('user', JSON.stringify(user)), (await answer.json()).data);
    }
    const devtools = await browser.newCDPSession(page);
    const results = [];
    while (results.length < times) {
      await devtools.send('Network.clearBrowserCache');
      const { lhr } = await lighthouse(base + path, {
        port: portOf(folder),
        disableStorageReset: true,
        throttling: { ...defaultConfig.settings.throttling, cpuSlowdownMultiplier: Number(process.env['CPU_SLOWDOWN'] ?? 4) },
        onlyCategories: categories,
        // Members' pages keep a stream open, so they never become quiet.
        maxWaitForLoad: 20_000,
        logLevel: 'error',
      });
      results.push(lhr);
    }
    const median = (read) => results.map(read).toSorted((one, other) => one - other)[Math.floor(times / 2)];
    const score = (name) => (categories.includes(name) ? Math.round(100 * median((lhr) => lhr.categories[name].score)) : null);
    const numeric = (name) => median((lhr) => lhr.audits[name].numericValue);
    const scores = ['performance', 'accessibility', 'best-practices', 'seo'].map(score);
    const lcp = numeric('largest-contentful-paint');
    const bar = sign ? bars.members : bars.visitors;
    // Search results are hidden from search engines on purpose.
    const [performance, accessibility, practices, seo] = scores;
    const isFindable = seo === null || seo === 100 || path.startsWith('/search');
    const passes = performance >= bar.performance && accessibility === 100 && practices === 100 && isFindable && lcp <= bar.lcpMs;
    for (const { id, score, displayValue = '' } of failedOf(results.at(-1))) console.log(`${path}: ${id} ${score} ${displayValue}`);
    return [
      path.replace(/[\da-f-]{36}/, '…') + (sign ? ' (signed in)' : ''),
      ...[...scores, lcp, numeric('total-blocking-time')].map((one) => (one === null ? '–' : one.toFixed(0))),
      numeric('cumulative-layout-shift').toFixed(3),
      passes ? 'yes' : 'no',
    ];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

// Hoisted functions, because the code above runs first.

/** Starts nginx as in production, but on its own port and with its own certificate, cache and log. */
async function startProxy(sitePort) {
  const folder = mkdtempSync(join(tmpdir(), 'handwise-nginx-'));
  const inFolder = (name) => join(folder, name);
  const subject = ['-subj', '/CN=localhost', '-keyout', inFolder('privkey.pem'), '-out', inFolder('fullchain.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject], {
    stdio: 'ignore',
  });
  const site = readFileSync(join(root, 'ops/nginx.conf'), 'utf8')
    .replace(/^server \{\n {4}listen 80;[^}]*\}\n/m, '')
    .replace(/^ *listen \[::\]:443 .*\n/m, '')
    .replace('listen 443 ', `listen 127.0.0.1:${proxyPort} `)
    .replace('server 127.0.0.1:3000 ', `server 127.0.0.1:${sitePort} `)
    .replaceAll(/\/etc\/ssl\/handwise\/|\/var\/(cache|log)\/nginx\//g, `${folder}/`);
  const config = inFolder('nginx.conf');
  writeFileSync(config, `user root;\npid ${inFolder('pid')};\nerror_log stderr;\nevents {}\nhttp {\n${site}}\n`);
  const nginx = spawn('nginx', ['-c', config, '-e', 'stderr', '-g', 'daemon off;'], { stdio: ['ignore', 'inherit', 'inherit'] });
  await once(nginx, 'spawn');
  return async () => {
    nginx.kill('SIGTERM');
    if (nginx.exitCode === null) await once(nginx, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The audits that cost points. */
function failedOf({ categories, audits }) {
  return Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
    .map(({ id }) => audits[id])
    .filter(({ score }) => score !== null && score < 0.9);
}

function portOf(folder) {
  return Number(readFileSync(join(folder, 'DevToolsActivePort'), 'utf8').split('\n')[0]);
}
