import { expect, freshName, delayScripts, test } from './journey.ts';

test('a visitor saves a listing, registers and finds it saved; one tap removes it, also after a reload @phone @main', async ({ page }) => {
  const name = freshName();
  // A tap before the script has loaded: the heart is a link with the pending action.
  const release = await delayScripts(page);
  await page.goto('/services/plumbing', { waitUntil: 'domcontentloaded' });
  const title = (await page.getByRole('article').first().getByRole('heading').textContent()) ?? '';
  await page
    .getByRole('article')
    .first()
    .getByRole('link', { name: `Save ${title}` })
    .click();
  await expect(page).toHaveURL(/\/auth\/login/);
  release();
  await page.getByRole('link', { name: 'Register now' }).click();
  await page.getByLabel('Full name').fill('Aroha Ngata');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('textbox', { name: 'Email' }).fill(`${name}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill('pohutukawa-9');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Saved to your list')).toBeVisible();

  await page.goto('/mylistings/saved');
  await expect(page.getByText('1 listing', { exact: true })).toBeVisible();
  const heart = page.getByRole('button', { name: `Save ${title}` });
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  const removed = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await removed;
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No saved listings' })).toBeVisible();
});
