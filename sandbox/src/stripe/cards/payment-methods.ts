import { cardOfName, cardOfParams, newExpiry } from './cards.ts';
import { namedCustomer } from './customers.ts';
import { refused, Refusal } from '../calls/errors.ts';
import { address, email, metadata, only } from '../calls/fields.ts';
import { nested, oneOf, type Params, required, text } from '../calls/form.ts';
import type { PaymentMethod } from '../state/objects.ts';
import { newId, unixNow } from '../state/store.ts';
import { testCardOf } from './test-cards.ts';
import type { World } from '../world.ts';

export const paymentMethodParams = 'type card billing_details metadata allow_redisplay';

export function createPaymentMethod({ store }: World, params: Params): PaymentMethod {
  required(oneOf(params, 'type', ['card']), 'type');
  const method = newMethod(cardOfParams(nested(params, 'card')), params);
  store.save(method);
  return method;
}

function newMethod(card: PaymentMethod['card'], params: Params): PaymentMethod {
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: displayOf(params) ?? 'unspecified',
    billing_details: billingDetails(nested(params, 'billing_details')),
    card,
    created: unixNow(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: metadata(params),
    type: 'card',
  };
}

const displayOf = (params: Params) => oneOf(params, 'allow_redisplay', ['always', 'limited', 'unspecified']);

function billingDetails(params: Params) {
  only(params, ['address', 'email', 'name', 'phone', 'tax_id'], 'billing_details');
  return {
    address: address(params, 'address') ?? address({ address: {} }, 'address'),
    email: email(params, 'email'),
    name: text(params, 'name'),
    phone: text(params, 'phone'),
    tax_id: null,
  };
}

/** `pm_card_visa` and the like are a new method at each use. */
function methodOfName({ store }: World, name: string): PaymentMethod | null {
  const card = cardOfName(name);
  if (!card) return null;
  const method = newMethod(card, {});
  store.save(method);
  return method;
}

/** The method that a call names or describes, or null. */
export function givenMethod(world: World, params: Params): PaymentMethod | null {
  const id = text(params, 'payment_method');
  if (id !== null) return methodOfName(world, id) ?? world.store.named('payment_method', id, 'payment_method');
  return 'payment_method_data' in params ? createPaymentMethod(world, nested(params, 'payment_method_data')) : null;
}

/** Throws where a payment or a set-up for this customer (null: for nobody) may not use the method. */
export function mayUse({ store }: World, method: PaymentMethod, customer: string | null) {
  if (method.customer !== null && method.customer !== customer) {
    throw customer === null
      ? refused('The payment method you provided belongs to a customer. Please include the Customer in the `customer` parameter.')
      : refused(`The customer does not have a payment method with the ID ${method.id}.`, { param: 'payment_method' });
  }
  if (store.rows('select 1 from used_up where method_id = ?', method.id).length > 0) {
    throw refused(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was detached from a ' +
        'Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    );
  }
}

export const methodChanges = 'allow_redisplay billing_details card metadata';

export function updatePaymentMethod({ store, emit }: World, params: Params, id: string): PaymentMethod {
  const method = store.find('payment_method', id);
  if (method.customer === null) throw refused('You must save this PaymentMethod to a customer before you can update it.');
  if ('billing_details' in params) method.billing_details = billingDetails(nested(params, 'billing_details'));
  method.card = { ...method.card, ...newExpiry(nested(params, 'card'), method.card) };
  method.allow_redisplay = displayOf(params) ?? method.allow_redisplay ?? 'unspecified';
  method.metadata = metadata(params, method.metadata);
  store.save(method);
  emit('payment_method.updated', method);
  return method;
}

/** The bank tells the networks that a card has a new date or number: nobody asked for it. */
export function renewCard(
  { store, emit }: World,
  id: string,
  renewed: Partial<Pick<PaymentMethod['card'], 'exp_month' | 'exp_year' | 'last4'>>,
) {
  const method = store.find('payment_method', id);
  const after = { ...method, card: { ...method.card, ...renewed } };
  store.save(after);
  emit('payment_method.automatically_updated', after);
  return after;
}

/** The cardholder agreed to payments without them. */
export const setUp = ({ store }: World, { id }: PaymentMethod) => store.run('insert or ignore into set_up values (?)', id);

export const isSetUp = ({ store }: World, { id }: PaymentMethod) => store.rows('select 1 from set_up where method_id = ?', id).length > 0;

export function attachPaymentMethod(world: World, params: Params, id: string): PaymentMethod {
  const customer = namedCustomer(world, required(text(params, 'customer'), 'customer'));
  const method = methodOfName(world, id) ?? world.store.find('payment_method', id);
  if (method.customer === customer.id) return method;
  if (method.customer !== null) throw refused('The payment method you provided has already been attached to a customer.');
  mayUse(world, method, customer.id);
  const { decline, savable } = testCardOf(method.card);
  if (decline && !savable) throw new Refusal(402, { type: 'card_error', ...decline });
  return keepMethod(world, method, customer.id);
}

export function keepMethod({ store, emit }: World, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer !== null) return method;
  const kept = { ...method, customer };
  store.save(kept);
  emit('payment_method.attached', kept);
  return kept;
}

export function detachPaymentMethod({ store, emit }: World, _params: Params, id: string): PaymentMethod {
  const method = store.find('payment_method', id);
  if (method.customer === null) {
    throw refused('The payment method you provided is not attached to a customer so detachment is impossible.');
  }
  const detached = { ...method, customer: null };
  store.save(detached);
  store.run('insert or ignore into used_up values (?)', id);
  emit('payment_method.detached', detached);
  return detached;
}
