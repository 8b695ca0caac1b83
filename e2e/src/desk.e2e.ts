import type { Browser, Page } from '@playwright/test';
import { expect, expectAccessible, freshName, signIn, test } from './journey.ts';
import { linkIn } from './mailbox.ts';

// Each journey creates its own users, because others use the same data at the same time.

async function register(page: Page) {
  const username = freshName();
  const answer = await page.request.post('/api/auth/register', {
    data: { fullName: 'Hana Ward', username, email: `${username}@example.org`, password: 'pohutukawa-9' },
  });
  expect(answer.ok()).toBe(true);
  return (await answer.json()).data as { _id: string; token: string; email: string };
}

async function asAdministrator(browser: Browser) {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, 'admin@example.com', 'demo-admin-1');
  return page;
}

test('a member reports a listing, and an administrator warns its seller with a previewed reason and reverses it @desk @main', async ({
  page,
  browser,
}) => {
  const member = await register(page);
  await signIn(page, member.email, 'pohutukawa-9');
  const { listings } = await (await page.request.get('/api/listing/all?category=plumbing&limit=3')).json();
  await page.goto(`/listing/${listings[2]._id}`);
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Report this listing' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What is wrong?').selectOption({ label: 'It is misleading, or a scam' });
  const note = `Reported by ${member.email}`;
  await dialog.getByLabel('What should we know?').fill(note);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send the report' }).click();
  await expect(dialog.getByText('We will look at it and tell you what we did.')).toBeVisible();

  const desk = await asAdministrator(browser);
  await desk.goto('/admin/reports?kind=listing');
  const cases = desk.getByRole('navigation', { name: 'Cases' });
  await cases.getByRole('link', { name: title }).click();
  await expect(desk.getByText(note)).toBeVisible();
  await expectAccessible(desk);
  const reason = `Please mend the description. ${member.email}`;
  await desk.getByRole('radio', { name: 'Warn' }).check();
  await desk.getByLabel('Reason').fill(reason);
  await expect(desk.getByRole('region', { name: 'The person concerned will read' })).toContainText(reason);
  await desk.getByRole('button', { name: 'Warn' }).click();
  await expect(desk.getByText('Decided. The person concerned has been told.')).toBeVisible();

  await desk.goto('/admin/reports?status=decided&kind=listing');
  await cases.getByRole('link', { name: title }).first().click();
  await expect(desk.getByText(reason)).toBeVisible();
  await desk.getByRole('button', { name: 'Reverse this decision' }).click();
  await desk.getByLabel('Why are you reversing it?').fill('It was mended already.');
  await desk.getByRole('button', { name: 'Reverse the decision' }).click();
  await expect(desk.getByRole('heading', { name: 'Warn (reversed)' })).toBeVisible();
  await desk.context().close();
});

test('a suspended member reads why by an emailed link and objects, and the account is restored @phone', async ({ page, browser }) => {
  const member = await register(page);
  const desk = await asAdministrator(browser);
  await desk.goto(`/admin/users?q=${member.email}`);
  await desk.getByRole('link', { name: 'Hana Ward' }).click();
  await desk.getByRole('button', { name: 'Warn or suspend' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Suspend the account' }).check();
  await dialog.getByLabel('Reason').fill('The name on the account is not yours.');
  await dialog.getByRole('button', { name: 'Suspend the account' }).click();
  await expect(dialog).toBeHidden();
  await expect(desk.getByText('Suspended', { exact: true })).toBeVisible();
  const refused = await page.request.get('/api/auth/session', { headers: { authorization: `Bearer ${member.token}` } });
  expect(refused.status()).toBe(401);

  await page.goto(await linkIn(member.email, 'We have suspended your account'));
  await expect(page.getByText('The name on the account is not yours.')).toBeVisible();
  await page.getByRole('button', { name: 'I think this is wrong' }).click();
  await page.getByLabel('Why do you object?').fill('It is my married name.');
  await page.getByRole('button', { name: 'Send my objection' }).click();
  await expect(page.getByText('We are looking at it.')).toBeVisible();
  await expectAccessible(page);

  await desk.getByRole('button', { name: 'Restore the account' }).click();
  await dialog.getByLabel('Reason').fill('We have seen the certificate.');
  await dialog.getByRole('button', { name: 'Restore the account' }).click();
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByText('You were right')).toBeVisible();
  await desk.context().close();
});

test('an administrator views the site as a member, can change nothing and returns to the own account @desk', async ({ page, browser }) => {
  const member = await register(page);
  const desk = await asAdministrator(browser);
  await desk.goto(`/admin/users?q=${member.email}`);
  await desk.getByRole('link', { name: 'Hana Ward' }).click();
  await desk.getByRole('button', { name: 'View the site as Hana Ward' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('They cannot find their listing.');
  await dialog.getByRole('button', { name: 'Start viewing' }).click();
  const banner = desk.getByRole('region', { name: 'Viewing as somebody else' });
  await expect(banner).toContainText('You are viewing the site as Hana Ward');
  await desk.goto('/mylistings/saved');
  await expect(banner).toBeVisible();
  await expectAccessible(desk);
  const answer = await desk.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('user') ?? '{}');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { status } = await fetch('/api/mails', { method: 'PUT', headers, body: JSON.stringify({ kind: 'messages', on: false }) });
    const { mails } = await (await fetch('/api/mails', { headers })).json();
    return { status, isOn: mails[0].on };
  });
  expect(answer).toEqual({ status: 403, isOn: true });

  await signIn(page, member.email, 'pohutukawa-9');
  await page.goto('/account/security');
  await expect(page.getByText('They cannot find their listing.')).toBeVisible();

  await banner.getByRole('button', { name: 'Stop viewing' }).click();
  await expect(desk.getByRole('heading', { name: 'Hana Ward', level: 1 })).toBeVisible();
  await expect(banner).toBeHidden();
  await desk.context().close();
});

test('an administrator finds a review by words, stars and state, and the active tab is visible at any width', async ({ page }) => {
  await signIn(page, 'admin@example.com', 'demo-admin-1');
  await page.goto('/admin/reviews');
  const tab = page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Reviews' });
  await expect(tab).toBeInViewport();
  const table = page.getByRole('table');
  const words = (await table.getByRole('rowheader').first().textContent())?.slice(0, 20) ?? '';
  const stars = (await table.getByRole('row').nth(1).getByRole('cell').first().textContent()) ?? '';
  await page.getByLabel('Find a review').fill(words.toUpperCase());
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: new RegExp(`^${stars} stars?$`) }).click();
  await page.getByRole('link', { name: 'Published', exact: true }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get('stars') === stars && url.searchParams.get('status') === 'published');
  await page.reload();
  await expect(table.getByRole('rowheader').first()).toContainText(words);
  await table.getByRole('button', { name: 'Decide' }).first().click();
  await expect(page.getByRole('dialog').getByRole('radio', { name: 'Remove the review' })).toBeVisible();
  await expectAccessible(page);
});

test('an administrator sees whether the installation works, what to mend first, and sends a test email', async ({ page }) => {
  await signIn(page, 'admin@example.com', 'demo-admin-1');
  await page.goto('/admin/health');
  await expect(page.getByRole('listitem').filter({ hasText: 'database settings' })).toBeVisible();
  const email = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'email', exact: true }) });
  await expect(email).toContainText('No email was sent');
  const rank = ['To mend', 'To look at', 'Fine'];
  const states = (await page.getByText(/^(To mend|To look at|Fine)$/).allTextContents()).map((state) => rank.indexOf(state));
  expect(states.length).toBeGreaterThan(10);
  expect(states).toEqual(states.toSorted((a, b) => a - b));
  await page.getByRole('button', { name: 'Check and send a test email' }).click();
  await expect(email).toContainText('took an email to');
  await expectAccessible(page);
});
