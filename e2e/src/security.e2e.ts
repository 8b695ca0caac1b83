import type { Browser, Page } from '@playwright/test';
import { generateSync } from 'otplib';
import pg from 'pg';
import { usePostgres } from '@handwise/sandbox/postgres';
import { atRest, expect, expectAccessible, expectNoSidewaysScroll, forgetMember, freshName, test } from './journey.ts';
import { confirmAddress } from './mailbox.ts';

type User = { email: string; password: string; _id: string; token: string };

/** Registers a new member, signed in on this page. */
async function newMember(page: Page, { confirmed = true } = {}): Promise<User> {
  const name = freshName();
  const form = { fullName: 'Aroha Ngata', username: name, email: `${name}@example.org`, password: 'pohutukawa-9' };
  const { data } = await (await page.request.post('/api/auth/register', { data: form })).json();
  if (confirmed) await confirmAddress(page, form.email);
  await keepSession(page, { ...data, emailConfirmed: confirmed });
  return { ...form, ...data };
}
const keepSession = (page: Page, user: object) =>
  page.addInitScript((stored) => {
    // Only once, because a journey may log out.
    if (!sessionStorage.getItem('signed-in')) localStorage.setItem('user', JSON.stringify(stored));
    sessionStorage.setItem('signed-in', 'yes');
  }, user);

async function typePassword(page: Page, { email, password }: User) {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs out with the menu, whose position depends on the width. */
async function signOut(page: Page) {
  await atRest(page);
  await forgetMember(page);
  await page.goto('/auth/login?redirect=/account/security');
}

/** Ages the member's last proof of identity by some minutes. */
async function ageConfirmation(user: User, minutes: number) {
  const dataDir = process.env['DATA_DIR'];
  if (!dataDir) throw new Error('DATA_DIR does not say where the data of the site under test lie');
  const { url } = await usePostgres(dataDir);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`update sessions set confirmed_at = confirmed_at - make_interval(mins => $2) where user_id = $1`, [user._id, minutes]);
  await client.end();
}

test('the security page asks to confirm the address first, and offers the button once it is confirmed @phone', async ({ page }) => {
  const user = await newMember(page, { confirmed: false });
  await page.goto('/account/security');
  await expect(page.getByText('You can add a passkey or a second step once your email address is confirmed.')).toBeVisible();
  await expect(page.getByText('Available once your email address is confirmed.')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeHidden();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await expect(page.getByText('It is on its way.')).toBeVisible();
  await confirmAddress(page, user.email);
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
});

test('an authenticator app is set up and required at the next sign-in, and a recovery code replaces it @phone @main', async ({ page }) => {
  const user = await newMember(page);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  await expectAccessible(page);
  const secret = ((await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '').replaceAll(' ', '');
  const epoch = Math.floor(Date.now() / 1000);
  await page.getByLabel('Code the app shows now').fill(generateSync({ secret, epoch }));
  await page.getByRole('button', { name: 'Turn the second step on' }).click();
  const codes = page.getByText(/^([A-Z2-9]{6}-){3}[A-Z2-9]{6}$/);
  await expect(codes).toHaveCount(10);
  const recoveryCode = (await codes.first().textContent()) ?? '';
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('10 of your recovery codes are left.')).toBeVisible();

  await signOut(page);
  await typePassword(page, user);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('This code is not right.').first()).toBeVisible();
  await expectAccessible(page);
  // The next code, because each works only once and codes half a minute ahead are accepted.
  await page.getByLabel('Code', { exact: true }).fill(generateSync({ secret, epoch: epoch + 30 }));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/account/security');

  await signOut(page);
  await typePassword(page, user);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode.toLowerCase());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('9 of your recovery codes are left.')).toBeVisible();
});

test('a passkey is created, named, used to sign in without a password, and removed @desk @main', async ({ page }) => {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  // Disables autofill, because the journey presses the button itself.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await newMember(page);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('From now on you can sign in with this passkey')).toBeVisible();
  await page.getByRole('button', { name: /^Rename/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('My phone');
  await page.getByRole('button', { name: 'Save' }).click();
  const phone = page.getByRole('listitem').filter({ hasText: 'My phone' });
  await expect(phone).toBeVisible();
  await expectAccessible(page);

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/account/security');
  await expect(page.getByText(/Made on .*, last used/)).toBeVisible();

  await page.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await expect(phone).toBeHidden();
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey does not work here. Use your password instead.')).toBeVisible();
});

async function elsewhere(browser: Browser, user: User): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const { data } = await (await page.request.post('/api/auth/login', { data: { email: user.email, password: user.password } })).json();
  await keepSession(page, data);
  await page.goto('/account/security');
  await expect(page.getByText('This device')).toBeVisible();
  return page;
}

test('signing out elsewhere asks for the password after some time and then ends the other sessions @phone', async ({ page, browser }) => {
  const user = await newMember(page);
  const other = await elsewhere(browser, user);
  await ageConfirmation(user, 11);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Sign out elsewhere' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Password', { exact: true }).fill('not-this-one');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('This is not your password').first()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Password', { exact: true }).fill(user.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('All other devices have been signed out')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign out elsewhere' })).toBeHidden();
  await other.reload();
  await expect(other).toHaveURL('/auth/login?redirect=/account/security');
  await other.context().close();
});

test.describe('while the server is busy', () => {
  test.use({ provoked: /status of 503/ });

  test('whoever cannot be told how they sign in is told so, and asked once it is known @desk', async ({ page }) => {
    const user = await newMember(page);
    await ageConfirmation(user, 11);
    await page.goto('/account/security');
    await atRest(page);
    await page.route('**/api/auth/security', (route) => route.fulfill({ status: 503, json: { code: 'internal', message: 'Busy.' } }));
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await expect(dialog.getByRole('alert')).toContainText('We could not read how you sign in.');
    await expect(dialog.getByLabel('Password', { exact: true })).toHaveCount(0);
    await expectAccessible(page);
    await page.unroute('**/api/auth/security');
    await dialog.getByRole('button', { name: 'Try Again' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill(user.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  });
});

test('a member with an authenticator needs a code to delete the account @desk', async ({ page }) => {
  const user = await newMember(page);
  const headers = { authorization: `Bearer ${user.token}` };
  const { secret } = await (await page.request.post('/api/auth/authenticator', { headers })).json();
  const epoch = Math.floor(Date.now() / 1000);
  const data = { code: generateSync({ secret, epoch }) };
  expect((await page.request.post('/api/auth/authenticator/confirm', { headers, data })).ok()).toBe(true);
  await ageConfirmation(user, 11);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete your account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account for good?' });
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  await dialog.getByLabel('Your password').fill(user.password);
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await proof.getByLabel('Password', { exact: true }).fill(user.password);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await expect(proof.getByText('Enter the code from your app').first()).toBeVisible();
  await expectAccessible(page);
  await proof.getByLabel('Code', { exact: true }).fill(generateSync({ secret, epoch: epoch + 30 }));
  await proof.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Your account has been deleted' })).toBeVisible();
});

test.describe('without a password', () => {
  // The providers' pages are another site.
  test.use({ provoked: /^http:\/\/127\.0\.0\.1:\d+$/ });

  test('a member proves at Google who they are, with a recovery code where the app is lost @phone', async ({ page }) => {
    await page.goto('/auth/login');
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await page.getByRole('button', { name: /, who is new$/ }).click();
    await expect(page.getByRole('heading', { name: 'Registration Successful!' })).toBeVisible();
    const user = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}') as User);
    const headers = { authorization: `Bearer ${user.token}` };
    const { secret } = await (await page.request.post('/api/auth/authenticator', { headers })).json();
    const data = { code: generateSync({ secret, epoch: Math.floor(Date.now() / 1000) }) };
    const { recoveryCodes } = await (await page.request.post('/api/auth/authenticator/confirm', { headers, data })).json();
    await ageConfirmation(user, 11);
    await page.goto('/account/security');
    await page.getByRole('button', { name: 'Connect Apple' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await expect(dialog.getByLabel('Code', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
    await dialog.getByRole('button', { name: 'Continue with Google' }).click();
    await expect(dialog.getByLabel('Recovery code')).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await dialog.getByLabel('Recovery code').fill(recoveryCodes[0]);
    await dialog.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('button', { name: new RegExp(user.email) }).click();
    await expect(page.getByText('Thank you. You can go on now.')).toBeVisible();
    await expect(page.getByText('9 of your recovery codes are left.')).toBeVisible();
  });
});
