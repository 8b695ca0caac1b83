import { address, metadata, type Params, text } from './form.ts';
import { missing } from './errors.ts';
import type { Customer } from './objects.ts';
import { newId, unixNow } from './store.ts';
import type { World } from './world.ts';

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
    description: text(params, 'description'),
    discount: null,
    email: text(params, 'email'),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: metadata(params),
    name: text(params, 'name'),
    phone: text(params, 'phone'),
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
  const customer = findCustomer({ store }, id, 'id');
  for (const field of ['description', 'email', 'name', 'phone'] as const) {
    if (field in params) customer[field] = text(params, field);
  }
  if ('address' in params) customer.address = address(params, 'address');
  customer.metadata = metadata(params, customer.metadata);
  store.save(customer);
  emit('customer.updated', customer);
  return customer;
}

/** Its name and its cards go; the id stays known, as a deleted one. */
export function deleteCustomer({ store, emit }: World, _params: Params, id: string) {
  const customer = findCustomer({ store }, id, 'id');
  for (const method of store.list('payment_method', { where: { customer: id }, limit: 100 }).data) {
    store.save({ ...method, customer: null });
    store.run('insert or ignore into used_up values (?)', method.id);
  }
  const deleted = { id, object: 'customer', deleted: true } as unknown as Customer;
  store.save(deleted);
  emit('customer.deleted', customer);
  return deleted;
}

/** One that is there and not deleted. */
export function findCustomer({ store }: Pick<World, 'store'>, id: string, param = 'customer') {
  const customer = store.find('customer', id, param);
  if (customer.deleted as unknown) throw missing('customer', id, param);
  return customer;
}
