import type { Browser, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, freshName, signIn, test } from './journey.ts';
import { confirmAddress } from './mailbox.ts';
import { buyPlan, newSeller, ownNetwork, publish, type Seller, comeFromOwnNetwork } from './selling.ts';
import { sizes } from './sizes.ts';

// Each journey creates its own users and code, because others use the same data at the same time.

const anotherBrowser = async (browser: Browser) => (await browser.newContext()).newPage();
const tile = (page: Page, name: string) => page.locator('dl > div').filter({ has: page.locator(`dt:text-is("${name}")`) });
const toasts = (page: Page) => page.getByRole('status').filter({ hasText: 'New Referral!' });

async function signUpWith(page: Page, code: string): Promise<Seller> {
  const name = freshName();
  await comeFromOwnNetwork(page);
  await page.goto(`/auth/register?ref=${code}`);
  await expect(page.getByText("Valid code! You'll receive 1 draw ticket.")).toBeVisible();
  await page.getByLabel('Full name').fill('Aroha Ngata');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@${name}.example`);
  await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/auth/signup-success');
  const user = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null'));
  return { user, headers: { authorization: `Bearer ${user.token}` } };
}

test.describe('on the desk @desk', () => {
  test('a referral gives both people tickets, notifies the friend live and can be swapped for a free month @main', async ({
    page,
    browser,
  }) => {
    const { user } = await newSeller(page);
    await page.goto('/home');
    await expect(page.getByRole('heading', { level: 1 }).filter({ visible: true })).toBeVisible();

    const other = await anotherBrowser(browser);
    const friend = await signUpWith(other, user.referralCode);
    await expect(toasts(page)).toContainText("Someone just signed up using your referral code! You've earned 1 ticket");
    await expect(page.getByRole('button', { name: /Hemi Walker/ })).toContainText('1 new in your referrals');
    await expectAccessible(page);
    await other.goto('/referral');
    await expect(other.getByText(/^Not open to people who live in New South Wales/)).toBeVisible();
    await expect(other.getByText('Your 1 ticket only counts with a confirmed address.')).toBeVisible();

    await confirmAddress(page, friend.user.email);
    await expect(other.getByText('only counts with a confirmed address')).toBeHidden();
    await publish(page, friend, 'basic', `Plumber ${freshName()}`, { covered: false });
    await other.reload();
    await expect(other.getByText('The person whose code you used is waiting for their reward.')).toBeVisible();
    await other.setViewportSize(sizes.phone);
    await expectNoSidewaysScroll(other);
    await page.goto('/referral');
    await expect(page.getByRole('row', { name: /Aroha Ngata.*Converted.*The reward waits until they have saved a card/ })).toBeVisible();
    await buyPlan(page, friend, 'basic');
    await expect(toasts(page)).toContainText("Someone just created a listing using your referral code! You've earned 5 tickets");
    await page.getByRole('link', { name: 'View Referral Dashboard' }).last().click();
    await expect(page).toHaveURL('/referral');
    await expect(page.getByRole('row', { name: /Aroha Ngata.*Converted.*Draw Entries/ })).toBeVisible();
    await expect(tile(page, 'Active Tickets')).toContainText('6');
    await expect(page.getByRole('button', { name: /Hemi Walker/ })).not.toContainText('new in your referrals');

    await page.getByRole('button', { name: 'Take a free month instead for Aroha Ngata' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('The 5 tickets for Aroha Ngata leave their draw straight away.');
    await dialog.getByRole('button', { name: 'Take the free month' }).click();
    await expect(page.getByRole('row', { name: /Aroha Ngata.*Converted.*Free Month/ })).toBeVisible();
    await expect(page.getByText('You have 1 free month.')).toBeVisible();
    await expect(page.getByRole('row', { name: /Void.*Swapped for a free month/ })).toBeVisible();
    await expect(tile(page, 'Active Tickets')).toContainText('1');
    await expectAccessible(page);
    await other.context().close();
  });

  test('a toast stays while hovered and closes eight seconds later', async ({ page }) => {
    await page.clock.install();
    await signIn(page);
    await page.goto('/referral');
    await page.getByRole('button', { name: 'Signup (1 Ticket)' }).click();
    const toast = toasts(page).locator('strong');
    // What sends, saves or pays is at the bottom, so a toast is at the top.
    const box = await toasts(page).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan((page.viewportSize()?.height ?? 0) / 2);
    await toast.hover();
    await page.clock.fastForward(60_000);
    await expect(toast).toBeVisible();
    await page.mouse.move(10, 10);
    await page.clock.fastForward(8300);
    await page.clock.runFor(500);
    await expect(toast).toBeHidden();
    await page.getByRole('button', { name: 'Listing (5 Tickets)' }).click();
    await toasts(page).getByRole('button', { name: 'Close' }).click();
    await page.clock.runFor(300);
    await expect(toast).toBeHidden();
  });
});

test.describe('on a phone @phone', () => {
  test('a held referral shows its reason and counts after an administrator’s approval', async ({ page, browser }) => {
    const network = ownNetwork();
    const { user } = await newSeller(page, network);
    const names = [freshName(), freshName()];
    for (const username of names) {
      const data = {
        fullName: `Held ${username}`,
        username,
        email: `${username}@${username}.example`,
        password: 'pohutukawa-9',
        referralCode: user.referralCode,
      };
      expect((await page.request.post('/api/auth/register', { headers: network, data })).ok()).toBe(true);
    }
    const held = `Held ${names[1]}`;
    await page.goto('/referral');
    const row = page.getByRole('table').first().locator('tr').filter({ hasText: held });
    await expect(row).toContainText(
      'Being checked. Several accounts that are connected by referrals signed up from one network within a day.',
    );
    await expect(row).toContainText('It counts as soon as they pay for a plan with a card that no connected account uses.');
    await expect(tile(page, 'Active Tickets')).toContainText('1');
    await expectNoSidewaysScroll(page);

    const desk = await anotherBrowser(browser);
    await signIn(desk, 'admin@example.com', 'demo-admin-1');
    await desk.goto('/admin/referrals');
    await desk.getByRole('link', { name: held }).click();
    await expectAccessible(desk);
    await desk.getByRole('radio', { name: 'Approve: it counts' }).check();
    await desk.getByLabel('Reason').fill('You work in one office, as you told us.');
    await expect(desk.getByRole('region', { name: 'Both people will read' })).toContainText('You work in one office');
    await desk.getByRole('button', { name: 'Approve' }).click();
    await expect(desk.getByRole('link', { name: held })).toBeHidden();

    // The open page updates live.
    await expect(row).not.toContainText('Being checked');
    await expect(tile(page, 'Active Tickets')).toContainText('2');
    await desk.context().close();
  });

  test('tabs work by keyboard, and each way of sharing shows the next steps', async ({ page }) => {
    await page.addInitScript(() => {
      window.open = () => window;
    });
    await signIn(page);
    await page.goto('/referral');
    await page.getByRole('tab', { name: 'Draw Entries' }).press('End');
    await expect(page.getByRole('tab', { name: 'Share & Earn' })).toBeFocused();
    await expect(page.getByRole('tab', { name: 'Share & Earn' })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('button', { name: 'Facebook' }).click();
    const help = page.getByRole('region', { name: 'Sharing on Facebook' });
    await expect(help).toContainText('Sign in to Facebook');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await help.getByRole('button', { name: 'Close' }).click();
    await expect(help).toBeHidden();
    await page.getByRole('tab', { name: 'Share & Earn' }).press('ArrowLeft');
    await expect(page.getByRole('timer')).toHaveAccessibleName(/^\d+ days?, \d+ hours?, \d+ minutes?$/);
    await expectAccessible(page);
  });
});
