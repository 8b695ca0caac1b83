import { cardOfName, cardOfParams } from './cards.ts';
import { notFound, missingParam, rejection } from './errors.ts';
import type { Customer, PaymentMethod } from './objects.ts';
import { address, email, metadata, nested, parseChoice, only, type Params, required, parseShortText, text } from './params.ts';
import { newId, unixNow } from './store.ts';
import type { World } from './world.ts';

function createPaymentMethod({ store }: World, params: Params): PaymentMethod {
  required(parseChoice(params, 'type', ['card']), 'type');
  const method = newMethod(cardOfParams(nested(params, 'card')), params);
  store.save(method);
  return method;
}

function newMethod(card: PaymentMethod['card'], params: Params): PaymentMethod {
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: getDisplay(params) ?? 'unspecified',
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

const getDisplay = (params: Params) => parseChoice(params, 'allow_redisplay', ['always', 'limited', 'unspecified']);

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

/** Test methods such as `pm_card_visa` are a new method at each use. */
function methodOfName({ store }: World, name: string): PaymentMethod | null {
  const card = cardOfName(name);
  if (!card) return null;
  const method = newMethod(card, {});
  store.save(method);
  return method;
}

/** The method that a call names or describes. */
export function findMethod(world: World, params: Params): PaymentMethod | null {
  const id = text(params, 'payment_method');
  if (id !== null) return methodOfName(world, id) ?? world.store.findParam('payment_method', id, 'payment_method');
  return 'payment_method_data' in params ? createPaymentMethod(world, nested(params, 'payment_method_data')) : null;
}

/** Throws if this customer may not use the method; null means no customer. */
export function checkUsable({ store }: World, method: PaymentMethod, customer: string | null) {
  if (method.customer !== null && method.customer !== customer) {
    throw customer === null
      ? rejection('The payment method you provided belongs to a customer. Please include the Customer in the `customer` parameter.')
      : rejection(`The customer does not have a payment method with the ID ${method.id}.`, { param: 'payment_method' });
  }
  if (store.rows('select 1 from used_up where method_id = ?', method.id).length > 0) {
    throw rejection(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was detached from a ' +
        'Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    );
  }
}

/** The card networks report a new expiry date or number. */
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

/** The cardholder agreed to off-session payments. */
export const markSetUp = ({ store }: World, { id }: PaymentMethod) => store.run('insert or ignore into set_up values (?)', id);

export const isSetUp = ({ store }: World, { id }: PaymentMethod) => store.rows('select 1 from set_up where method_id = ?', id).length > 0;

export function attachMethod({ store, emit }: World, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer !== null) return method;
  const attached = { ...method, customer };
  store.save(attached);
  emit('payment_method.attached', attached);
  return attached;
}

export function detachPaymentMethod({ store, emit }: World, _params: Params, id: string): PaymentMethod {
  const method = store.find('payment_method', id);
  if (method.customer === null) {
    throw rejection('The payment method you provided is not attached to a customer so detachment is impossible.');
  }
  const detached = { ...method, customer: null };
  store.save(detached);
  store.run('insert or ignore into used_up values (?)', id);
  emit('payment_method.detached', detached);
  return detached;
}

export const customerParams = 'address description email metadata name phone';

export function createCustomer({ store, emit }: World, params: Params): Customer {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    address: address(params, 'address'),
    balance: 0,
    created: unixNow(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: parseShortText(params, 'description', 5000),
    discount: null,
    email: email(params, 'email'),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: metadata(params),
    name: parseShortText(params, 'name', 256),
    phone: parseShortText(params, 'phone', 20),
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  store.save(customer);
  emit('customer.created', customer);
  return customer;
}

/** Deletes its data and detaches its cards; the id can still be retrieved, as deleted. */
export function deleteCustomer({ store, emit }: World, _params: Params, id: string) {
  const customer = findCustomer({ store }, id);
  for (const method of store.list('payment_method', { where: { customer: id }, limit: 100 }).data) {
    store.save({ ...method, customer: null });
    store.run('insert or ignore into used_up values (?)', method.id);
  }
  const deleted = { id, object: 'customer', deleted: true } as unknown as Customer;
  store.save(deleted);
  emit('customer.deleted', customer);
  return deleted;
}

/** The customer that a parameter names; throws if it is unknown or deleted. */
export function getCustomerParam({ store }: Pick<World, 'store'>, id: string) {
  const customer = store.findParam('customer', id, 'customer');
  if (customer.deleted as unknown) throw missingParam(`customer: '${id}'`, 'customer');
  return customer;
}

/** The customer that the path names; throws if it is unknown or deleted. */
function findCustomer({ store }: Pick<World, 'store'>, id: string) {
  const customer = store.find('customer', id);
  if (customer.deleted as unknown) throw notFound(`customer: '${id}'`);
  return customer;
}
