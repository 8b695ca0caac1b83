import { expect, expectAccessible, expectNoSidewaysScroll, signIn, test } from './journey.ts';
import { buyPlan, newSeller, publish } from './selling.ts';

test('an administrator refunds a payment in two parts after reading the consequences, and the seller sees that the plan has ended @desk @main', async ({
  page,
  browser,
}) => {
  const seller = await newSeller(page);
  await buyPlan(page, seller, 'premium');
  await publish(page, seller, 'premium', 'Leaks and hot water');

  const desk = await (await browser.newContext()).newPage();
  await signIn(desk, 'admin@example.com', 'demo-admin-1');
  await desk.goto(`/admin/payments?q=${seller.user.email}`);
  await desk.getByRole('table').getByRole('link', { name: 'New plan' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Payment of $25.00 NZD by Hemi Walker' })).toBeVisible();
  await expectAccessible(desk);
  await expectNoSidewaysScroll(desk);

  const dialog = desk.getByRole('dialog', { name: 'Refund Hemi Walker' });
  await desk.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByRole('radio', { name: 'A part' }).check();
  await dialog.getByLabel('Amount in NZD').fill('25.01');
  await dialog.getByLabel('Reason').fill('A week was not as agreed.');
  await dialog.getByRole('button', { name: 'See what this will do' }).click();
  await expect(dialog.getByText('At most $25.00 NZD is left').first()).toBeVisible();
  await dialog.getByLabel('Amount in NZD').fill('5.50');
  await dialog.getByRole('button', { name: 'See what this will do' }).click();
  await expect(dialog.getByRole('heading', { name: 'What this will do' })).toBeFocused();
  await expect(dialog.getByText('The Premium plan stays: $19.50 NZD of it is still paid.')).toBeVisible();
  await expectAccessible(desk);
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await expect(dialog.getByLabel('Amount in NZD')).toHaveValue('5.50');
  await dialog.getByRole('button', { name: 'See what this will do' }).click();
  await dialog.getByRole('button', { name: 'Send $5.50 NZD back' }).click();
  await expect(dialog).toBeHidden();
  const refunds = desk.getByRole('region', { name: 'Refunds' });
  await expect(refunds.getByRole('row', { name: /A week was not as agreed\..*\$5\.50 NZD/ })).toBeVisible();

  await desk.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByLabel('Reason').fill('You asked us to.');
  await dialog.getByRole('button', { name: 'See what this will do' }).click();
  await expect(dialog.getByText('The Premium plan ends at once, and 1 active listing of it goes off.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Send $19.50 NZD back' }).click();
  await expect(desk.getByText('Nothing of it is left to refund.')).toBeVisible();
  await expect(desk.getByText('Plan ended', { exact: true })).toBeVisible();
  await desk.context().close();

  await page.goto('/mylistings');
  const plans = page.getByRole('list', { name: 'Your subscriptions' });
  await expect(plans.getByText('Ended', { exact: true })).toBeVisible();
  await plans.getByRole('link', { name: 'See the refund' }).click();
  await expect(page.getByText('$19.50 NZD', { exact: true })).toBeVisible();
});
