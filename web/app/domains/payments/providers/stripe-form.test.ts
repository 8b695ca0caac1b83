import type { BillingDetails } from '@handwise/contract/payments/calls';
import type {
  ConfirmationTokenCreateParams,
  ConfirmationTokenResult,
  Stripe,
  StripeElementsOptionsMode,
  StripeElementsUpdateOptions,
  StripeError,
  StripePaymentElementOptions,
} from '@stripe/stripe-js';
import { expect, test } from 'vitest';
import type { Purpose } from './card-outcome-view.ts';
import { openStripeForm } from './stripe-form.ts';
import { openScript, settled } from './stripe-script.ts';

type Fails = { submit?: StripeError; token?: StripeError; throws?: boolean };

/** A fake of the provider's script that records the calls of the form. */
function fakeStripe(fails: Fails = {}) {
  const calls = {
    elements: [] as StripeElementsOptionsMode[],
    created: [] as StripePaymentElementOptions[],
    updated: [] as StripeElementsUpdateOptions[],
    params: [] as (ConfirmationTokenCreateParams | undefined)[],
    mounted: [] as unknown[],
    destroyed: 0,
    order: [] as string[],
  };
  const listeners = new Map<string, () => void>();
  const element = {
    on: (name: string, listener: () => void) => listeners.set(name, listener),
    mount: (place: unknown) => void calls.mounted.push(place),
    destroy: () => void (calls.destroyed += 1),
  };
  const elements = {
    create: (_kind: 'payment', options: StripePaymentElementOptions) => {
      calls.created.push(options);
      return element;
    },
    update: async (options: StripeElementsUpdateOptions) => {
      calls.updated.push(options);
      await Promise.resolve();
      calls.order.push('update');
    },
    submit: async () => {
      calls.order.push('submit');
      return fails.submit ? { error: fails.submit } : { selectedPaymentMethod: 'card' };
    },
  };
  const stripe = {
    elements: (options: StripeElementsOptionsMode) => {
      calls.elements.push(options);
      return elements;
    },
    createConfirmationToken: async ({ params }: { params?: ConfirmationTokenCreateParams }): Promise<ConfirmationTokenResult> => {
      calls.order.push('token');
      calls.params.push(params);
      if (fails.throws) throw new TypeError('the frame is gone');
      if (fails.token) return { error: fails.token };
      return { confirmationToken: { id: 'ctoken_1' } } as ConfirmationTokenResult;
    },
  };
  return { calls, fire: (name: 'ready' | 'loaderror') => listeners.get(name)?.(), stripe: stripe as unknown as Stripe };
}

const pay: Purpose = { kind: 'pay', amount: 2500, currency: 'AUD', saveCard: false };
const billing: BillingDetails = { name: 'Mere Kingi', email: 'mere@example.org', line1: '', city: '', postalCode: '', country: 'NZ' };

function open(purpose: Purpose = pay, fails?: Fails) {
  const fake = fakeStripe(fails);
  const seen: string[] = [];
  const form = openStripeForm(fake.stripe, {
    purpose,
    payer: { name: 'Mere Kingi', email: 'mere@example.org' },
    appearance: { theme: 'flat' },
    onReady: () => seen.push('ready'),
    onProblem: () => seen.push('problem'),
  });
  return { ...fake, form, seen };
}

test('mounts the form with an amount and no secret, for cards, wallets and Link', () => {
  const { calls, form, seen, fire } = open();
  expect(calls.elements).toEqual([
    {
      mode: 'payment',
      amount: 2500,
      currency: 'aud',
      setupFutureUsage: null,
      allowedPaymentMethodTypes: ['card', 'link'],
      appearance: { theme: 'flat' },
      locale: 'en-NZ',
    },
  ]);
  expect(calls.created).toMatchObject([
    {
      defaultValues: { billingDetails: { name: 'Mere Kingi', email: 'mere@example.org' } },
      fields: { billingDetails: { name: 'never', email: 'never', address: 'if_required' } },
    },
  ]);
  const place = {} as HTMLElement;
  form.mount(place);
  expect(calls.mounted).toEqual([place]);
  fire('ready');
  fire('loaderror');
  expect(seen).toEqual(['ready', 'problem']);
  form.destroy();
  expect(calls.destroyed).toBe(1);
});

test('offers only cards, without an amount, to save a card', () => {
  const { calls } = open({ kind: 'save' });
  expect(calls.elements[0]).toMatchObject({ mode: 'setup', setupFutureUsage: 'on_session', allowedPaymentMethodTypes: ['card'] });
  expect(calls.elements[0]).not.toHaveProperty('amount');
});

test('passes a new amount and the choice to save the card to the mounted form', () => {
  const { calls, form } = open();
  form.change({ ...pay, amount: 1500, saveCard: true });
  expect(calls.updated).toEqual([
    { amount: 1500, currency: 'aud', setupFutureUsage: 'on_session', allowedPaymentMethodTypes: ['card', 'link'] },
  ]);
  expect(calls.elements).toHaveLength(1);
});

test('validates, then collects the card with its holder', async () => {
  const { calls, form } = open();
  expect(await form.collect(billing)).toEqual({ token: 'ctoken_1' });
  expect(calls.order).toEqual(['submit', 'token']);
  // The country of the folded address is only a default, so it is not sent.
  expect(calls.params).toEqual([{ payment_method_data: { billing_details: { name: 'Mere Kingi', email: 'mere@example.org' } } }]);
});

test('sends the filled fields of the address', async () => {
  const { calls, form } = open();
  await form.collect({ ...billing, city: 'Nelson' });
  expect(calls.params[0]?.payment_method_data?.billing_details?.address).toEqual({ city: 'Nelson', country: 'NZ' });
});

test.each<[string, Purpose, boolean]>([
  ['a payment whose payer wants the card kept', { ...pay, saveCard: true }, true],
  ['a card that is saved', { kind: 'save' }, true],
  ['a payment', pay, false],
])('%s may show the card again: %o %s', async (_name, purpose, isShown) => {
  const { calls, form } = open(purpose);
  await form.collect(billing);
  expect(calls.params[0]?.payment_method_data?.allow_redisplay).toBe(isShown ? 'always' : undefined);
});

test('uses the choice made at the press', async () => {
  const { calls, form } = open();
  form.change({ ...pay, saveCard: true });
  await form.collect(billing);
  // The form is updated before it is submitted.
  expect(calls.order).toEqual(['update', 'submit', 'token']);
  expect(calls.params[0]?.payment_method_data?.allow_redisplay).toBe('always');
});

test('shows field errors and collects nothing', async () => {
  const { calls, form } = open(pay, { submit: { type: 'validation_error', message: 'Your card number is incomplete.' } });
  expect(await form.collect(billing)).toEqual({ error: 'Your card number is incomplete.' });
  expect(calls.order).toEqual(['submit']);
});

test('shows our own text for a closed wallet', async () => {
  const { form } = open(pay, { submit: { type: 'validation_error', code: 'canceled' } });
  expect(await form.collect(billing)).toEqual({ error: 'You closed the payment window before it was finished. Nothing was charged.' });
});

test('explains a card declined while collecting by its purpose', async () => {
  const declined: StripeError = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'No.' };
  const collect = async (purpose: Purpose) => open(purpose, { token: declined }).form.collect(billing);
  expect(await collect(pay)).toEqual({ error: expect.stringContaining('Your listing is kept.') });
  expect(await collect({ kind: 'save' })).toEqual({ error: expect.stringContaining('The card was not saved.') });
});

test('shows a text instead of throwing when the script breaks', async () => {
  const { form } = open(pay, { throws: true });
  expect(await form.collect(billing)).toEqual({ error: 'An unexpected error occurred. Please try again.' });
});

const key = { publishableKey: 'pk_test_1' };

test('loads the script once for all fields', async () => {
  const keys: string[] = [];
  const { stripe } = fakeStripe();
  const load = openScript(async (publishableKey) => {
    keys.push(publishableKey);
    return stripe;
  });
  expect(await Promise.all([load(key), load(key)])).toEqual([stripe, stripe]);
  expect(keys).toEqual(['pk_test_1']);
});

test('reports a blocked script, and loads it again on the next attempt', async () => {
  const { stripe } = fakeStripe();
  let tries = 0;
  const load = openScript(async () => {
    tries += 1;
    if (tries === 1) throw new Error('Failed to load Stripe.js');
    return stripe;
  });
  expect(await load(key)).toBeNull();
  expect(await load(key)).toBe(stripe);
});

test('gives up on a script that never loads, and uses it if it arrives late', async () => {
  const { stripe } = fakeStripe();
  let arrive: (stripe: Stripe) => void = () => {};
  const load = openScript(() => new Promise((resolve) => (arrive = resolve)), 1);
  expect(await load(key)).toBeNull();
  arrive(stripe);
  expect(await load(key)).toBe(stripe);
});

test('distinguishes approval, rejection and pending; a broken script is no success', async () => {
  const intent = (status: string) => ({ paymentIntent: { id: 'pi_1', status } });
  expect(await settled(Promise.resolve(intent('succeeded')), 'pay')).toEqual({ status: 'succeeded', id: 'pi_1' });
  expect(await settled(Promise.resolve(intent('processing')), 'pay')).toEqual({ status: 'processing', id: 'pi_1' });
  const refused = { type: 'invalid_request_error', code: 'payment_intent_authentication_failure', message: 'No.' };
  expect(await settled(Promise.resolve({ error: refused }), 'pay')).toEqual({
    error: expect.stringContaining('Your bank could not confirm'),
  });
  const setup = { setupIntent: { id: 'seti_1', status: 'requires_payment_method', last_setup_error: refused } };
  expect(await settled(Promise.resolve(setup), 'save')).toEqual({ error: expect.stringContaining('The card was not saved.') });
  expect(await settled(Promise.reject(new Error('gone')), 'pay')).toEqual({ error: 'An unexpected error occurred. Please try again.' });
  expect(await settled(Promise.resolve({}), 'pay')).toEqual({ error: 'An unexpected error occurred. Please try again.' });
});
