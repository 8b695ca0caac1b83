import type { Browser, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, freshName, signIn, test } from './journey.ts';
import { confirmAddress, linkIn, mailTo } from './mailbox.ts';
import { newSeller, stateLicence } from './selling.ts';

const header = 'name,trade,place,phone,email,website,nzbn,abn,text,source,plan';
const text = 'Three plumbers with forty years of experience between them, on time and tidy.';

/** Imports one business and a row with an error; returns the business's address. */
async function importBusiness(page: Page, name: string): Promise<string> {
  const email = `${freshName()}@example.org`;
  const rows = [
    header,
    `${name},Plumbing,Tūrangi,07 345 6789,${email},,,,"${text}","their website, 20 Nov 2026",featured`,
    'Nobody,Alchemy,Taupō,,no',
  ].join('\n');
  await page.goto('/admin/import');
  await page.getByLabel('CSV file').setInputFiles({ name: 'businesses.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByRole('heading', { name: 'Dry run of 2 rows' })).toBeVisible();
  return email;
}

const anotherBrowser = async (browser: Browser) => (await browser.newContext()).newPage();

test('an administrator says which column is which where the header is not ours @desk', async ({ page }) => {
  const file = `sep=;\r\nWer;Town;E-mail;Tel\r\nKingi Plumbing;Taupō;${freshName()}@example.org;07 345 6789\r\nNobody;Narnia;no;\r\n;;;\r\n`;
  await signIn(page, 'admin@example.com', 'demo-admin-1');
  await page.goto('/admin/import');
  await page.getByLabel('CSV file').setInputFiles({ name: 'businesses.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByText('We did not recognise every column that we need.')).toBeVisible();
  await expect(page.getByLabel('Place', { exact: true })).toHaveValue('town');
  await expect(page.getByLabel('Phone')).toHaveValue('tel');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('Business name').selectOption({ label: 'wer (Kingi Plumbing)' });
  await page.getByLabel('Trade of every business').fill('Plumber');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await expect(page.getByRole('heading', { name: 'Dry run of 2 rows' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^4 .*Nobody/ })).toContainText('email: This is not an email address (“no”)');
});

test('an administrator invites a business, which checks its listing and publishes it for free @main @desk', async ({ page, browser }) => {
  const name = `Kingi ${freshName()}`;
  await signIn(page, 'admin@example.com', 'demo-admin-1');
  const email = await importBusiness(page, name);
  await expect(page.getByText('Ignored, because no file decides money or a state: plan.')).toBeVisible();
  await expect(page.getByText('email: This is not an email address (“no”)')).toBeVisible();
  await expect(page.getByText('Tūrangi, Taupō, Waikato')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const invite = page.getByRole('button', { name: 'Invite 1 business' });
  await expect(page.getByRole('checkbox')).not.toBeChecked();
  await invite.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Say why they may be emailed' })).toBeVisible();
  await page.getByLabel('They publish this address for business enquiries').check();
  await page.getByRole('checkbox').check();
  await invite.click();
  await expect(page.getByText('Done: 1 business has been invited.')).toBeVisible();

  expect(await mailTo(email, 'List Kingi')).toContain('because you publish this address');
  expect(await mailTo(email, 'List Kingi')).toContain('We have your details from their website, 20 Nov 2026.');
  const link = new URL(await linkIn(email, 'List Kingi'));
  const other = await anotherBrowser(browser);
  await other.goto(link.pathname + link.search);
  await expect(other.getByRole('heading', { name: `List ${name}` })).toBeVisible();
  await expectAccessible(other);
  await expectNoSidewaysScroll(other);
  await other.getByRole('link', { name: 'Create an account' }).click();
  await expect(other.getByLabel('Email')).toHaveValue(email);
  await expect(other.getByLabel('Email')).toBeEditable();
  expect(other.url()).not.toContain('example.org');
  await other.reload();
  await expect(other.getByLabel('Email')).toHaveValue(email);
  const { user } = await newSeller(other);
  await confirmAddress(other, user.email);
  await other.goto(link.pathname + link.search);
  await other.getByRole('button', { name: 'Check the listing' }).click();
  await expect(other.getByRole('heading', { name: 'Tell us about your business' })).toBeVisible();
  await expect(other.getByLabel('Business name')).toHaveValue(name);
  await expect(other.getByLabel('Business email')).toHaveValue(email);
  await expect(other.getByLabel('Business phone')).toHaveValue('07 345 6789');
  await expect(other.getByLabel('District or city')).toHaveValue('Taupō');
  await expect(other.getByLabel('Town or suburb')).toHaveValue('Tūrangi');
  await other.getByRole('button', { name: 'Continue', exact: true }).click();
  await other.getByRole('radio', { name: 'Basic' }).click();
  await expect(other.getByLabel('Category', { exact: true })).toHaveValue('Plumbing');
  await other.getByLabel('Title').fill(`Plumber ${name}`);
  await other.getByLabel('Description').fill('Leaks, blocked drains and hot water, day and night, with a fixed price before we start.');
  await stateLicence(other);
  await other.getByRole('button', { name: 'Continue', exact: true }).click();
  await other.getByRole('button', { name: 'Create Listing' }).click();
  await expect(other.getByRole('heading', { level: 1, name: 'Your listing is live' })).toBeVisible();
  await other.context().close();
});

test('a business that never wants to be invited again is not @phone', async ({ page, browser }) => {
  await signIn(page, 'admin@example.com', 'demo-admin-1');
  const email = await importBusiness(page, 'Rua Plumbing');
  await expectNoSidewaysScroll(page);
  await page.getByLabel('They consented to hear from us').check();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Invite 1 business' }).click();
  await expect(page.getByText('Done: 1 business has been invited.')).toBeVisible();
  const mail = await mailTo(email, 'List Rua');
  const link = new URL(/https?:\/\/\S+invitation\/end\?token=[\w.-]+/.exec(mail)?.[0] ?? '');
  const other = await anotherBrowser(browser);
  await other.goto(link.pathname + link.search);
  await expectAccessible(other);
  await other.getByRole('button', { name: 'Never invite me again' }).click();
  await expect(other.getByRole('heading', { name: 'We will never invite you again' })).toBeVisible();
  const invitation = new URL(await linkIn(email, 'List Rua'));
  await other.goto(invitation.pathname + invitation.search);
  await expect(other.getByRole('heading', { name: 'This invitation is over' })).toBeVisible();
  await other.context().close();
});
