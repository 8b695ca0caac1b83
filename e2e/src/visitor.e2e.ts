import { atRest, expect, delayScripts, inEachWidth, test } from './journey.ts';

test('a visitor finds a plumber through the directory and reads description and reviews @main', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Need a Home Service? Message Pros for Free');
  await page
    .locator('main')
    .getByRole('link', { name: /^Plumbing/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/services\/plumbing$/);
  await page
    .locator('main')
    .getByRole('link', { name: /^Waikato/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/services\/plumbing\/waikato/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Waikato');
  await page.getByRole('article').first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/listing\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { name: 'Description' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Business Details' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Reviews & Ratings' })).toBeVisible();
});

test('a cached listing shows its opening state in its own time zone, and is shared from one menu @phone', async ({ page, request }) => {
  let perth: { _id: string; serviceTitle: string; hours: { mon?: [string, string] } } | undefined;
  for (let at = 1; at <= 50 && !perth; at += 1) {
    const { listings } = await (await request.get(`/api/listing/all?region=Western Australia&limit=50&page=${at}`)).json();
    if (listings.length === 0) break;
    perth = listings.find(({ hours }: { hours: { mon?: [string, string] } | null }) => hours?.mon?.[1] === '17:00');
  }
  if (!perth) throw new Error('the demo has no listing in Perth that closes at five');
  const url = `/listing/${perth._id}`;
  const open = page.getByRole('main').locator('a[href="#facts-heading"]');
  // 4:30 and 6 pm on a Monday in Perth, evening for the reader in Auckland.
  for (const [now, text] of [
    ['2027-02-01T08:30:00Z', 'Open now, until 5 pm, Perth time'],
    ['2027-02-01T10:00:00Z', /^Closed now, opens .*, Perth time$/],
  ] as const) {
    await page.clock.setFixedTime(now);
    await page.goto(url);
    await expect(open).toHaveText(text);
  }
  // WhatsApp looks like a way to contact the business, so it is in the menu only.
  const share = page.getByRole('link', { name: 'Share on WhatsApp (opens in a new tab)' }).filter({ visible: true });
  await expect(share).toHaveCount(0);
  await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  await page.locator('summary').filter({ hasText: 'Share', visible: true }).click();
  const text = new URL((await share.getAttribute('href')) ?? '').searchParams.get('text');
  expect(text).toBe(`${perth.serviceTitle} ${new URL(url, page.url()).href}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).filter({ visible: true }).click();
  await expect(page.getByText('Link copied to clipboard')).toBeVisible();
  await expect(share).toHaveCount(0);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(new URL(url, page.url()).href);
});

test('messaging asks a visitor to sign in and returns afterwards @desk @main', async ({ page }) => {
  await page.goto('/services/roofing');
  await page.getByRole('article').first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/listing\//);
  const listing = new URL(page.url()).pathname;
  await page
    .getByRole('link', { name: 'Message the seller' })
    .or(page.getByRole('button', { name: 'Message the seller' }))
    .filter({ visible: true })
    .first()
    .click();
  await expect(page).toHaveURL(`/auth/login?redirect=${listing}%3Fmessage`);
  // Strangers come to sign up; members are one press away from signing in.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create an Account');
  await page.getByRole('link', { name: 'Already have an account?' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await page.getByRole('textbox', { name: 'Email' }).fill('buyer@example.com');
  await page.getByLabel('Password', { exact: true }).fill('demo-buyer-1');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`${listing}?message`);
  await page.getByRole('dialog', { name: 'Message the seller' }).getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(listing);
});

test('late scripts move no button of the sign-in and sign-up forms', async ({ page, request }) => {
  const { listings } = await (await request.get('/api/listing/all?limit=100')).json();
  const { _id, businessTitle } = listings.toSorted(
    (a: typeof listings, b: typeof listings) => b.businessTitle.length - a.businessTitle.length,
  )[0];
  await page.addInitScript(() => localStorage.setItem('listingFormData', '{}'));
  for (const [form, button] of [
    ['login', 'Sign in'],
    ['register', 'Create account'],
  ] as const)
    for (const [target, latePart, more] of [
      [`/listing/${_id}?message`, page.getByText(`Your message to ${businessTitle}`), '&sign-in'],
      ['/addList', page.getByText('Your listing is saved.'), ''],
    ] as const) {
      await page.unroute('**/*.js');
      const release = await delayScripts(page);
      await page.goto(`/auth/${form}?redirect=${encodeURIComponent(target)}${more}`, { waitUntil: 'domcontentloaded' });
      const top = () => page.getByRole('button', { name: button, exact: true }).evaluate((it) => it.getBoundingClientRect().top + scrollY);
      // Waits for the font, because it may change line breaks and only scripts are tested here.
      await page.evaluate(async () => void (await document.fonts.ready));
      const before = await top();
      await expect(latePart).toBeHidden();
      release();
      await expect(latePart).toBeVisible();
      await atRest(page);
      expect(await top(), `${form} on the way to ${target}`).toBe(before);
    }
});

test('a message typed before the script has loaded stays @phone', async ({ page, request }) => {
  const { listings } = await (await request.get('/api/listing/all?limit=1')).json();
  const release = await delayScripts(page);
  await page.goto(`/auth/login?redirect=/listing/${listings[0]._id}%3Fmessage`, { waitUntil: 'domcontentloaded' });
  const words = page.getByLabel(/^Your message to/);
  await words.fill('The tap drips.');
  release();
  await expect(page.getByText(`Your message to ${listings[0].businessTitle}`)).toBeVisible();
  await expect(words).toHaveValue('The tap drips.');
  await page.reload();
  await expect(words).toHaveValue('The tap drips.');
});

test('the front page’s street is in the HTML, and is drawn by script after navigation @desk', async ({ page }) => {
  const street = page.locator('#hero-picture > svg');
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(street).toHaveCount(1);
  const drawn = await street.innerHTML();
  await page.goto('/services', { waitUntil: 'networkidle' });
  await page.getByRole('banner').getByRole('link', { name: 'Handwise' }).click();
  await expect(street).toHaveCount(1);
  expect(await street.innerHTML()).toBe(drawn);
});

test('a visitor pages through a service with plain links @phone', async ({ page }) => {
  await page.goto('/services/cleaning');
  const first = await page.getByRole('article').first().textContent();
  await page.getByRole('navigation', { name: /pages/i }).getByRole('link', { name: /next/i }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(page.getByRole('article').first()).not.toHaveText(first ?? '');
  await page.goBack();
  await expect(page.getByRole('article').first()).toHaveText(first ?? '');
});

test('unknown addresses answer with the right status @desk', async ({ page }) => {
  for (const path of [
    '/no-such-page',
    '/services/wizardry',
    '/services/plumbing/atlantis',
    '/services/plumbing?page=9999',
    '/listing/00000000-0000-7000-8000-000000000000',
  ]) {
    const answer = await page.goto(path);
    expect([path, answer?.status()]).toEqual([path, 404]);
    await expect(page.getByRole('link', { name: /home|services|browse/i }).first()).toBeVisible();
  }
});

test.describe('without JavaScript @desk', () => {
  test.use({ javaScriptEnabled: false });
  for (const path of [
    '/',
    '/home',
    '/services',
    '/services/plumbing',
    '/services/plumbing/auckland',
    '/search',
    '/pros',
    '/privacy',
    '/terms',
    '/contact',
    '/help',
    '/how-to-stop',
    '/reviews-policy',
    '/how-we-check',
    '/complaints',
    '/standards',
  ]) {
    test(`${path} can be read`, async ({ page }) => {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(200);
      await inEachWidth(page, async () => {
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        expect((await page.locator('main').innerText()).length).toBeGreaterThan(200);
      });
    });
  }

  test('a listing shows its pictures and reviews @main', async ({ page }) => {
    await page.goto('/services/plumbing');
    await page.getByRole('article').first().getByRole('link').first().click();
    await inEachWidth(page, async () => {
      await expect(page.getByRole('heading', { name: 'Reviews & Ratings' })).toBeVisible();
      await expect(page.locator('main img').first()).toBeVisible();
    });
  });
});

test('pages have canonical addresses, descriptions and structured data @phone', async ({ page }) => {
  await page.goto('/services/plumbing/auckland');
  await expect(page).toHaveTitle(/Plumb.*Auckland/i);
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/services\/plumbing\/auckland$/);
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /.{50,}/);
  await page.getByRole('article').first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/listing\//);
  await page.reload();
  // Crawlers that run scripts read the hydrated page.
  await atRest(page);
  const blocks = await page.locator('script[type="application/ld+json"]').allTextContents();
  const types = blocks
    .flatMap((block) => [JSON.parse(block)].flat())
    .flatMap((one) => one['@graph'] ?? one)
    .map((one) => one['@type']);
  expect(types).toEqual(expect.arrayContaining(['LocalBusiness', 'BreadcrumbList']));
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', /^http/);
});

test('presses and choices made before the scripts have loaded take effect afterwards @phone', async ({ page }) => {
  const { listings } = await (await page.request.get('/api/listing/all?limit=100')).json();
  const listing = listings.find((one: { reviewCount: number }) => one.reviewCount > 20);
  const releaseListing = await delayScripts(page);
  await page.goto(`/listing/${listing._id}`, { waitUntil: 'domcontentloaded' });
  const more = page.getByRole('button', { name: 'Show more reviews' });
  await more.click();
  await more.click();
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  releaseListing();
  await expect(page.locator('#reviews').getByRole('article')).toHaveCount(20);
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.unroute('**/*.js');

  const releaseAgain = await delayScripts(page);
  await page.goto(`/listing/${listing._id}`, { waitUntil: 'domcontentloaded' });
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Lowest rating');
  await page
    .getByRole('button', { name: /Show full screen$/ })
    .first()
    .click();
  releaseAgain();
  await expect(page.getByRole('dialog', { name: /^Photos of/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('lowest');
});

test('the map is remembered, and a filter filters, though chosen before the scripts have loaded @desk', async ({ page }) => {
  const address = '/search?category=plumbing&region=auckland';
  await page.setViewportSize({ width: 390, height: 844 });
  const releaseMap = await delayScripts(page);
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await page.getByRole('radio', { name: 'Map' }).check();
  releaseMap();
  await expect.poll(() => page.evaluate(() => Object.values({ ...localStorage }))).toContain('map');
  await page.unroute('**/*.js');

  await page.setViewportSize({ width: 1280, height: 900 });
  const releaseFilters = await delayScripts(page);
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  const verified = page.getByRole('checkbox', { name: /^Verified/ });
  await verified.check({ force: true });
  releaseFilters();
  await expect(page).toHaveURL(/[?&]verified=1/);
  await expect(verified).toBeChecked();
});
