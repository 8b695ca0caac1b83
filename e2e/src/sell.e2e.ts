import type { Page } from '@playwright/test';
import {
  allowNotifications,
  countPermissionRequests,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  freshName,
  test,
} from './journey.ts';
import { confirmAddress } from './mailbox.ts';
import {
  buyPlan,
  earnFreeMonth,
  newSeller,
  ownNetwork,
  photoFile,
  publish,
  type Seller,
  comeFromOwnNetwork,
  stateLicence,
} from './selling.ts';

async function expectSound(page: Page) {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const onward = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true }).click();
const photos = (page: Page) => page.getByRole('list', { name: 'Your photos' }).getByRole('listitem');

async function fillBusiness(page: Page, name = 'Walker Plumbing') {
  await page.getByLabel('Business name').fill(name);
  await page.getByLabel('Business email').fill('walker@example.org');
  await page.getByLabel('Country').selectOption('New Zealand');
  await page.getByLabel('Region').selectOption('Waikato');
  await page.getByLabel('District or city').selectOption('Taupō');
  await page.getByRole('textbox', { name: 'Services' }).fill('Leaks, Drains,, leaks');
  await page.getByLabel('About your business').fill('Three plumbers with forty years of experience between them, on time and tidy.');
}

async function fillListing(page: Page, title: string) {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Main category').selectOption('Trade');
  await page.getByLabel('Category', { exact: true }).selectOption('Plumbing');
  await page.getByLabel('Description').fill('Leaks, blocked drains and hot water, day and night, with a fixed price before we start.');
  await stateLicence(page);
}

/** Fills in the wizard up to the payment; returns the listing's title. */
async function walkToPayment(page: Page, plan = 'Basic'): Promise<string> {
  const title = `Plumber ${freshName()}`;
  await page.goto('/addList');
  await fillBusiness(page);
  await onward(page);
  await page.getByRole('radio', { name: plan }).click();
  await fillListing(page, title);
  await onward(page);
  await expect(page.getByRole('heading', { name: 'Summary' })).toBeVisible();
  return title;
}

async function payWith(page: Page, number: string) {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill('1234');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: 'Pay Now' }).click();
}

async function expectPublished(page: Page, title: string) {
  await expect(heading(page, 'Your listing is live')).toBeVisible();
  await expect(page.getByText(`“${title}”`)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('listingFormData'))).toBeNull();
  expect(await page.evaluate(() => localStorage.getItem('listingFormStatus'))).toBe('completed');
}

const quoteRequestPhoto = 'quote photo of this journey';
/** Stores a photo of an unsent quote request as the browser does. */
const storeQuoteRequestPhoto = (page: Page) =>
  page.evaluate(
    (key) =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('handwise', 1);
        request.addEventListener('error', reject);
        request.addEventListener('success', () => {
          const writing = request.result.transaction('files', 'readwrite');
          writing.objectStore('files').put(new File(['x'], 'tap.png'), key);
          writing.addEventListener('complete', resolve);
        });
      }),
    quoteRequestPhoto,
  );
/** The files stored in the browser, by key. */
const listStoredFiles = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<unknown>((resolve, reject) => {
        const request = indexedDB.open('handwise', 1);
        request.addEventListener('error', reject);
        request.addEventListener('success', () => {
          const keys = request.result.transaction('files').objectStore('files').getAllKeys();
          keys.addEventListener('success', () => resolve(keys.result));
        });
      }),
  );

const receipts = async (page: Page, { headers }: Seller) =>
  (await (await page.request.get('/api/receipt/all', { headers })).json()).data as unknown[];

test('a visitor starts a listing, signs up half-way, pays by card, and the search finds the listing @phone @main', async ({ page }) => {
  await allowNotifications(page, null);
  const name = freshName();
  const title = `Drainlayer ${name}`;
  await page.goto('/addList');
  await expect(heading(page, 'Tell us about your business')).toBeVisible();
  await expectSound(page);
  await onward(page);
  const alert = page.getByRole('alert').filter({ hasText: 'Please check the marked fields.' });
  await expect(alert).toBeFocused();
  for (const text of ['Business name', 'Business email', 'Region', 'District']) await expect(alert).toContainText(`${text} is required`);
  await expect(alert).toContainText('Services are required');
  // The country is that of the browser's time zone.
  await expect(page.getByLabel('Country')).toHaveValue('NZ');
  await expect(page.getByLabel('District or city')).toBeDisabled();
  await fillBusiness(page);
  await expect(page.getByRole('list', { name: 'Your services' }).getByRole('listitem')).toHaveText(['leaks', 'Drains']);
  await expect(page.getByText(/^\d+\/500$/)).toBeVisible();
  await page.getByRole('radio', { name: 'Teal' }).check();
  expect(await page.evaluate(() => localStorage.getItem('listingFormData'))).toBeNull();
  await onward(page);

  await expect(heading(page, 'Choose a plan')).toBeFocused();
  await expect(page.getByText('Most Popular')).toBeVisible();
  await expect(page.getByText('NZD / 30 days incl. GST')).toHaveCount(3);
  await expectSound(page);
  await page.getByRole('radio', { name: 'Basic' }).click();

  await expect(heading(page, 'Describe your listing')).toBeFocused();
  await expect(page.getByText('up to 5 photos', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Category', { exact: true })).toBeDisabled();
  // The browser shrinks a photo over 5 MB, and rejects one that it cannot decode.
  const over = (buffer: Buffer) => Buffer.concat([buffer, Buffer.alloc(5 * 1024 * 1024)]);
  const large = { ...(await photoFile('dog.png')), buffer: over((await photoFile('dog.png')).buffer) };
  const huge = { ...(await photoFile('huge.png')), buffer: over((await photoFile('huge.png')).buffer.subarray(0, 5_000)) };
  const gif = { name: 'cat.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1') };
  const cut = { ...(await photoFile('cut.png')), buffer: (await photoFile('cut.png')).buffer.subarray(0, 5_000) };
  const names = ['van.png', 'pipe.png', 'tap.png', 'sink.png', 'tools.png'];
  await page.getByLabel('Choose photos').setInputFiles([...(await Promise.all(names.map(photoFile))), large, huge, gif, cut]);
  await expect(page.getByText("1 file(s) exceed the 5MB size limit and won't be uploaded.")).toBeVisible();
  // Files that the server would reject after the payment are rejected here.
  await expect(page.getByText('“cat.gif” is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.')).toBeVisible();
  await expect(page.getByText('“cut.png” is damaged or incomplete.')).toBeVisible();
  await expect(photos(page)).toHaveCount(6);
  await expect(photos(page).nth(5)).toContainText('Over your plan’s limit');
  await page.getByRole('button', { name: 'Move left: photo 2' }).click();
  await expect(photos(page).first().getByRole('img')).toHaveAttribute('alt', /pipe\.png/);
  await fillListing(page, title);
  await expectSound(page);
  // The optional details are folded, and appear on the listing.
  await page.getByText('What helps people decide').click();
  await page.getByLabel(/^Prices from/).fill('95');
  await page.getByLabel('Price for').selectOption('per hour');
  await page.getByLabel('Monday to Friday, from').fill('07:30');
  await page.getByLabel('Monday to Friday, until').fill('17:00');
  await page.getByRole('button', { name: 'Wed' }).click();
  await page.getByRole('button', { name: 'Sat' }).click();
  await page.getByLabel('Sat, from').fill('09:00');
  await page.getByLabel('Sat, until').fill('12:00');
  await page.getByLabel('I have public liability insurance').check();

  // A reload loses neither typed text nor photos.
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue(title);
  await expect(page.getByLabel('Category', { exact: true })).toHaveValue('Plumbing');
  await expect(photos(page)).toHaveCount(6);
  await expect(photos(page).first().getByRole('img')).toHaveAttribute('alt', /pipe\.png/);
  await storeQuoteRequestPhoto(page);
  expect(await listStoredFiles(page)).toHaveLength(7);
  await onward(page);

  await expect(heading(page, 'Create your account')).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('walker@example.org');
  await expectSound(page);
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().click();
  await expect(page.getByText('you will be redirected back to complete it')).toBeVisible();
  await page.getByRole('link', { name: 'Register now' }).click();
  await page.getByLabel('Full name').fill('Hana Tamihana');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(page).toHaveURL('/addList');
  await expect(heading(page, 'Payment')).toBeVisible();
  await expect(page.getByText('$15.00 NZD').last()).toBeVisible();
  await expect(page.getByText('Includes $1.96 NZD GST (15 %).')).toBeVisible();
  await expect(page.getByText('Plumbing · Taupō › Waikato › New Zealand · 5 photos')).toBeVisible();
  await expect(page.getByLabel('Card number')).toBeVisible();
  await expectSound(page);
  await payWith(page, '4242424242424242');
  await expectPublished(page, title);
  await expect(page.getByRole('button', { name: 'Turn on notifications' })).toBeVisible();
  expect(await countPermissionRequests(page)).toBe(0);
  // The draft's photos are deleted; those of a quote request stay.
  await expect.poll(() => listStoredFiles(page)).toEqual([quoteRequestPhoto]);
  await expectSound(page);

  await page.getByRole('link', { name: 'See your listing' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByText('From $95 per hour.')).toBeVisible();
  for (const hours of ['Mon to Tue, 7:30 am to 5 pm', 'Thu to Fri, 7:30 am to 5 pm', 'Sat, 9 am to 12 pm'])
    await expect(page.getByText(hours)).toBeVisible();
  await page.goto(`/search?q=${name}`);
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('article')).toContainText(title);
});

test('a stored draft that cannot be read in part keeps the rest and says so @phone', async ({ page }) => {
  await page.goto('/addList');
  await page.evaluate(() => {
    const business = { businessName: 'Walker Plumbing', website: 42 };
    localStorage.setItem('listingFormData', JSON.stringify({ submissionId: crypto.randomUUID(), step: 'business', begun: true, business }));
  });
  await page.reload();
  const notice = page.getByText('Part of your draft could not be read');
  await expect(notice).toBeVisible();
  await expect(page.getByLabel('Business name')).toHaveValue('Walker Plumbing');
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(page.getByLabel('Business name')).toHaveValue('');
  await expect(notice).toBeHidden();
});

test('a photo that the server cannot use is left out before the payment, and the others stay @phone', async ({ page }) => {
  await newSeller(page);
  let checks = 0;
  await page.route('**/api/listing/check-photos', async (route) => {
    checks += 1;
    await route.fulfill({ json: { refused: [{ field: 'serviceImages[1]', message: '“pipe.png” is damaged or incomplete.' }] } });
  });
  const title = `Drainlayer ${freshName()}`;
  await page.goto('/addList');
  await fillBusiness(page);
  await onward(page);
  await page.getByRole('radio', { name: 'Basic' }).click();
  await page.getByLabel('Choose photos').setInputFiles(await Promise.all(['van.png', 'pipe.png', 'tap.png'].map(photoFile)));
  await expect(page.getByRole('alert').filter({ hasText: '“pipe.png” is damaged or incomplete.' })).toBeVisible();
  await expect(photos(page)).toHaveCount(2);
  await fillListing(page, title);
  await onward(page);
  await expect(heading(page, 'Payment')).toBeVisible();
  await expect(page.getByText(/ · 2 photos$/)).toBeVisible();
  await payWith(page, '4242424242424242');
  await expectPublished(page, title);
  // Each photo is looked at once.
  expect(checks).toBe(1);
});

test('a declined card shows an error, and another one pays once @desk @main', async ({ page }) => {
  const seller = await newSeller(page);
  const title = await walkToPayment(page);
  await page.getByLabel('Name on card').fill('');
  await page.getByRole('button', { name: 'Pay Now' }).click();
  await expect(page.getByText('Name is required').last()).toBeVisible();
  await page.getByLabel('Name on card').fill('Hemi Walker');
  await page.getByRole('button', { name: 'Pay Now · $15.00 NZD' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Card information is required.' })).toBeFocused();
  await payWith(page, '4000000000000002');
  await expect(
    page.getByRole('alert').filter({ hasText: 'Your card was declined. Nothing was charged. Your listing is kept. Try another card.' }),
  ).toBeFocused();
  await expect(page.getByLabel('Name on card')).toHaveValue('Hemi Walker');
  await payWith(page, '4242424242424242');
  await expectPublished(page, title);
  expect(await receipts(page, seller)).toHaveLength(1);
});

test('a failed bank check can be repeated @phone @main', async ({ page }) => {
  await newSeller(page);
  const title = await walkToPayment(page, 'Premium');
  await payWith(page, '4000002500003155');
  await page.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(page.getByRole('main').getByRole('alert').first()).toBeFocused();
  await page.getByRole('button', { name: 'Pay Now' }).click();
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await expectPublished(page, title);
});

test('a bank’s own page returns to the draft, paid once, also after a reload @desk', async ({ page }) => {
  const seller = await newSeller(page);
  const title = await walkToPayment(page);
  await payWith(page, '4000000000003063');
  await expect(page.getByRole('heading', { name: 'Make-believe Bank' })).toBeVisible();
  // Returning from the bank without an answer shows the listing unchanged and unpaid.
  await page.goto('/addList');
  await expect(page.getByRole('button', { name: 'Pay Now' })).toBeEnabled();
  await payWith(page, '4000000000003063');
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(heading(page, 'Your plan is paid')).toBeVisible();
  await page.reload();
  await expect(heading(page, 'Your plan is paid')).toBeVisible();
  await expectSound(page);
  await page.getByRole('link', { name: 'Create your listing' }).click();
  await expect(page.getByText('Your Basic plan is paid.')).toBeVisible();
  await page.getByRole('button', { name: 'Create Listing' }).click();
  await expectPublished(page, title);
  expect(await receipts(page, seller)).toHaveLength(1);
});

test('with a premium subscription the next listing starts at step 2 and costs nothing @desk', async ({ page }) => {
  const seller = await newSeller(page);
  await buyPlan(page, seller, 'premium');
  await publish(page, seller, 'premium', `Gasfitter ${freshName()}`);
  await page.goto('/addList');
  await expect(heading(page, 'Your plan')).toBeVisible();
  await expect(page.getByText('This listing is covered by your Premium subscription at no cost.')).toBeVisible();
  await expect(page.getByText('room for 4 more listings (1 of 5 used)')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Premium' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Basic' })).toBeDisabled();
  await expectSound(page);
  await onward(page);
  const title = `Second ${freshName()}`;
  await fillListing(page, title);
  await onward(page);
  await expect(page.getByText('There is nothing to pay.')).toBeVisible();
  await expectSound(page);
  // With a subscription, back leads from here to step 1.
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Business name')).toHaveValue('Walker Plumbing');
  await page.goBack();
  await page.getByRole('button', { name: 'Create Listing', exact: true }).click();
  await expectPublished(page, title);
  expect(await receipts(page, seller)).toHaveLength(1);
});

test('a seller without a free slot finds the business filled in @phone', async ({ page }) => {
  const seller = await newSeller(page);
  await buyPlan(page, seller, 'basic');
  await publish(page, seller, 'basic', `Drainlayer ${freshName()}`);
  await page.goto('/addList');
  await expect(heading(page, 'Tell us about your business')).toBeVisible();
  await expect(page.getByLabel('Business name')).toHaveValue('Walker Plumbing');
  await onward(page);
  await expect(heading(page, 'Choose a plan')).toBeVisible();
});

test('a referral code makes the first month free once the address is confirmed, and the wizard waits for it @desk', async ({ page }) => {
  const { user } = await newSeller(page);
  await comeFromOwnNetwork(page);
  const title = await walkToPayment(page);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Please enter a referral code')).toBeVisible();
  await page.getByLabel('Referral code').fill('REF-NOT-0000');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText(/^Error: Invalid referral code/)).toBeVisible();
  const username = freshName();
  const friend = { fullName: 'Mere Kingi', username, email: `${username}@example.org`, password: 'pohutukawa-9' };
  const { data: referrer } = await (await page.request.post('/api/auth/register', { data: friend })).json();
  await page.getByLabel('Referral code').fill(referrer.referralCode);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByLabel('Referral code')).toBeDisabled();
  await expect(page.getByText('$0.00 NZD')).toBeVisible();
  await expectSound(page);
  await expect(page.getByText('Your free month is waiting for you to confirm your email address.')).toBeVisible();
  await expect(page.getByText('the free month also needs a saved card')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create Listing (Free)' }).click();
  await expect(page.getByRole('button', { name: 'Waiting for your confirmation...' })).toBeVisible();
  await confirmAddress(page, user.email);
  await expectPublished(page, title);
});

test('a held code says what it waits for and what is charged, and a listing on a free month offers to save a card @phone', async ({
  page,
}) => {
  const network = ownNetwork();
  const { user } = await newSeller(page);
  const codes: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const username = freshName();
    const data = {
      fullName: 'Mere Kingi',
      username,
      email: `${username}@${username}.example`,
      password: 'pohutukawa-9',
      referralCode: codes.at(-1),
    };
    codes.push((await (await page.request.post('/api/auth/register', { headers: network, data })).json()).data.referralCode);
  }
  await page.route('**/plan-user/use-referral', (route) => route.continue({ headers: { ...route.request().headers(), ...network } }));
  const title = await walkToPayment(page);
  await page.getByLabel('Referral code').fill(codes.at(-1) ?? '');
  await page.getByRole('button', { name: 'Apply' }).click();
  const held = page.getByRole('status').filter({ hasText: 'Your referral code is being checked, so this plan is not free yet.' });
  await expect(held).toContainText('It counts as soon as you pay for a plan with a card that no connected account uses.');
  await expect(held).toContainText('If you pay now, $15.00 NZD is charged.');
  await expect(page.getByText('Referral code applied successfully.')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Pay Now · $15.00 NZD' })).toBeVisible();
  await expectSound(page);

  const administrator = await page.request.post('/api/auth/login', { data: { email: 'admin@example.com', password: 'demo-admin-1' } });
  const headers = { authorization: `Bearer ${(await administrator.json()).data.token}` };
  const { referrals } = await (await page.request.get('/api/admin/referrals?status=held&limit=50', { headers })).json();
  const { _id } = referrals.find((one: { referred: { email: string } }) => one.referred.email === user.email);
  const data = { approve: true, reason: 'You share an office.' };
  expect((await page.request.post(`/api/admin/referrals/${_id}/decide`, { headers, data })).ok()).toBe(true);
  await confirmAddress(page, user.email);
  await page.reload();
  await page.getByRole('button', { name: 'Create Listing (Free)' }).click();
  await expectPublished(page, title);
  await page.getByRole('button', { name: 'Save a card' }).click();
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel('Expiry date').fill('1234');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: 'Save card', exact: true }).click();
  await expect(
    page.getByText('Another account uses this card, so the reward of the person whose code you used is still waiting.'),
  ).toBeVisible();
  await expectSound(page);
});

test('a free month from tickets pays for Premium with a saved card and without a charge @phone', async ({ page }) => {
  const seller = await newSeller(page);
  await confirmAddress(page, seller.user.email);
  await earnFreeMonth(page, seller);
  const title = await walkToPayment(page, 'Premium');
  await expect(page.getByText('Free month, from your referrals')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'A card for your free month' })).toBeVisible();
  await expectSound(page);
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel('Expiry date').fill('1234');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: 'Save card and create listing' }).click();
  await expectPublished(page, title);
  expect(await receipts(page, seller)).toEqual([]);
});

test.describe('', () => {
  test.use({ provoked: /status of 500/ });

  test('a listing that fails after the payment is retried without paying again, also after a reload @desk', async ({ page }) => {
    const seller = await newSeller(page);
    let broken = true;
    await page.route('**/api/listing/create', (route) =>
      broken
        ? route.fulfill({ status: 500, json: { message: 'An unexpected error occurred', code: 'internal', errors: [] } })
        : route.continue(),
    );
    const title = await walkToPayment(page);
    await payWith(page, '4242424242424242');
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to create your listing. Please try again.' })).toBeVisible();
    await expect(page.getByText('Your Basic plan is paid.')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Your Basic plan is paid.')).toBeVisible();
    await expectSound(page);
    const create = page.getByRole('button', { name: 'Create Listing', exact: true });
    await create.click();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to create your listing. Please try again.' })).toBeVisible();
    broken = false;
    await create.click();
    await expectPublished(page, title);
    expect(await receipts(page, seller)).toHaveLength(1);
  });
});

test('a processing payment is awaited, also after a reload, and charged once @phone', async ({ page }) => {
  const seller = await newSeller(page);
  let deciding = true;
  // Faked, because the provider's webhook would settle the payment at once: the bank has not decided yet.
  await page.route('**/api/plan-user/my-subscriptions', (route) =>
    deciding ? route.fulfill({ json: { data: { subscriptions: [], freeFirstMonth: false, credits: [] } } }) : route.continue(),
  );
  await page.route('**/api/plan-user/confirm-payment', (route) =>
    deciding
      ? route.fulfill({
          status: 409,
          json: { message: 'Your bank is still processing this payment.', code: 'payment_processing', errors: [] },
        })
      : route.continue(),
  );
  await walkToPayment(page);
  await payWith(page, '4242424242424242');
  await expect(page.getByText('Your bank is still deciding.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Your bank is still deciding.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pay Now' })).toHaveCount(0);
  deciding = false;
  await expect(page.getByText('Your Basic plan is paid.')).toBeVisible();
  expect(await receipts(page, seller)).toHaveLength(1);
});

test('back leads from the payment to the listing and the plans, also by the browser’s buttons @desk', async ({ page }) => {
  await newSeller(page);
  const title = await walkToPayment(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Title')).toHaveValue(title);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('radio', { name: 'Basic' })).toBeChecked();
  await page.goForward();
  await expect(page.getByLabel('Title')).toHaveValue(title);
  await page.goBack();
  await page.goBack();
  await expect(page.getByLabel('Business name')).toHaveValue('Walker Plumbing');

  await page.getByRole('button', { name: 'Start fresh' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep my draft' }).click();
  await expect(page.getByLabel('Business name')).toHaveValue('Walker Plumbing');
  await page.getByRole('button', { name: 'Start fresh' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start fresh' }).click();
  await expect(page.getByLabel('Business name')).toHaveValue('');
  expect(await page.evaluate(() => localStorage.getItem('listingFormData'))).toBeNull();
});

test('an error with a way back shows if plans cannot be loaded @phone', async ({ page }) => {
  await page.route('**/api/plan/all', (route) =>
    route.fulfill({ status: 400, json: { message: 'The plans are taking a break.', code: 'invalid_input', errors: [] } }),
  );
  await page.goto('/addListing');
  await fillBusiness(page);
  await onward(page);
  await expect(page.getByText('Error loading plans: The plans are taking a break.')).toBeVisible();
  await page.getByRole('button', { name: 'Go Back' }).click();
  await expect(page.getByLabel('Business name')).toHaveValue('Walker Plumbing');
});

test.describe('', () => {
  test.use({ provoked: /ERR_FAILED|dynamically imported module/ });

  test('a retry is offered if the script of a step does not load @phone', async ({ page }) => {
    await page.route('**/assets/plan-step-*.js', (route) => route.abort());
    await page.goto('/addList');
    await fillBusiness(page);
    await onward(page);
    await expect(page.getByText('This step could not be loaded. Nothing you typed is lost.')).toBeVisible();
    await page.unroute('**/assets/plan-step-*.js');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect(page.getByRole('radio', { name: 'Basic' })).toBeVisible();
  });
});

test('the page after a payment is for members only, and leads on @desk', async ({ page }) => {
  await page.goto('/payment-success');
  await expect(page).toHaveURL('/auth/login?redirect=/payment-success');
  await newSeller(page);
  await page.goto('/payment-success');
  await expect(page.getByRole('link', { name: 'Referral Program' }).last()).toBeVisible();
  await expectSound(page);
});
