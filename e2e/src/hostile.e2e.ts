import { expect, freshName, signIn, test } from './journey.ts';

const attack = '<img src=x onerror="globalThis.harmed=true"><script>globalThis.harmed=true</script>';

test('markup in a listing’s texts is shown as text and runs nothing @desk', async ({ page }) => {
  await signIn(page);
  await page.route('**/api/search', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const listing of body.listings)
      Object.assign(listing, { serviceTitle: attack, businessTitle: attack, serviceDescription: attack, location: attack });
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto('/home');
  await expect(page.getByRole('article').first()).toContainText('onerror');
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
});

test('markup in an address is shown as text and runs nothing @phone', async ({ page }) => {
  await signIn(page);
  await page.goto(`/search?q=${encodeURIComponent(attack)}`);
  await expect(page.getByText('No listings found')).toBeVisible();
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  const answer = await page.goto(`/services/${encodeURIComponent(attack)}`);
  expect(answer?.status()).toBe(404);
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
});

test.describe('injected script', () => {
  test.use({ provoked: /Content Security Policy/ });
  test('is blocked by the page’s policy @desk @main', async ({ page }) => {
    await page.goto('/');
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.harmed = true';
      document.body.append(script);
      return 'harmed' in window;
    });
    expect(ran).toBe(false);
  });
});

test('the form says how long to wait after ten wrong passwords, and a known browser may still sign in @phone', async ({ page }) => {
  const name = freshName();
  const member = { fullName: 'Mere Kingi', username: name, email: `${name}@example.org`, password: 'the-right-one' };
  const { device } = await (await page.request.post('/api/auth/register', { data: member })).json();
  for (let index = 0; index < 10; index += 1) {
    await page.request.post('/api/auth/login', { data: { email: member.email, password: 'guessed' } });
  }
  // Without the cookie of the registration, which would sign the page in.
  await page.context().clearCookies();
  await page.goto('/auth/login');
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email);
  await page.getByLabel('Password', { exact: true }).fill(member.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Too many attempts. Please try again in 15 minutes.' })).toBeVisible();
  await page.evaluate((known) => localStorage.setItem('device', known), device);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/home');
  expect(await page.evaluate(() => localStorage.getItem('device'))).toBe(device);
});

test('a reserved name and invisible characters are rejected at their field @desk', async ({ page }) => {
  await page.goto('/auth/register');
  await page.getByLabel('Full name').fill('Handwise Support');
  await page.getByLabel('Username').fill('Adm1n_NZ');
  await page.getByRole('textbox', { name: 'Email' }).fill('somebody@example.org');
  await page.getByLabel('Password', { exact: true }).fill('kowhai-blossom');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('This name is reserved').first()).toBeVisible();
  await expect(page.getByText('This username is reserved').first()).toBeVisible();
  await page.getByLabel('Full name').fill('Mere \u202eignK');
  await expect(page.getByText('Use text without characters that change the direction of writing').first()).toBeVisible();
  await page.getByLabel('Full name').fill('\u200b\u200b');
  await expect(page.getByText('Use characters that can be seen').first()).toBeVisible();
});
