import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, freshName, signIn, test } from './journey.ts';
import { countTaps, writeToSomebody } from './taps.ts';

// The providers' pages are another site.
test.use({ provoked: /^http:\/\/127\.0\.0\.1:\d+$/ });

/** Somebody at the provider's page whom nobody here knows yet. */
async function chooseSomebody(page: Page, { name, email, hidden = false }: { name: string; email: string; hidden?: boolean }) {
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email', { exact: true }).fill(email);
  if (hidden) await page.getByLabel('Hide my email').check();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a message from a stranger with Google takes 5 taps and one at Google @phone @main', async ({ page }) => {
  const { tap, total } = countTaps();
  await writeToSomebody(page, tap);
  const words = `Our gutter leaks since Monday. ${freshName()}`;
  const message = page.getByLabel(/^Your message to/);
  await tap(message);
  await message.fill(words);
  await tap(page.getByRole('link', { name: 'Continue with Google' }));
  await page.getByRole('button', { name: /, who is new$/ }).tap();
  await expect(page).toHaveURL(/\/messages\/[\w-]+$/);
  await expect(page.getByText(words).last()).toBeVisible();
  expect(total()).toBe(5);
});

test('Apple’s answer comes from another site, with a name and a hidden address, and signs in again without a name', async ({ page }) => {
  const email = `${freshName()}@example.org`;
  await page.goto('/auth/login?redirect=/account/security');
  await page.getByRole('link', { name: 'Continue with Apple' }).click();
  await chooseSomebody(page, { name: 'Wiremu Parata', email, hidden: true });
  await expect(page.getByRole('heading', { name: 'Registration Successful!' })).toBeVisible();
  await expect(page.getByText('please confirm')).toHaveCount(0);
  // Nothing of the sign-in is left in the address.
  expect(new URL(page.url()).hash).toBe('');
  await page.goto('/account/security');
  await expect(page.getByText(/@privaterelay\.appleid\.com, connected on/)).toBeVisible();
  await expect(page.getByText('Your account has no password.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Disconnect Apple' }).click();
  await page.getByRole('button', { name: 'Disconnect it' }).click();
  await expect(page.getByText('This is your only way to sign in.')).toBeVisible();

  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();
  await page.goto('/auth/login');
  await page.getByRole('link', { name: 'Continue with Apple' }).click();
  await page
    .getByRole('button', { name: /^Wiremu Parata, .+privaterelay/ })
    .last()
    .click();
  await expect(page).toHaveURL(/\/home$/);
});

test('somebody without a name is asked for it, by keyboard, and goes back from cancelling to the page they were on', async ({ page }) => {
  await page.goto('/auth/register');
  await page.getByRole('link', { name: 'Continue with Google' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You did not continue with Google. Nothing was changed.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to signing in' }).click();
  await page.getByRole('link', { name: 'Continue with Google' }).click();
  await chooseSomebody(page, { name: '', email: `${freshName()}@example.org` });
  await expect(page.getByLabel('Full name')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('Full name').fill('Isla Nguyen');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Registration Successful!' })).toBeVisible();
});

test('an account with the address is not entered, and a member connects Google and signs in with it', async ({ page }) => {
  await page.goto('/auth/login');
  await page.getByRole('link', { name: 'Continue with Google' }).click();
  await page.getByRole('button', { name: /^Demo buyer/ }).click();
  await expect(page.getByRole('heading', { name: 'You already have an account' })).toBeVisible();
  await expect(page.getByText('We have sent a link to buyer@example.com')).toBeVisible();
  await expectAccessible(page);
  const email = `${freshName()}@example.org`;
  await signIn(page);
  await page.goto('/account/security');
  // A journey before this one may have connected it.
  const disconnect = page.getByRole('button', { name: 'Disconnect Google' });
  await expect(page.getByRole('heading', { name: 'Google and Apple' })).toBeVisible();
  if (await disconnect.isVisible()) {
    await disconnect.click();
    await page.getByRole('button', { name: 'Disconnect it' }).click();
  }
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await chooseSomebody(page, { name: 'Demo Buyer', email });
  await expect(page.getByText(`${email}, connected on`)).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();
  await page.goto('/auth/login?redirect=/account/security');
  await page.getByRole('link', { name: 'Continue with Google' }).click();
  await page.getByRole('button', { name: new RegExp(email) }).click();
  await expect(page.getByText(/, last used /).first()).toBeVisible();
  await page.getByRole('button', { name: 'Disconnect Google' }).click();
  await page.getByRole('button', { name: 'Disconnect it' }).click();
  await expect(page.getByRole('button', { name: 'Connect Google' })).toBeVisible();
});

const sharing = 'Your friend’s referral code counts here too. If you’re new, they’ll see your full name, username and email address.';

/** Signs up at Google with what the page shows; resolves to whether the new account is a referral. The later ones from one network are held. */
async function signUpAtGoogle(page: Page) {
  await page.getByRole('link', { name: 'Continue with Google' }).click();
  await page.getByRole('button', { name: /, who is new$/ }).click();
  await expect(page.getByRole('heading', { name: 'Registration Successful!' })).toBeVisible();
  const { token } = JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '{}');
  const dashboard = await page.request.get('/api/referral/dashboard', { headers: { authorization: `Bearer ${token}` } });
  const { ownReferral } = await dashboard.json();
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  return ownReferral !== null;
}

test('a referral code counts at Google as the page shows it, and the page says first who will see what @desk', async ({ page }) => {
  await page.goto('/auth/register?ref=REF-DEM-1001');
  await expect(page.getByText(sharing)).toBeVisible();
  await expectAccessible(page);
  expect(await signUpAtGoogle(page)).toBe(true);

  // Emptied, and of no use: nobody is told of anything.
  for (const code of ['', 'REF-NOT-0000']) {
    await page.goto('/auth/register?ref=REF-DEM-1001');
    await expect(page.getByLabel('Referral code')).toHaveValue('REF-DEM-1001');
    await page.getByLabel('Referral code').fill(code);
    await expect(page.getByText(sharing)).toBeHidden();
    expect(await signUpAtGoogle(page)).toBe(false);
  }

  await page.goto('/auth/register');
  await expect(page.getByText(sharing)).toBeHidden();
  await page.getByLabel('Referral code').fill('ref dem 1001');
  await expect(page.getByText(sharing)).toBeVisible();
  expect(await signUpAtGoogle(page)).toBe(true);

  // Nothing is promised before the code has been checked, which may take a while on a busy server.
  const check = '**/api/referral/check/*';
  await page.route(check, () => {});
  await page.goto('/auth/register?ref=REF-DEM-1001');
  await expect(page.getByText('Your friend’s referral code counts here too, if it is valid.')).toBeVisible();
  await page.unroute(check);

  // The page for signing in, where somebody new can sign up too.
  await page.goto('/auth/register?ref=REF-DEM-1001');
  await page.getByRole('link', { name: 'Already have an account?' }).click();
  await expect(page.getByText(sharing)).toBeVisible();
  expect(await signUpAtGoogle(page)).toBe(true);
});

test('an address that names no provider says so, and leads back @desk', async ({ page }) => {
  await page.goto('/auth/return#provider=facebook&state=s&code=c');
  await expect(page.getByRole('alert')).toContainText('does not say whether Google or Apple sent you here');
  await page.getByRole('link', { name: 'Back to signing in' }).click();
  await expect(page).toHaveURL(/\/auth\/login/);
});
