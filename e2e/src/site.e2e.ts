import { expect, signIn, test } from './journey.ts';

const mailbox = process.env['MAILBOX_URL'] ?? '';

test('a visitor uses the contact form, and the email arrives with a reply address @desk @main', async ({ page }, { testId, retry }) => {
  const email = `visitor-${testId}-${retry}@example.org`;
  await page.goto('/contact');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('link', { name: 'Message is required' })).toBeVisible();
  await page.getByLabel('Full name').fill('Mere Kingi');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Message').fill('My listing shows the wrong suburb.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeFocused();
  await expect(page.getByText(email)).toBeVisible();
  await expect
    .poll(async () => {
      const mails = (await (await fetch(`${mailbox}/email`)).json()) as { text: string; replyTo?: { address: string }[] }[];
      return mails.find((mail) => mail.replyTo?.[0]?.address === email)?.text ?? '';
    })
    .toContain('My listing shows the wrong suburb.');
});

test('the contact form has a member’s name and address filled in @phone', async ({ page }) => {
  await signIn(page);
  await page.goto('/contact');
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('buyer@example.com');
  await expect(page.getByLabel('Full name')).not.toHaveValue('');
});

test('forms say that they need JavaScript @phone @main', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  for (const path of ['/auth/login', '/auth/register', '/contact']) {
    await page.goto(path);
    await expect(page.locator('main')).toContainText('This form needs JavaScript.', { useInnerText: true });
  }
  await page.goto('/addList');
  await expect(page.locator('main')).toContainText('Listing your business needs JavaScript.', { useInnerText: true });
  await expect(page.getByRole('button', { name: 'Preview your listing' })).toBeHidden();
  await page.goto('/account');
  await expect(page.locator('main')).toContainText('This page needs JavaScript.', { useInnerText: true });
  await context.close();
});

test('a page says that it is offline, stays as it is, and continues when the connection is back @desk', async ({ page, context }) => {
  await page.goto('/contact');
  // The page registers it once it is interactive. A script that is still loading would fail.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await expect(page.locator('[data-late]')).not.toHaveCount(0);
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await page.getByLabel('Message').fill('Half a thought');
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Plumbing' });
  await link.click();
  await expect(page.getByText('This page stays as it is')).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue('Half a thought');
  await context.setOffline(false);
  await expect(page.getByText('You are offline. What')).toBeHidden();
  // The missing data has loaded now.
  await expect(page.locator('[data-late]')).toHaveCount(0);
  await link.click();
  await expect(page).toHaveURL(/\/services\/plumbing$/);
});

test('a slow page says that it is still loading @phone', async ({ page }) => {
  await signIn(page);
  const held = Promise.withResolvers<void>();
  await page.route('**/api/credit/all', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/account/payment');
  await expect(page.getByText('Still trying. Your connection may be slow.')).toBeVisible();
  // It takes no room, so that nothing moved when it came.
  const area = page.getByRole('status').filter({ hasText: 'Still trying' });
  expect((await area.locator('[aria-hidden]').first().boundingBox())?.y).toBe((await area.boundingBox())?.y);
  held.resolve();
  await expect(page.getByText('Still trying.')).toBeHidden();
});
