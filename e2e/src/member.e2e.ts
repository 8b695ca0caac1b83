import { atRest, expect, expectNoSidewaysScroll, forgetMember, freshName, delayScripts, signIn, test } from './journey.ts';

test('a visitor signs up with a friend’s code, opens a listing from a search and comes back to the same place @main', async ({ page }) => {
  const name = freshName();
  await page.goto('/auth/register?ref=REF-DEM-1001');
  await expect(page.getByLabel(/Referral code/)).toHaveValue('REF-DEM-1001');
  await expect(page.getByText("Valid code! You'll receive 1 draw ticket.")).toBeVisible();
  await page.getByLabel('Full name').fill('Aroha Ngata');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/auth/signup-success');
  await expect(page.getByText(/^REF-[A-Z]{3}-\d{4,}$/).first()).toBeVisible();

  await page.goto('/home');
  await page.getByPlaceholder('Search by listing title or #ID...').fill('repairs');
  await page.getByPlaceholder('Search by listing title or #ID...').press('Enter');
  await expect(page).toHaveURL(/\/search\?q=repairs&country=NZ$/);
  await expect(page.getByText(/of [\d,]+ Active Listings/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('repairs');

  await atRest(page);
  const card = page.getByRole('article').nth(9);
  await card.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await card.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/listing\//);
  // The search stays until the listing has come.
  await expect(page.getByRole('button', { name: 'Message the seller' }).filter({ visible: true }).first()).toBeVisible();
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await page.goBack();
  await expect(page).toHaveURL(/\/search\?q=repairs&country=NZ$/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before - 60);
  await expect(page.getByRole('article').nth(9)).toContainText(title);
});

test('filters are in the address, so that reload and back restore them @main', async ({ page, isMobile }) => {
  await signIn(page);
  await page.goto('/home');
  const filters = page.getByRole('region', { name: 'Order and filters' });
  const field = (name: string) => filters.getByRole('combobox', { name });
  const choose = async (label: string, option: string) => {
    const before = page.url();
    await field(label).focus();
    await field(label).selectOption({ label: option });
    // On wide screens each choice applies at once, and the fields stay open.
    if (!isMobile) await expect(page).not.toHaveURL(before);
    await expect(field(label)).toHaveValue(/./);
    // The first choice leads from the members' home to the search, which takes the focus once it is there.
    if (label === 'Country' && !isMobile) await expect(field(label)).not.toBeFocused();
    else await expect(field(label)).toBeFocused();
  };
  if (isMobile) await page.getByRole('button', { name: 'Filters' }).click();
  await filters.getByText('Location', { exact: true }).click();
  await expect(field('Region')).toBeDisabled();
  await choose('Country', 'New Zealand');
  await choose('Region', 'Waikato');
  await choose('District or city', 'Taupō');
  if (isMobile) await page.getByRole('button', { name: /^Show \d+ listing/ }).click();
  // The number is not compared, because other journeys publish in Taupō meanwhile.
  const expectTaupoOnly = async () => {
    await expect(page).toHaveURL('/search?region=waikato&district=taupo');
    await expect(page.getByRole('article').filter({ hasNotText: 'Taupō' })).toHaveCount(0);
    await expect(page.getByRole('article').first()).toContainText('Taupō');
  };
  await expectTaupoOnly();
  await page.reload();
  await expectTaupoOnly();
  await page.getByRole('link', { name: 'Clear all filters' }).click();
  await expect(page).toHaveURL('/search');
  await expect(page.getByRole('article').filter({ hasNotText: 'Taupō' })).not.toHaveCount(0);
  await page.goBack();
  await expectTaupoOnly();
});

test('a search corrects a typo, takes digits for a listing number, and says when nothing was found @desk', async ({ page }) => {
  await signIn(page);
  // An old URL of the members' search.
  await page.goto('/home?title=plubmer');
  // Of this browser's country, once the page has started.
  await expect(page).toHaveURL(/\/search\?q=plubmer(&country=NZ)?$/);
  await expect(page.getByRole('article').first()).toBeVisible();
  const number =
    /#(\d+)/.exec((await (await page.request.get('/api/listing/all?limit=1')).text()).replace(/.*"listingNumber":(\d+).*/, '#$1'))?.[1] ??
    '';
  const search = page.getByPlaceholder('Search by listing title or #ID...');
  await search.fill(number);
  await search.press('Enter');
  await expect(page).toHaveURL(`/search?q=%23${number}`);
  await expect(page.getByRole('article')).toHaveCount(1);
  await search.fill('xylophone zzz');
  await search.press('Enter');
  await expect(page.getByText('No listings found')).toBeVisible();
  await page.getByRole('link', { name: 'Clear all filters' }).last().click();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('the category carousel and panel choose a category, and choosing it again clears it', async ({ page, isMobile }) => {
  await signIn(page);
  await page.goto('/home');
  const plumbing = page.locator('main').getByRole('button', { name: 'Plumbing', exact: true }).first();
  await plumbing.click();
  await expect(page).toHaveURL('/search?category=plumbing');
  // The address changes before the page, and a press on the home page's carousel would choose the category again.
  if (!isMobile) await expect(plumbing).toHaveAttribute('aria-pressed', 'true');
  await (isMobile ? page.getByRole('link', { name: 'Remove category Plumbing' }) : plumbing).click();
  await expect(page).toHaveURL('/search');
  await page.getByRole('button', { name: 'Browse marketplace' }).click();
  await page.getByPlaceholder('Filter categories...').fill('zzz');
  await expect(page.getByText('No categories found matching "zzz"')).toBeVisible();
  await page.getByPlaceholder('Filter categories...').fill('ROOF');
  await page.locator('#search-categories').getByRole('button', { name: 'Roofing' }).click();
  await expect(page).toHaveURL('/search?category=roofing');
});

test('a long list has page links with ellipses, and page two repeats no listing @phone', async ({ page }) => {
  await signIn(page);
  await page.goto('/home');
  const pages = page.getByRole('navigation', { name: /pages/i });
  await expect(pages).toContainText('…');
  const listings = () =>
    page
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => /\/listing\/([\da-f-]{36})/.exec(one.innerHTML)?.[1] ?? 'an article without a listing'));
  const first = await listings();
  await pages
    .getByRole('link', { name: '2', exact: true })
    .or(pages.getByRole('link', { name: /page 2$/i }))
    .first()
    .click();
  await expect(page).toHaveURL(/page=2/);
  // The previous list stays until the new one has loaded.
  await expect.poll(async () => (await listings())[0]).not.toBe(first[0]);
  expect(new Set([...first, ...(await listings())]).size).toBe(2 * first.length);
});

test('forms say what is missing or rejected, and keep the typed text @desk', async ({ page }) => {
  await page.goto('/auth/register');
  await page.getByRole('button', { name: 'Create account' }).click();
  for (const text of ['Name is required', 'Username is required', 'Email is required', 'Password is required'])
    await expect(page.getByText(text).first()).toBeVisible();
  await page.goto('/auth/login');
  await page.getByRole('textbox', { name: 'Email' }).fill('buyer@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not-the-one');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Email or password is incorrect.' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('buyer@example.com');
});

test('a form sent before its scripts have loaded waits for them @phone', async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto('/auth/login', { waitUntil: 'domcontentloaded' });
  await page.getByRole('textbox', { name: 'Email' }).fill('buyer@example.com');
  await page.getByLabel('Password', { exact: true }).fill('demo-buyer-1');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  release();
  await expect(page).toHaveURL('/home');
});

test('a guarded page sends to sign-in and back, and never to another origin @desk @main', async ({ page }) => {
  for (const [from, to] of [
    ['/referral', '/referral'],
    ['//evil.example', '/home'],
    ['https://evil.example', '/home'],
    ['/\\evil.example', '/home'],
  ] as const) {
    if (from === to) await page.goto(from);
    else await page.goto(`/auth/login?redirect=${encodeURIComponent(from)}`);
    if (from === to) await expect(page).toHaveURL(`/auth/login?redirect=${from}`);
    await page.getByRole('textbox', { name: 'Email' }).fill('buyer@example.com');
    await page.getByLabel('Password', { exact: true }).fill('demo-buyer-1');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(to);
    await forgetMember(page);
  }
});

test('the administration sends visitors to sign in and back, turns members away and lets administrators in @phone @main', async ({
  page,
}) => {
  // The page says that it loads until the sign-in is there.
  let load: () => void = () => undefined;
  const loads = new Promise<void>((resolve) => (load = resolve));
  await page.route(/\/assets\/login-[^/]*\.js$/, (route) => void loads.then(() => route.continue()));
  const asked = page.waitForRequest(/\/assets\/login-[^/]*\.js$/);
  await page.goto('/admin/draw-management');
  await asked;
  await expect(page.getByRole('main').getByRole('status')).toBeVisible();
  load();
  await expect(page).toHaveURL('/auth/login?redirect=/admin/draw-management');
  await page.getByRole('textbox', { name: 'Email' }).fill('buyer@example.com');
  await page.getByLabel('Password', { exact: true }).fill('demo-buyer-1');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('status').getByText('Unauthorized access')).toBeVisible();
  // Signed-in users see the search instead of the front page.
  await expect(page).toHaveURL('/home');

  // Someone whose role was taken away elsewhere still has it in the browser.
  const demote = () => localStorage.setItem('user', JSON.stringify({ ...JSON.parse(localStorage.getItem('user') ?? '{}'), role: 'admin' }));
  for (const path of ['/admin', '/admin/draw-management', '/admin/payments']) {
    await page.evaluate(demote);
    await page.goto(path);
    await expect(page.getByRole('status').getByText('Unauthorized access')).toBeVisible();
    await expect(page).toHaveURL('/home');
    await expect(page.getByText('Something went wrong')).toBeHidden();
  }

  await forgetMember(page);
  await page.goto('/auth/login?redirect=/admin/draw-management');
  await page.getByRole('textbox', { name: 'Email' }).fill('admin@example.com');
  await page.getByLabel('Password', { exact: true }).fill('demo-admin-1');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/admin/draw-management');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Draw management');
  await expect(page.getByText('Unauthorized access')).toBeHidden();

  // The number loaded separately comes last, so that no tile moves under a press.
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/admin/referrals?*', (route) => void held.then(() => route.continue()));
  let show: () => void = () => undefined;
  const shows = new Promise<void>((resolve) => (show = resolve));
  await page.route('**/api/admin/overview', (route) => void shows.then(() => route.continue()));
  await page.goto('/admin');
  // In the shape of what comes.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Administration');
  await expect(page.getByRole('main').getByRole('status').first()).toBeAttached();
  await expect(page.getByRole('main').locator('.spinner')).toHaveCount(0);
  show();
  const tile = (name: string) => page.getByRole('link', { name });
  const places = () =>
    Promise.all([tile('Open disputes'), page.getByRole('heading', { name: 'Head of the audit log' })].map((part) => part.boundingBox()));
  await expect(tile('Held referrals')).toHaveText('–Not known yet: Held referrals');
  const before = await places();
  answer();
  await expect(tile('Held referrals')).toHaveText(/^\d+Held referrals$/);
  expect(await places()).toEqual(before);
});

test('the front page sends a member home, and logging out ends the session', async ({ page, isMobile }) => {
  const user = await signIn(page);
  await page.goto('/');
  await expect(page).toHaveURL('/home');
  // Open requests would be rejected after the session has ended, and log an error.
  await atRest(page);
  await page
    .getByRole('button', { name: isMobile ? /menu/i : new RegExp(user.name) })
    .first()
    .click();
  await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).click();
  await expect(
    page
      .getByRole('link', { name: /^(Sign In|Login)$/ })
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  const answer = await page.request.get('/api/auth/session', { headers: { authorization: `Bearer ${user.token}` } });
  expect(answer.status()).toBe(401);
});

test('a long word, a short name and no pictures do not break the list @desk', async ({ page }) => {
  await signIn(page);
  await page.route('**/api/search', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const [index, listing] of body.listings.entries()) {
      if (index % 3 === 0) Object.assign(listing, { cover: null, serviceImages: [] });
      if (index % 3 === 1)
        Object.assign(listing, { serviceTitle: 'Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoron', businessTitle: 'X' });
      if (index % 3 === 2) Object.assign(listing, { serviceTitle: '', serviceDescription: '', location: '' });
    }
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto('/home');
  await expect(page.getByText('Untitled Listing').first()).toBeVisible();
  await expect(page.getByText('No description available').first()).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test('a failing server shows an error, and retrying loads the list @phone', async ({ page }) => {
  await signIn(page);
  let broken = true;
  await page.route('**/api/search', (route) =>
    broken
      ? route.fulfill({ status: 400, json: { message: 'The search is taking a break.', code: 'invalid_input', errors: [] } })
      : route.continue(),
  );
  await page.goto('/home');
  await expect(page.getByText('Something went wrong')).toBeVisible();
  await expect(page.getByText('The search is taking a break.')).toBeVisible();
  broken = false;
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
});
