import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { unzipped } from '@handwise/sandbox/testing/zip';
import { atRest, expect, expectAccessible, freshName, test } from './journey.ts';
import { linkIn } from './mailbox.ts';

/** Registers and signs in a new member without using the forms. */
async function register(page: Page, fullName: string) {
  const username = freshName();
  const form = { fullName, username, email: `${username}@example.org`, password: 'pohutukawa-9' };
  const answer = await page.request.post('/api/auth/register', { data: form });
  expect(answer.ok()).toBe(true);
  const { data } = await answer.json();
  await page.addInitScript((user) => {
    // Only once, so that later changes of the page stay.
    if (!sessionStorage.getItem('signed-in')) localStorage.setItem('user', JSON.stringify(user));
    sessionStorage.setItem('signed-in', 'yes');
  }, data);
  return form;
}

const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64');

test('a member changes name, picture and password, sees what is wrong, and signs in with the new password @phone', async ({ page }) => {
  const { email, username } = await register(page, 'Aroha Ngata');
  await page.goto('/account');
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(username);
  await expect(page.getByText('Please confirm your email address.')).toBeVisible();
  await expectAccessible(page);
  const save = page.getByRole('button', { name: 'Save changes' });

  await save.click();
  await expect(page.getByRole('alert')).toContainText('No changes detected');

  await page.getByLabel('Full name').fill('Aroha Rangi');
  await page.getByLabel('Phone number').fill('12345');
  await save.click();
  await expect(page.getByRole('alert')).toContainText('Phone number must be exactly 10 digits');
  await page.getByLabel('Phone number').fill('021 345 678');
  await save.click();
  await expect(page.getByText('Account updated successfully')).toBeVisible();
  await expect(page.getByText('Account updated successfully')).toBeHidden();

  await page.getByLabel('Choose a picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture });
  await expect(page.getByText('Picture saved')).toBeVisible();
  await expect(page.getByRole('banner').locator('img[src^="/files/avatars/"]').first()).toBeAttached();
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await expect(page.getByText('Picture removed')).toBeVisible();

  const fill = async (current: string, wanted: string, again: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(wanted);
    await page.getByLabel('Confirm new password').fill(again);
    await save.click();
  };
  await fill('pohutukawa-9', 'kowhai-blossom', 'kowhai-flower');
  await expect(page.getByRole('alert')).toContainText('Passwords must match');
  await fill('not-this-one', 'kowhai-blossom', 'kowhai-blossom');
  await expect(page.getByRole('alert')).toContainText('Current password is incorrect');
  await fill('pohutukawa-9', 'kowhai-blossom', 'kowhai-blossom');
  await expect(page.getByText('Account updated successfully')).toBeVisible();
  await expect(page.getByLabel('Current password')).toHaveValue('');

  // This browser's session continues with its new token.
  await page.reload();
  await expect(page.getByLabel('Full name')).toHaveValue('Aroha Rangi');
  await expect(page.getByLabel('Phone number')).toHaveValue('021 345 678');
  const login = (password: string) => page.request.post('/api/auth/login', { data: { email, password } });
  expect((await login('pohutukawa-9')).status()).toBe(401);
  expect((await login('kowhai-blossom')).status()).toBe(200);
});

test('a member with an unconfirmed address moves to a new one by an emailed link and is then no longer asked to confirm @desk', async ({
  page,
}) => {
  const { email, username } = await register(page, 'Hana Parata');
  const wanted = `new-${username}@example.org`;
  await page.goto('/account');
  const banner = page.getByRole('complementary', { name: 'Your email address' });
  await expect(banner).toContainText(email);
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('New email address').fill(wanted);
  await page.getByLabel('Your password').fill('not-this-one');
  await page.getByRole('button', { name: 'Send the link', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Current password is incorrect');
  await page.getByLabel('Your password').fill('pohutukawa-9');
  await page.getByRole('button', { name: 'Send the link', exact: true }).click();
  await expect(page.getByText(`We have sent a link to ${wanted}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Keep my current address' })).toBeVisible();
  await expectAccessible(page);

  await page.goto(await linkIn(wanted, 'Confirm your new email address'));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  await page.goto('/account');
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(wanted);
  await expect(banner).toHaveCount(0);
});

test('a member unsubscribes from a kind of email and subscribes again @phone', async ({ page }) => {
  await register(page, 'Mere Kīngi');
  await page.goto('/account');
  const checkbox = page.getByRole('checkbox', { name: 'Messages that arrive while you’re away' });
  await expect(checkbox).toBeChecked();
  await checkbox.uncheck();
  await expect(page.getByText('Your choice is saved')).toBeVisible();
  await page.reload();
  await expect(checkbox).not.toBeChecked();
  await checkbox.check();
  await expect(page.getByText('Your choice is saved')).toBeVisible();
  await page.reload();
  await expect(checkbox).toBeChecked();
});

test('a member downloads all stored personal data @desk', async ({ page }) => {
  const { email } = await register(page, 'Wiremu Tāmati');
  await page.goto('/account');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download your data' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('my-data.zip');
  const files = unzipped(await readFile(await file.path()));
  expect(JSON.parse(String(files.get('account.json')))).toMatchObject([{ fullName: 'Wiremu Tāmati', email }]);
  expect(JSON.parse(String(files.get('listings.json')))).toEqual([]);
  await expect(page.getByText('Your data has been downloaded')).toBeVisible();
});

test('a member deletes the account after typing a word and the password, and can register again @phone @main', async ({ page }) => {
  const form = await register(page, 'Tāne Parata');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete your account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account for good?' });
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Type DELETE to confirm');
  await expect(dialog.getByRole('alert')).toContainText('Current password is required');
  await dialog.getByLabel('Type DELETE to confirm').fill('delete');
  await dialog.getByLabel('Your password').fill('not-this-one');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Current password is incorrect');
  await expectAccessible(page);
  await dialog.getByLabel('Your password').fill('pohutukawa-9');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByRole('heading', { name: 'Your account has been deleted' })).toBeVisible();
  await expect(
    page
      .getByRole('banner')
      .getByRole('link', { name: /Sign In|Login/ })
      .first(),
  ).toBeVisible();
  await expectAccessible(page);

  const login = await page.request.post('/api/auth/login', { data: { email: form.email, password: form.password } });
  expect(login.status()).toBe(401);
  expect((await page.request.post('/api/auth/register', { data: form })).status()).toBe(201);
});

test('who comes back after the browser has deleted what was stored is still signed in, in every tab; who signed out is not @phone', async ({
  page,
}) => {
  const name = freshName();
  await page.goto('/auth/register');
  await page.getByLabel('Full name').fill('Aroha Ngata');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/auth\/signup-success/);
  await atRest(page);
  const token = () => page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').token as string | undefined);
  const before = await token();
  // As Safari does after seven days.
  await page.evaluate(() => localStorage.clear());
  const second = await page.context().newPage();
  await Promise.all([page.goto('/account'), second.goto('/mylistings/mylistings')]);
  await expect(page.getByLabel('Full name')).toHaveValue('Aroha Ngata');
  await expect(second.getByText('No plan is running')).toBeVisible();
  expect(await token()).toMatch(/^[\w-]{43}$/);
  expect(await token()).not.toBe(before);
  await second.close();

  await page.goto('/account/security');
  await atRest(page);
  await page.getByRole('button', { name: /menu/i }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/home');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto('/account');
  await expect(page).toHaveURL('/auth/login?redirect=/account');
  expect(requests.filter((url) => url.includes('/auth/restore'))).toEqual([]);
});
