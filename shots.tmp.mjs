import { chromium } from '@playwright/test';
import sharp from 'sharp';
const base = 'http://localhost:4371';
const width = Number(process.argv[2] ?? 1280), scheme = process.argv[3] ?? 'light';
const pic = (c, w=640,h=480) => sharp({ create: { width: w, height: h, channels: 3, background: c } }).jpeg().toBuffer();
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const ctx = await b.newContext({ viewport: { width, height: width < 500 ? 844 : 800 }, colorScheme: scheme, isMobile: width<500, hasTouch: width<500, locale: 'en-NZ', timezoneId: 'Pacific/Auckland' });
const page = await ctx.newPage();
page.on('console', (m) => ['error','warning'].includes(m.type()) && console.log('CONSOLE', m.text()));
page.on('pageerror', (e) => console.log('PAGEERROR', e));
page.on('response', (r) => r.url().includes('/api/') && r.status() >= 400 && console.log(r.status(), r.request().method(), r.url()));
let n = 0;
const shot = async (name) => { await page.waitForTimeout(400); const s = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]); if (s[0] > s[1]) console.log('SIDEWAYS', name, s); await page.screenshot({ path: `/tmp/hw-wizard/shots/${width}-${scheme}-${String(++n).padStart(2,'0')}-${name}.png`, fullPage: true }); };
const name = 'w' + Date.now().toString(36);
try {
await page.goto(base + '/addList');
await page.getByLabel('Business name').waitFor();
await shot('business-empty');
await page.getByRole('button', { name: 'Continue' }).click();
await shot('business-errors');
await page.getByLabel('Business name').fill('Kererū Plumbing & Gas');
await page.getByLabel('Business email').fill('kereru@example.org');
if (await page.getByLabel('Country').isEnabled()) await page.getByLabel('Country').selectOption({ label: 'New Zealand' });
await page.getByLabel('Region').selectOption({ label: 'Waikato' });
await page.getByLabel('District or city').selectOption({ label: 'Taupō' });
await page.getByLabel('Services').first().fill('Drain cleaning, Hot water, Leaks, Gas fitting');
await page.getByLabel('About your business').fill('Three generations of plumbers around the lake. We come when we say we will and leave the place tidy.');
await shot('business-filled');
await page.getByRole('button', { name: 'Continue' }).click();
await page.getByRole('radio').first().waitFor();
await shot('plan');
await page.getByRole('radio', { name: /Basic/ }).check();
await page.getByLabel('Title').waitFor();
await shot('details-empty');
await page.setInputFiles('input[type=file]', [
 { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await pic('#aa6633') },
 { name: 'b.jpg', mimeType: 'image/jpeg', buffer: await pic('#3366aa') },
 { name: 'c.jpg', mimeType: 'image/jpeg', buffer: await pic('#66aa33') },
 { name: 'd.jpg', mimeType: 'image/jpeg', buffer: await pic('#663399') },
 { name: 'e.jpg', mimeType: 'image/jpeg', buffer: await pic('#996633') },
 { name: 'f.jpg', mimeType: 'image/jpeg', buffer: await pic('#339966') },
 { name: 'big.jpg', mimeType: 'image/jpeg', buffer: Buffer.concat([await pic('#339966'), Buffer.alloc(6*1024*1024)]) },
 { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
]);
await page.getByText('Cover', { exact: true }).waitFor();
await page.getByLabel('Title').fill('Emergency plumbing in Taupō');
await page.getByLabel('Main category').selectOption('trade');
await page.getByLabel('Category', { exact: true }).selectOption('Plumbing');
await page.getByLabel('Description').fill('Burst pipes, blocked drains and hot water, day and night. We call back within ten minutes.');
await shot('details-filled');
await page.getByRole('button', { name: 'Continue' }).click();
await page.getByRole('link', { name: 'Create an account' }).waitFor();
await shot('sign-in');
await page.getByRole('link', { name: 'Create an account' }).click();
await page.getByLabel('Full name').fill('Hana Tamihana');
await page.getByLabel('Username').fill(name);
await page.getByLabel('Email').fill(`${name}@example.org`);
await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
await shot('register');
await page.getByRole('button', { name: 'Create account' }).click();
await page.getByRole('button', { name: 'Pay Now' }).waitFor();
console.log(page.url());
await shot('payment');
await page.getByRole('button', { name: 'Apply' }).click();
await page.getByLabel('Name on card').fill('');
await page.getByRole('button', { name: 'Pay Now' }).click();
await shot('payment-errors');
await page.getByLabel('Name on card').fill('Hana Tamihana');
await page.getByText('Test cards').click();
await page.getByRole('button', { name: /4000 0000 0000 0002/ }).click();
await page.getByRole('button', { name: 'Pay Now' }).click();
await page.getByRole('alert').filter({ hasText: /declined|Payment/ }).first().waitFor();
await shot('payment-declined');
await page.getByRole('button', { name: /4242/ }).click();
await page.route('**/api/listing/create', async (r) => { await new Promise((d) => setTimeout(d, 1500)); await r.continue(); });
await page.getByRole('button', { name: 'Pay Now' }).click();
await page.getByRole('heading', { name: 'Creating Your Listing' }).waitFor();
await shot('creating');
await page.getByRole('heading', { name: 'Your listing is live' }).waitFor();
await shot('done');
await page.getByRole('link', { name: 'See your listing' }).click();
await page.getByRole('heading', { name: 'Description' }).waitFor();
await shot('listing');
} catch (e) { console.log(String(e).slice(0, 1500)); await shot('FAILED'); }
await b.close();
