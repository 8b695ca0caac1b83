import { expect, expectAccessible, expectNoSidewaysScroll, freshName, test } from './journey.ts';
import { linkIn } from './mailbox.ts';
import { buyPlan, newSeller, photoFile, publish } from './selling.ts';

test('a visitor registers, confirms the address by email, writes and changes a review, and resets the password @phone @main', async ({
  page,
}) => {
  const name = freshName();
  const email = `${name}@example.org`;
  await page.goto('/auth/register');
  await page.getByLabel('Full name').fill('Aroha Ngata');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText(`We have sent a link to ${email}`)).toBeVisible();

  await page.goto('/services/plumbing');
  const listing = (await page.locator('article a[href^="/listing/"]').first().getAttribute('href')) ?? '';
  await page.goto(listing);
  await page.getByRole('button', { name: 'Write a review' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Submit review' }).click();
  await expect(dialog.getByRole('alert')).toContainText('comment is required');
  await expect(dialog.getByRole('alert')).toContainText('Rating must be at least 1');
  await dialog.getByRole('radio', { name: '4 stars' }).check();
  await dialog.getByLabel('Your review').fill('Came on time and tidied up.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Submit review' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Please confirm your email address first.');

  await page.goto(await linkIn(email, 'Confirm your email address'));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();

  await page.goto(listing);
  await page.getByRole('button', { name: 'Write a review' }).click();
  await dialog.getByRole('radio', { name: '4 stars' }).check();
  await dialog.getByLabel('Your review').fill('Came on time and tidied up.');
  await dialog.getByRole('button', { name: 'Submit review' }).click();
  await expect(dialog.getByText('Review submitted successfully')).toBeVisible();
  await expect(dialog).toBeHidden();
  // The last match, because the listing is an article too and contains its reviews.
  const own = page.getByRole('article').filter({ hasText: 'Came on time and tidied up.' }).last();
  await expect(own).toContainText('Aroha N.');

  await page.getByRole('button', { name: 'Change your review' }).click();
  await expect(dialog.getByRole('heading', { name: 'Change your review' })).toBeVisible();
  await dialog.getByLabel('Your review').fill(`Came on time, tidied up, and rang the next day. ${name}`);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toBeHidden();
  const changed = page.getByRole('article').filter({ hasText: `rang the next day. ${name}` });
  await expect(changed.last()).toContainText('edited');

  await page.getByRole('button', { name: 'Change your review' }).click();
  await dialog.getByRole('button', { name: 'Withdraw review' }).click();
  await dialog.getByRole('button', { name: 'Keep review' }).click();
  await dialog.getByRole('button', { name: 'Withdraw review' }).click();
  await expect(dialog).toContainText('a note in its place says that you withdrew it');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Withdraw review' }).click();
  await expect(dialog.getByText('Your review has been withdrawn')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(changed).toHaveCount(0);
  await expect(page.getByText('Its author withdrew it.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Change your review' }).click();
  await expect(dialog).toContainText('You withdrew this review. Saving it shows it again.');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toBeHidden();
  await expect(changed.last()).toBeVisible();

  await page.goto('/auth/forgot-password');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByText(/a link is on its way there/)).toBeVisible();
  await page.goto(await linkIn(email, 'Choose a new password'));
  await page.getByLabel('New password').fill('kereru-in-the-tree');
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await expect(page).toHaveURL('/home');
});

test('a visitor loads older reviews, filters them by stars and sorts the lowest first @desk', async ({ page }) => {
  // A listing with many different reviews.
  let listing: { _id: string; reviewCount: number; averageRating: number } | undefined;
  for (let at = 1; !listing; at += 1) {
    const { listings } = await (await page.request.get(`/api/listing/all?limit=100&page=${at}`)).json();
    expect(listings).not.toHaveLength(0);
    listing = listings.find((one: typeof listing & object) => one.reviewCount > 20 && one.averageRating < 4.9);
  }
  await page.goto(`/listing/${listing._id}`);
  const reviews = page.locator('#reviews').getByRole('article');
  await expect(reviews).toHaveCount(10);
  const newest = await reviews.allTextContents();
  await page.getByRole('button', { name: 'Show more reviews' }).click();
  await expect(reviews).toHaveCount(20);
  // Older reviews are appended without duplicates.
  const both = await reviews.allTextContents();
  expect(both.slice(0, 10)).toEqual(newest);
  expect(new Set(both).size).toBe(20);

  await page.getByRole('combobox', { name: 'Order' }).selectOption('Lowest rating');
  await expect(reviews).toHaveCount(10);
  const stars = () =>
    reviews.evaluateAll((all) => all.map((one) => Number(/(\d)(?:\.\d)? out of 5/.exec(one.innerHTML)?.[1] ?? Number.NaN)));
  const lowest = await stars();
  expect(lowest).toEqual(lowest.toSorted((a, b) => a - b));
  expect(lowest[0]).toBeLessThan(5);
  await page.getByRole('combobox', { name: 'Stars' }).selectOption('5 stars');
  await expect.poll(async () => new Set(await stars())).toEqual(new Set([5]));
});

test('a review says that its author messaged the business and, once answered, how fast the answer came @phone', async ({
  page,
  browser,
}) => {
  const seller = await newSeller(page);
  await buyPlan(page, seller, 'basic');
  const listingId = await publish(page, seller, 'basic', `Plumber ${freshName()}`);
  const other = await browser.newContext();
  const theirs = await other.newPage();
  const author = await newSeller(theirs);
  await theirs.goto(await linkIn(author.user.email, 'Confirm your email address'));
  await theirs.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(theirs.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();

  await theirs.goto(`/listing/${listingId}`);
  await theirs.getByRole('button', { name: 'Write a review' }).click();
  const dialog = theirs.getByRole('dialog');
  await dialog.getByRole('radio', { name: '5 stars' }).check();
  await dialog.getByLabel('Your review').fill('Fixed the tap in no time.');
  await dialog.getByRole('button', { name: 'Submit review' }).click();
  await expect(dialog).toBeHidden();
  const review = theirs.getByRole('article').filter({ hasText: 'Fixed the tap in no time.' }).last();
  await expect(review).toContainText('No contact through Handwise');

  const response = await theirs.request.post('/api/email/send', {
    headers: author.headers,
    data: { sellerId: seller.user._id, listingId, message: 'Thanks again! Could you look at the shower too?' },
  });
  const { conversationId } = await response.json();
  await theirs.reload();
  await expect(review).toContainText(/Messaged here on \w{3} \d{1,2}, \d{4}, no answer yet/);
  const answered = await page.request.post(`/api/messages/${conversationId}`, {
    headers: seller.headers,
    multipart: { message: 'Sure, on Friday.', clientId: crypto.randomUUID() },
  });
  expect(answered.ok(), await answered.text()).toBe(true);
  // Retried, because the cached page is invalidated shortly after the answer.
  await expect(async () => {
    await theirs.reload();
    await expect(review).toContainText(/Messaged here on \w{3} \d{1,2}, \d{4}, answered in \d+ minutes?/, { timeout: 1_000 });
  }).toPass();
  await expectAccessible(theirs);

  await theirs.getByRole('link', { name: 'How reviews work' }).first().click();
  await expect(theirs.getByRole('heading', { level: 1, name: 'How reviews work' })).toBeVisible();
  const ledger = theirs.getByRole('table');
  await expect(ledger.getByRole('row').nth(1)).toContainText(/^\w+ \d{4}[\d,]+[\d,]+/);
  await expect(ledger.getByRole('row').last()).toContainText('All months');
  await expectNoSidewaysScroll(theirs);
  await expectAccessible(theirs);
  await other.close();
});

test('photos of a review show among those of the listing, as a customer’s, until its author takes them out @phone', async ({
  page,
  browser,
}) => {
  const other = await browser.newContext();
  const seller = await newSeller(await other.newPage());
  await buyPlan({ request: other.request }, seller, 'basic');
  const listingId = await publish({ request: other.request }, seller, 'basic', `Plumber ${freshName()}`);
  await other.close();
  const author = await newSeller(page);
  await page.goto(await linkIn(author.user.email, 'Confirm your email address'));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();

  await page.goto(`/listing/${listingId}`);
  await page.getByRole('button', { name: 'Write a review' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: '5 stars' }).check();
  await dialog.getByLabel('Your review').fill('Fixed the tap in no time.');
  const photos = await Promise.all(['1.png', '2.png', '3.png', '4.png', '5.png', '6.png'].map(photoFile));
  await dialog.locator('input[type=file]').setInputFiles(photos);
  await expect(dialog.getByRole('alert').filter({ hasText: 'A review takes up to 5 photos.' })).toBeVisible();
  for (const name of ['3.png', '4.png', '5.png']) await dialog.getByRole('button', { name: `Remove ${name}` }).click();
  await expect(dialog.getByRole('img')).toHaveCount(2);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Submit review' }).click();
  await expect(dialog.getByText('Review submitted successfully')).toBeVisible();
  await expect(dialog).toBeHidden();

  const gallery = page.getByRole('region', { name: 'Photos' });
  await expect(gallery.getByText('1 / 3')).toBeVisible();
  await expect(gallery.getByText('From a customer')).toHaveCount(0);
  await gallery.getByRole('link', { name: 'Photo 2 of 3' }).click();
  await expect(gallery.getByText('From a customer')).toBeVisible();
  await gallery.getByRole('button', { name: /^Photo 2 of 3: Photo 1 from a customer/ }).click();
  const full = page.getByRole('dialog', { name: /^Photos of / });
  await expect(full.getByText('From a customer')).toBeVisible();
  await page.keyboard.press('Escape');
  const review = page.getByRole('article').filter({ hasText: 'Fixed the tap in no time.' }).last();
  await expect(review.getByRole('link', { name: /^Photo \d from a customer/ })).toHaveCount(2);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByRole('button', { name: 'Change your review' }).click();
  await dialog.getByRole('button', { name: 'Remove Photo 1 from a customer' }).click();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toBeHidden();
  await expect(review.getByRole('link', { name: /^Photo 2 from a customer/ })).toHaveCount(1);
  await expect(gallery.getByText('/ 2')).toBeVisible();
});

test('a category is one click away from its best listings and from how they are ranked @desk', async ({ page }) => {
  await page.goto('/services/plumbing');
  const order = page.getByRole('navigation', { name: 'Order' });
  await expect(order.getByRole('link', { name: 'Featured first' })).toHaveAttribute('aria-current', 'true');
  await order.getByRole('link', { name: 'Best' }).click();
  await expect(page).toHaveURL(/\/services\/plumbing\?sort=best$/);
  await expect(order.getByRole('link', { name: 'Best' })).toHaveAttribute('aria-current', 'true');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'How this is worked out' }).click();
  await expect(page).toHaveURL(/\/reviews-policy#best$/);
  await expect(page.getByRole('heading', { name: 'The order “Best”' })).toBeInViewport();
});
