import { missing, missingNamed } from '../calls/errors.ts';
import { address, email, metadata, shortText } from '../calls/fields.ts';
import type { Params } from '../calls/form.ts';
import type { Customer } from '../state/objects.ts';
import { newId, unixNow } from '../state/store.ts';
import type { World } from '../world.ts';

export const customerParams = 'address description email metadata name phone';

const fields = {
  description: (params: Params) => shortText(params, 'description', 5000),
  email: (params: Params) => email(params, 'email'),
  name: (params: Params) => shortText(params, 'name', 256),
  phone: (params: Params) => shortText(params, 'phone', 20),
};

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
    description: fields.description(params),
    discount: null,
    email: fields.email(params),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: metadata(params),
    name: fields.name(params),
    phone: fields.phone(params),
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  store.save(customer);
  emit('customer.created', customer);
  return customer;
}

export function updateCustomer({ store, emit }: World, params: Params, id: string): Customer {
  const customer = findCustomer({ store }, id);
  for (const field of ['description', 'email', 'name', 'phone'] as const) {
    if (field in params) customer[field] = fields[field](params);
  }
  if ('address' in params) customer.address = address(params, 'address');
  customer.metadata = metadata(params, customer.metadata);
  store.save(customer);
  emit('customer.updated', customer);
  return customer;
}

/** Its name and its cards go; the id stays known, as a deleted one. */
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

/** The one that a parameter names, which is there and not deleted. */
export function namedCustomer({ store }: Pick<World, 'store'>, id: string) {
  const customer = store.named('customer', id, 'customer');
  if (customer.deleted as unknown) throw missingNamed(`customer: '${id}'`, 'customer');
  return customer;
}

/** The one that the call's address names. */
function findCustomer({ store }: Pick<World, 'store'>, id: string) {
  const customer = store.find('customer', id);
  if (customer.deleted as unknown) throw missing(`customer: '${id}'`);
  return customer;
}
