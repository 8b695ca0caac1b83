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
  const told = {
    elements: [] as StripeElementsOptionsMode[],
    created: [] as StripePaymentElementOptions[],
    updated: [] as StripeElementsUpdateOptions[],
    params: [] as (ConfirmationTokenCreateParams | undefined)[],
    mounted: [] as unknown[],
    destroyed: 0,
    order: [] as string[],
  };
  const hears = new Map<string, () => void>();
  const element = {
    on: (name: string, hear: () => void) => hears.set(name, hear),
    mount: (place: unknown) => void told.mounted.push(place),
    destroy: () => void (told.destroyed += 1),
  };
  const elements = {
    create: (_kind: 'payment', options: StripePaymentElementOptions) => {
      told.created.push(options);
      return element;
    },
    update: async (options: StripeElementsUpdateOptions) => {
      told.updated.push(options);
      await Promise.resolve();
      told.order.push('update');
    },
    submit: async () => {
      told.order.push('submit');
      return fails.submit ? { error: fails.submit } : { selectedPaymentMethod: 'card' };
    },
  };
  const stripe = {
    elements: (options: StripeElementsOptionsMode) => {
      told.elements.push(options);
      return elements;
    },
    createConfirmationToken: async ({ params }: { params?: ConfirmationTokenCreateParams }): Promise<ConfirmationTokenResult> => {
      told.order.push('token');
      told.params.push(params);
      if (fails.throws) throw new TypeError('the frame is gone');
      if (fails.token) return { error: fails.token };
      return { confirmationToken: { id: 'ctoken_1' } } as ConfirmationTokenResult;
    },
  };
  return { told, say: (name: 'ready' | 'loaderror') => hears.get(name)?.(), stripe: stripe as unknown as Stripe };
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
  const { told, form, seen, say } = open();
  expect(told.elements).toEqual([
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
  expect(told.created).toMatchObject([
    {
      defaultValues: { billingDetails: { name: 'Mere Kingi', email: 'mere@example.org' } },
      fields: { billingDetails: { name: 'never', email: 'never', address: 'if_required' } },
    },
  ]);
  const place = {} as HTMLElement;
  form.mount(place);
  expect(told.mounted).toEqual([place]);
  say('ready');
  say('loaderror');
  expect(seen).toEqual(['ready', 'problem']);
  form.destroy();
  expect(told.destroyed).toBe(1);
});

test('offers only cards, without an amount, to save a card', () => {
  const { told } = open({ kind: 'save' });
  expect(told.elements[0]).toMatchObject({ mode: 'setup', setupFutureUsage: 'on_session', allowedPaymentMethodTypes: ['card'] });
  expect(told.elements[0]).not.toHaveProperty('amount');
});

test('passes a new amount and the choice to save the card to the mounted form', () => {
  const { told, form } = open();
  form.change({ ...pay, amount: 1500, saveCard: true });
  expect(told.updated).toEqual([
    { amount: 1500, currency: 'aud', setupFutureUsage: 'on_session', allowedPaymentMethodTypes: ['card', 'link'] },
  ]);
  expect(told.elements).toHaveLength(1);
});

test('validates, then collects the card with its holder', async () => {
  const { told, form } = open();
  expect(await form.collect(billing)).toEqual({ token: 'ctoken_1' });
  expect(told.order).toEqual(['submit', 'token']);
  // The country of the folded address is only a default, so it is not sent.
  expect(told.params).toEqual([{ payment_method_data: { billing_details: { name: 'Mere Kingi', email: 'mere@example.org' } } }]);
});

test('sends the filled fields of the address', async () => {
  const { told, form } = open();
  await form.collect({ ...billing, city: 'Nelson' });
  expect(told.params[0]?.payment_method_data?.billing_details?.address).toEqual({ city: 'Nelson', country: 'NZ' });
});

test.each<[string, Purpose, boolean]>([
  ['a payment whose payer wants the card kept', { ...pay, saveCard: true }, true],
  ['a card that is saved', { kind: 'save' }, true],
  ['a payment', pay, false],
])('%s may show the card again: %o %s', async (_name, purpose, isShown) => {
  const { told, form } = open(purpose);
  await form.collect(billing);
  expect(told.params[0]?.payment_method_data?.allow_redisplay).toBe(isShown ? 'always' : undefined);
});

test('uses the choice made at the press', async () => {
  const { told, form } = open();
  form.change({ ...pay, saveCard: true });
  await form.collect(billing);
  // The form is updated before it is submitted.
  expect(told.order).toEqual(['update', 'submit', 'token']);
  expect(told.params[0]?.payment_method_data?.allow_redisplay).toBe('always');
});

test('shows field errors and collects nothing', async () => {
  const { told, form } = open(pay, { submit: { type: 'validation_error', message: 'Your card number is incomplete.' } });
  expect(await form.collect(billing)).toEqual({ error: 'Your card number is incomplete.' });
  expect(told.order).toEqual(['submit']);
});

test('shows our own text for a closed wallet', async () => {
  const { form } = open(pay, { submit: { type: 'validation_error', code: 'canceled' } });
  expect(await form.collect(billing)).toEqual({ error: 'You closed the payment window before it was finished. Nothing was charged.' });
});

test('explains a card declined while collecting by its purpose', async () => {
  const declined: StripeError = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'No.' };
  const told = async (purpose: Purpose) => open(purpose, { token: declined }).form.collect(billing);
  expect(await told(pay)).toEqual({ error: expect.stringContaining('Your listing is kept.') });
  expect(await told({ kind: 'save' })).toEqual({ error: expect.stringContaining('The card was not saved.') });
});

test('shows a text instead of throwing when the script breaks', async () => {
  const { form } = open(pay, { throws: true });
  expect(await form.collect(billing)).toEqual({ error: 'An unexpected error occurred. Please try again.' });
});

const key = { publishableKey: 'pk_test_1' };

test('loads the script once for all fields', async () => {
  const asked: string[] = [];
  const { stripe } = fakeStripe();
  const load = openScript(async (given) => {
    asked.push(given);
    return stripe;
  });
  expect(await Promise.all([load(key), load(key)])).toEqual([stripe, stripe]);
  expect(asked).toEqual(['pk_test_1']);
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
