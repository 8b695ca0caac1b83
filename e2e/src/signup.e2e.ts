import type { Page } from '@playwright/test';
import { delayScripts, expect, expectNoSidewaysScroll, freshName, test } from './journey.ts';

async function signUp(page: Page) {
  const name = freshName();
  await page.getByLabel('Full name').fill('Aroha Ngata');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
  await page.getByRole('button', { name: 'Create account' }).click();
}

test('a visitor who signs up to write a message is led back to the listing by its title @phone', async ({ page }) => {
  await page.goto('/services/plumbing');
  const card = page.getByRole('article').first();
  const title = (await card.getByRole('heading').textContent()) ?? '';
  await card.locator('a[href^="/listing/"]').first().click();
  await expect(page).toHaveURL(/\/listing\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  const address = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'Message the seller' }).filter({ visible: true }).first().click();
  await signUp(page);
  await expect(page).toHaveURL(`/auth/signup-success?redirect=${address}%3Fmessage`);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: `Back to ${title}` }).click();
  await expect(page).toHaveURL(`${address}?message`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
});

test('the page after signing up leads back to the page before, or home @desk', async ({ page }) => {
  await page.goto('/account/receipts');
  await page.getByRole('link', { name: 'Register now' }).click();
  await signUp(page);
  await page.getByRole('link', { name: 'Continue where you left off' }).click();
  await expect(page).toHaveURL('/account/receipts');
  await page.goto('/auth/signup-success?redirect=//evil.example');
  await expect(page.getByRole('link', { name: 'Browse Pros near you' })).toHaveAttribute('href', '/home');
  await expect(page.getByRole('link', { name: 'Continue where you left off' })).toBeHidden();
});

test('an invalid code is rejected at its field, and the account is created once it is corrected @phone @main', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Browse Pros near you' }).click();
  await expect(page).toHaveURL('/auth/login?redirect=/home');
  await page.getByRole('link', { name: 'Create a free account' }).click();
  await page.getByLabel('Referral code').fill('REF-NOT-0000');
  await expect(page.getByRole('status').getByText('Invalid referral code.')).toBeVisible();
  await signUp(page);
  await expect(page.getByRole('alert')).toContainText('Invalid referral code. Correct it, or leave the field empty.');
  // In the summary and at the field.
  await expect(page.getByText('Invalid referral code.')).toHaveCount(2);
  await expect(page).toHaveURL('/auth/register');
  await page.getByLabel('Referral code').fill(' ref dem – 1001');
  await expect(page.getByRole('status').getByText('your first month is free too')).toBeVisible();
  await expect(page.getByLabel('Referral code')).toHaveAccessibleDescription(/They’ll see your full name, username and email address\./);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/auth/signup-success');
});

test('the code of the link does not overwrite a code typed before the script has loaded @desk', async ({ page }) => {
  const { promise: typed, resolve: releaseScript } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await typed;
    await route.continue();
  });
  await page.goto('/auth/register?ref=REF-DEM-1001', { waitUntil: 'commit' });
  await page.getByLabel('Full name').fill('Aroha Ngata');
  await page.getByLabel('Referral code').fill('REF-OWN-9999');
  releaseScript();
  await expect(page.getByRole('status').getByText('Invalid referral code.')).toBeVisible();
  await expect(page.getByLabel('Referral code')).toHaveValue('REF-OWN-9999');
  await expect(page.getByLabel('Full name')).toHaveValue('Aroha Ngata');
  await expect(page.getByLabel('Username')).toHaveValue(/^aroha_n\d{4}$/);
});

test('the code of a followed link is filled in whatever is opened before registering, and used once @phone', async ({ page }) => {
  await page.goto('/auth/register?ref=REF-DEM-1001');
  const code = page.getByLabel('Referral code');
  await expect(code).toHaveValue('REF-DEM-1001');
  await page.getByRole('link', { name: 'Already have an account?' }).click();
  await page.getByRole('link', { name: 'Register now' }).click();
  await expect(page).toHaveURL('/auth/register');
  await expect(code).toHaveValue('REF-DEM-1001');
  await page.goto('/services');
  await page.goto('/auth/register');
  await expect(page.getByText("Valid code! You'll receive 1 draw ticket.")).toBeVisible();
  await signUp(page);
  await expect(page).toHaveURL('/auth/signup-success');
  expect(await page.evaluate(() => localStorage.getItem('linkedReferralCode'))).toBeNull();
});

test('a code with the dashes and full stop of a message is valid @phone', async ({ page }) => {
  await page.goto('/auth/register');
  await page.getByLabel('Referral code').fill('REF\u2013DEM\u20131001.');
  await expect(page.getByText("Valid code! You'll receive 1 draw ticket.")).toBeVisible();
  await signUp(page);
  await expect(page).toHaveURL('/auth/signup-success');
});

test('the badge of a new ticket shows after signing up with a code until the tickets are viewed @phone', async ({ page }) => {
  await page.goto('/auth/register?ref=REF-DEM-1001');
  await expect(page.getByText("Valid code! You'll receive 1 draw ticket.")).toBeVisible();
  await signUp(page);
  await expect(page).toHaveURL('/auth/signup-success');
  await page.goto('/auth/register-success');
  const link = page.getByRole('link', { name: /^See your referrals/ });
  await expect(link).toHaveText(/1 new ticket/);
  await link.click();
  await expect(page).toHaveURL('/referral');
  await expect(page.getByRole('heading', { name: 'Your Draw Entries' })).toBeVisible();
  await page.goBack();
  await expect(link).toHaveText('See your referrals');
});

test('signing out removes the badge and the stored code', async ({ page, isMobile }) => {
  await page.goto('/auth/register?ref=REF-DEM-1001');
  await expect(page.getByText("Valid code! You'll receive 1 draw ticket.")).toBeVisible();
  await signUp(page);
  await expect(page).toHaveURL('/auth/signup-success');
  const storedKeys = () =>
    page.evaluate(() => ['user', 'hasNewReferralTicket', 'userReferralCode'].filter((key) => localStorage.getItem(key) !== null));
  expect(await storedKeys()).toEqual(['user', 'hasNewReferralTicket', 'userReferralCode']);
  await page.getByRole('button', { name: isMobile ? 'Menu' : /Aroha Ngata/ }).click();
  await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).click();
  await expect(page).toHaveURL('/home');
  expect(await storedKeys()).toEqual([]);
});

test('a code is copied if sharing fails, and an error shows if copying fails too @phone', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
    const copied: string[] = [];
    Object.assign(window, { copied });
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text: string) => {
          if (copied.length > 0) throw new Error('refused');
          copied.push(text);
        },
      },
    });
  });
  await page.goto('/auth/register');
  await signUp(page);
  await expect(page).toHaveURL('/auth/signup-success');
  await page.goto('/auth/register-success');
  const code =
    (await page
      .getByText(/^REF-[A-Z]{3}-\d{4,}$/)
      .first()
      .textContent()) ?? '';
  await page.getByRole('button', { name: 'WhatsApp' }).click();
  await expect(page.getByRole('status').getByText('Message copied to clipboard! Paste it to share.')).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { copied: string[] }).copied.join())).toContain(code);
  await page.getByRole('button', { name: 'Facebook' }).click();
  await expect(page.getByRole('status').getByText(`Unable to share. Please copy this code manually: ${code}`)).toBeVisible();
});

test('a name that the browser fills in leaves the username alone while it is typed @phone', async ({ page }) => {
  await page.goto('/auth/register', { waitUntil: 'networkidle' });
  const [name, username] = [page.getByLabel('Full name'), page.getByLabel('Username')];
  await username.focus();
  await name.evaluate((input: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'Aroha Ngata');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect(name).toHaveValue('Aroha Ngata');
  await page.keyboard.insertText('aroha_pro');
  await expect(username).toHaveValue('aroha_pro');
  await name.fill('Hana Tui');
  await expect(username).toHaveValue('aroha_pro');
});

test('a suggested username is selected when its field is visited, and stays as it is from then on @phone', async ({ page }) => {
  await page.goto('/auth/register', { waitUntil: 'networkidle' });
  const [name, username] = [page.getByLabel('Full name'), page.getByLabel('Username')];
  await name.fill('Aroha Ngata');
  await expect(username).toHaveValue(/^aroha_n\d{4}$/);
  await name.fill('Hana Tui');
  await expect(username).toHaveValue(/^hana_t\d{4}$/);
  await username.focus();
  const suggested = await username.inputValue();
  expect(await username.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0))).toBe(
    suggested,
  );
  await name.fill('Mere Kingi');
  await expect(username).toHaveValue(suggested);
  await username.focus();
  await page.keyboard.insertText('mere_pro');
  await expect(username).toHaveValue('mere_pro');
  await username.focus();
  await page.keyboard.press('End');
  await name.focus();
  await username.focus();
  await page.keyboard.insertText('2');
  await expect(username).toHaveValue('mere_pro2');
});

test('a username that is typed while the scripts load is not mixed with a suggestion @phone', async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto('/auth/register', { waitUntil: 'domcontentloaded' });
  await page.getByLabel('Full name').fill('Aroha Ngata');
  const username = page.getByLabel('Username');
  await username.focus();
  release();
  // The page registers it once it is interactive.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await username.pressSequentially('aroha_pro');
  await expect(username).toHaveValue('aroha_pro');
});
