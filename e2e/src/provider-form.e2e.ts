import { expect, expectAccessible, freshName, test } from './journey.ts';
import { buyPlan, newSeller, publish } from './selling.ts';

// Replaces the provider's script in the page: a field whose card is stored at the stand-in.
function makeBelieveScript(apiBase: string) {
  type Update = { setupFutureUsage?: string | null };
  const stripeCalls: unknown[] = [];
  const field = Object.assign(document.createElement('input'), { ariaLabel: 'Card of the provider' });
  const elements = (options: object) => {
    stripeCalls.push(options);
    let ready = () => {};
    const element = {
      on: (name: string, listener: () => void) => void (name === 'ready' && (ready = listener)),
      mount: (place: HTMLElement) => (place.append(field), setTimeout(ready)),
      destroy: () => field.remove(),
    };
    return { create: () => element, update: async (terms: Update) => void stripeCalls.push(terms), submit: async () => ({}) };
  };
  const createConfirmationToken = async ({ key }: { key: string }) => {
    const card = { number: field.value, exp_month: '12', exp_year: '40', cvc: '123' };
    const fields = Object.entries(card).map(([name, value]) => [`payment_method_data[card][${name}]`, value]);
    const body = new URLSearchParams([['key', key], ['payment_method_data[type]', 'card'], ...fields]);
    const answer = await (await fetch(`${apiBase}/v1/confirmation_tokens`, { method: 'POST', body })).json();
    return answer.error ? { error: answer.error } : { confirmationToken: answer };
  };
  const open = (key: string) => ({ elements, createConfirmationToken: () => createConfirmationToken({ key }) });
  const version = (document.currentScript as HTMLScriptElement).src.split('/').at(-2);
  Object.assign(window, { Stripe: Object.assign(open, { version }), stripeCalls });
}

// The sandbox's policy allows no script of the provider; the policy for real keys is tested with the other policies.
test.use({ bypassCSP: true, provoked: /^https:\/\/js\.stripe\.com$|net::ERR_FAILED/ });

test('the provider’s own form loads with real keys, is retried if it fails, and pays with the collected card @desk', async ({ page }) => {
  const seller = await newSeller(page);
  await buyPlan(page, seller, 'basic');
  const id = await publish(page, seller, 'basic', `Plasterer ${freshName()}`);
  let apiBase = '';
  await page.route('**/api/config', async (route) => {
    const config = await (await route.fetch()).json();
    apiBase = config.payments.apiBase;
    await route.fulfill({ json: { ...config, payments: { ...config.payments, mode: 'stripe' } } });
  });
  let isBlocked = true;
  await page.route('https://js.stripe.com/**', async (route) => {
    if (isBlocked) return route.abort();
    return route.fulfill({ contentType: 'text/javascript', body: `(${makeBelieveScript.toString()})(${JSON.stringify(apiBase)})` });
  });
  await page.goto(`/updatePlan/${id}`);
  await page.getByRole('radio', { name: /Featured/ }).check({ force: true });
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The payment form could not be loaded.' })).toBeVisible();
  isBlocked = false;
  await page.getByRole('button', { name: 'Try Again' }).click();
  const field = page.getByRole('textbox', { name: 'Card of the provider' });
  await expect(field).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Save this card for next time').check();
  await field.fill('4000000000000002');
  const pay = page.getByRole('button', { name: /^Pay \$2\d\.\d\d NZD$/ });
  await pay.click();
  await expect(page.getByRole('alert').first()).toContainText('Nothing was charged.');
  await field.fill('4242424242424242');
  await pay.click();
  await expect(page.getByText('Plan updated successfully')).toBeVisible();
  await expect(page.getByRole('article')).toContainText('Featured plan');
  const stripeCalls = await page.evaluate(() => (window as unknown as { stripeCalls: unknown[] }).stripeCalls);
  expect(stripeCalls[0]).toMatchObject({ mode: 'payment', currency: 'nzd', amount: expect.any(Number), setupFutureUsage: null });
  expect(stripeCalls.at(-1)).toMatchObject({ setupFutureUsage: 'on_session' });
  await page.goto('/account/payment');
  await expect(page.getByRole('button', { name: 'Delete Visa •••• 4242' })).toBeVisible();
});
