import type { Browser, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, forgetMember, test } from './journey.ts';
import { confirmAddress, mailTo } from './mailbox.ts';
import { type OwnSite, ownSite } from './own-site.ts';
import { buyPlan, publish, type Seller } from './selling.ts';

// A month has one draw, so this journey starts its own site, whose month it can end.

const password = 'pohutukawa-9';
type Member = Seller & { page: Page };

async function member(browser: Browser, site: OwnSite, fullName: string, code?: string): Promise<Member> {
  const page = await (await browser.newContext({ baseURL: site.address })).newPage();
  const username = fullName.toLowerCase().replace(' ', '');
  const email = `${username}@example.org`;
  await page.goto(code ? `/auth/register?ref=${code}` : '/auth/register');
  if (code) await expect(page.getByText("Valid code! You'll receive 1 draw ticket.")).toBeVisible();
  await page.getByLabel('Full name').fill(fullName);
  await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/auth\/signup-success/);
  await confirmAddress(page, email, site.mailbox);
  const user = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'));
  return { page, user, headers: { authorization: `Bearer ${user.token}` } };
}

/** Signs in again, so that the page knows a role granted since. */
async function again({ page, user }: Member, path: string) {
  await forgetMember(page);
  await page.goto(`/auth/login?redirect=${path}`);
  await page.getByRole('textbox', { name: 'Email' }).fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(path);
}

async function grantTickets(desk: Page, { user }: Member, tickets: number) {
  await desk.goto(`/admin/users/${user._id}`);
  await desk.getByRole('button', { name: 'Give tickets' }).click();
  await desk.getByLabel('Tickets', { exact: true }).fill('99');
  await desk.getByLabel('Reason').fill('A mistake of ours');
  await desk.getByRole('button', { name: 'Give the tickets' }).click();
  await expect(desk.getByRole('alert')).toContainText('Give at most 50 tickets');
  await desk.getByLabel('Tickets', { exact: true }).fill(String(tickets));
  await desk.getByRole('button', { name: 'Give the tickets' }).click();
  await expect(desk.getByRole('dialog')).toBeHidden();
}

async function expectTickets({ page }: Member, period: string, texts: RegExp[]) {
  await page.goto(`/draws/${period}`);
  await page.getByRole('button', { name: 'Look for my tickets' }).click();
  const lines = page.getByRole('list', { name: 'Your tickets' }).getByRole('listitem');
  await expect(lines).toHaveCount(texts.length);
  for (const text of texts) await expect(lines.filter({ hasText: text }).first()).toBeVisible();
}

test('a draw from referral code to paid prize, verified in the browser and with an old email @desk', async ({ browser }) => {
  // It starts a site and waits for public randomness.
  test.setTimeout(600_000);
  const site = await ownSite();
  try {
    const admin = await member(browser, site, 'Ana Whare');
    await site.makeAdministrator(admin.user.email);
    const mere = await member(browser, site, 'Mere Kahu');
    const hemi = await member(browser, site, 'Hemi Walker', mere.user.referralCode);
    const { draws } = await (await hemi.page.request.get('/api/draws')).json();
    const { period } = draws.find(({ status }: { status: string }) => status === 'open');
    await publish(hemi.page, hemi, 'basic', 'Hot water cylinders', { covered: false });
    await buyPlan(hemi.page, hemi, 'basic');
    await again(admin, '/admin/users');
    await grantTickets(admin.page, hemi, 2);
    await expectTickets(mere, period, [/^1 ticket because somebody signed up with your code/, /^5 tickets for the first listing/]);
    await expectTickets(hemi, period, [/^1 ticket for signing up/, /^2 tickets given by us/]);
    const oldMail = await mailTo(mere.user.email, 'Somebody signed up with your referral code', site.mailbox);

    // An administrator ends the month early and waits for the announced round.
    const desk = admin.page;
    await desk.goto('/admin/draw-management');
    await expect(desk.getByText('Pending - Scheduled for end of month')).toBeVisible();
    await expect(desk.getByText('No past draws yet')).toBeVisible();
    await desk.getByRole('button', { name: 'Run Draw Now' }).click();
    await expect(
      desk.getByText('Are you sure you want to run the monthly draw? This will select a winner and cannot be undone.'),
    ).toBeVisible();
    await desk.getByRole('button', { name: 'Run the draw' }).click();
    await expect(desk.getByText(/Waiting for public randomness, ready in about \d+ seconds?/)).toBeVisible();

    const visitor = await (await browser.newContext({ baseURL: site.address })).newPage();
    await visitor.goto(`/draws/${period}`);
    await expect(visitor.getByText(/Waiting for public randomness, ready in about/).first()).toBeVisible();
    await expect(desk.getByText('Draw completed successfully')).toBeVisible({ timeout: 180_000 });
    await expect(visitor.getByText(/ won \$1,000/).first()).toBeVisible();
    await expect(visitor.getByText('NOT A REAL DRAW').first()).toBeVisible();
    await expectAccessible(visitor);

    // Only the winner can claim.
    const won = async ({ page, headers }: Member) =>
      (await (await page.request.get('/api/referral/check-winner', { headers })).json()).isWinner as boolean;
    const [winner, other] = (await won(mere)) ? [mere, hemi] : [hemi, mere];
    await other.page.goto('/referral/claim-prize');
    await expect(other.page.getByText('You are not currently a draw winner')).toBeVisible();
    await expect(other.page).toHaveURL('/referral');
    await claim(winner);

    await desk.reload();
    await desk.getByRole('button', { name: 'Payment details' }).click();
    await desk.getByLabel('Reason').fill('Paying the prize');
    await desk.getByRole('button', { name: 'Show the details' }).click();
    await expect(desk.getByText('12-3456-0123459-00')).toBeVisible();
    await desk.keyboard.press('Escape');
    await desk.getByRole('button', { name: 'Process Payment' }).click();
    await expect(desk.getByText('Payment marked as processed')).toBeVisible();
    await expect(desk.getByRole('button', { name: 'Process Payment' })).toBeHidden();
    await expectAccessible(desk);

    await expectTickets(winner, period, [
      /traced it to the published seal/,
      /traced it to the published seal.*This is the entry that won/s,
    ]);
    await expectTickets(other, period, [/traced it to the published seal/, /traced it to the published seal/]);
    await checkAll(visitor, period, oldMail);
    await readWithoutScript(browser, site);
  } finally {
    await site.close();
  }
});

/** The contrast of a field's text with its background (WCAG), because axe skips disabled fields. */
function contrastOf(element: Element): number {
  const { color, backgroundColor, opacity } = getComputedStyle(element);
  const luminance = (text: string) => {
    const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(color), luminance(backgroundColor)].toSorted((a, b) => a - b);
  return opacity === '1' ? (light + 0.05) / (dark + 0.05) : 1;
}

async function claim({ page }: Member) {
  await page.goto('/referral/claim-prize');
  await expect(page.getByRole('heading', { name: "Congratulations! You've won the monthly draw" })).toBeVisible();
  await page.getByRole('button', { name: 'Submit Payment Details' }).click();
  await expect(page.getByRole('alert')).toContainText('Please fill in all fields');
  await expect(page.getByRole('status').getByText('Please fill in all fields')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Bank Name').fill('Kiwibank');
  await page.getByLabel('Account Holder Name').fill('M Kahu');
  await page.getByLabel('Account Number').fill('12 3456');
  await page.getByRole('button', { name: 'Submit Payment Details' }).click();
  await expect(page.getByRole('alert')).toContainText('A New Zealand account number has a bank, a branch, an account and a suffix');
  await page.getByLabel('Account Number').fill('123456 0123459 00');
  // The draw has no permits, so that it is not open everywhere in Australia.
  const home = page.getByLabel('Where do you live?');
  await home.selectOption('South Australia');
  await page.getByRole('button', { name: 'Submit Payment Details' }).click();
  await expect(page.getByText('This draw was not open to people who live in South Australia').first()).toBeVisible();
  await home.selectOption('New Zealand');
  const sent = Promise.withResolvers<void>();
  await page.route('**/api/referral/payment-details', async (route) => {
    await sent.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Submit Payment Details' }).click();
  await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible();
  for (const label of ['Bank Name', 'Account Holder Name', 'Currency of the account', 'Account Number', 'Where do you live?']) {
    const input = page.getByLabel(label);
    await expect(input).toBeDisabled();
    expect(await input.evaluate(contrastOf), label).toBeGreaterThan(4.5);
  }
  sent.resolve();
  await expect(page.getByText('Payment details submitted successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Payment Details Submitted' })).toBeVisible();
}

/** Verifies the draw as any reader can, also against an old email, and finds an altered proof. */
async function checkAll(page: Page, period: string, oldMail: string) {
  await page.reload();
  await page.getByRole('button', { name: 'Check this draw in my browser' }).click();
  await expect(page.getByText(/^The tickets, the random number and the result all match\./)).toBeVisible();
  await page.getByRole('heading', { name: 'All tickets in one picture' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('img', { name: /^All \d+ tickets in their order/ })).toBeVisible();
  await expectAccessible(page);

  const mail = page.getByLabel('The email');
  const findings = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Do you have an old email?' }) });
  const verdict = findings.getByText(/^(The tickets, the random number and the result all match|This draw does not check out)/);
  await mail.fill(oldMail);
  await page.getByRole('button', { name: 'Check this email' }).click();
  await expect(verdict).toHaveText(/^The tickets, the random number and the result all match/);
  // One character of the sealed root.
  const [, root = ''] = /\n\d+\n([A-Za-z\d+/]{43}=)\n/.exec(oldMail.replaceAll('\r', '')) ?? [];
  expect(root).not.toBe('');
  await mail.fill(oldMail.replace(root, (root.startsWith('A') ? 'B' : 'A') + root.slice(1)));
  await page.getByRole('button', { name: 'Check this email' }).click();
  await expect(verdict).toHaveText(/^This draw does not check out/);

  // The same proof with one ticket more.
  await page.route(`**/api/draws/${period}/proof`, async (route) => {
    const proof = await (await route.fetch()).json();
    proof.entries[0].tickets += 1;
    await route.fulfill({ json: proof });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Check this draw in my browser' }).click();
  await expect(page.getByText(/^This draw does not check out/)).toBeVisible();

  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
}

/** Without JavaScript the pages say what they know, and how to check it by command. */
async function readWithoutScript(browser: Browser, { address }: OwnSite) {
  const page = await (await browser.newContext({ baseURL: address, javaScriptEnabled: false })).newPage();
  await page.goto('/draws');
  const past = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Past draws' }) });
  await past.getByRole('link').first().click();
  await expect(page.getByText(/ won \$1,000/).first()).toBeVisible();
  await expect(page.getByText('npm run --silent draw:verify --')).toBeVisible();
  await page.getByRole('link', { name: 'The terms of this month' }).click();
  await expect(page.getByRole('heading', { name: 'What each state and country requires' })).toBeVisible();
  await page.context().close();
}
