import { readAccount } from './account/account.ts';
import { authenticate } from './intents/authentication.ts';
import { controlCalls } from './control-routes.ts';
import { openControl } from './control.ts';
import { createConfirmationToken, tokenParams } from './cards/confirmation-tokens.ts';
import { createCustomer, customerParams, deleteCustomer, updateCustomer } from './cards/customers.ts';
import { closeDispute, disputeParams, updateDispute } from './money/disputes.ts';
import { invalid, missing } from './calls/errors.ts';
import { integer, list, nested, oneOf, type Params, required, text } from './calls/form.ts';
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  confirmPaymentParams,
  createPaymentIntent,
  createPaymentParams,
  updatePaymentIntent,
  updatePaymentParams,
} from './intents/payment-intents.ts';
import {
  attachPaymentMethod,
  createPaymentMethod,
  detachPaymentMethod,
  methodChanges,
  paymentMethodParams,
  updatePaymentMethod,
} from './cards/payment-methods.ts';
import { cancelRefund, createRefund, refundParams, updateRefund } from './money/refunds.ts';
import {
  cancelSetupIntent,
  confirmSetupIntent,
  confirmSetupParams,
  createSetupIntent,
  createSetupParams,
  updateSetupIntent,
  updateSetupParams,
} from './intents/setup-intents.ts';
import type { Kind } from './state/objects.ts';
import { createEndpoint, deleteEndpoint, endpointChanges, endpointParams, updateEndpoint } from './account/webhook-endpoints.ts';
import type { World } from './world.ts';

/** `ids` are the parts of the path in place of `:id`. */
type Handler = (world: World, params: Params, ...ids: string[]) => object;

export type Route = {
  method: string;
  path: RegExp;
  /** Parameters other than these are refused: what the sandbox would ignore must not look as if it worked. */
  takes: Set<string>;
  handler: Handler;
  /** May be called with the publishable key: for an intent with its client secret, or for nothing stored yet; `only`: with no other. */
  browser: 'intent' | 'anything' | 'only' | null;
};

const words = (text: string) => text.split(' ').filter(Boolean);

const route = (method: string, path: string, handler: Handler, takes = '', browser: Route['browser'] = null): Route => ({
  method,
  path: new RegExp(`^${path.replaceAll(':id', String.raw`(\w+)`)}$`),
  takes: new Set([...words(takes), 'expand']),
  handler,
  browser,
});

const find =
  (kind: Kind): Handler =>
  ({ store }, _params, id = '') =>
    store.find(kind, id);

const listParams = 'limit starting_after ending_before created';

/** `types` are several of what `type` is one of. */
const filterOf = (params: Params, field: string) =>
  field === 'types' ? (['type', list(params, 'types')] as const) : ([field, text(params, field)] as const);

const page =
  (kind: Kind, path: string, fields: string): Handler =>
  ({ store }, params, customer) => {
    const limit = integer(params, 'limit') ?? 10;
    if (limit < 1 || limit > 100) throw invalid('Invalid limit: must be between 1 and 100', { param: 'limit' });
    const filters = words(fields)
      .filter((field) => field in params)
      .map((field) => filterOf(params, field));
    const created = nested(params, 'created');
    const bounds = ['gt', 'gte', 'lt', 'lte'].map((name) => [name, integer(created, name)] as const);
    const found = store.list(kind, {
      where: { ...Object.fromEntries(filters), ...(customer !== undefined && { customer }) },
      created: Object.fromEntries(bounds),
      limit,
      startingAfter: text(params, 'starting_after'),
      endingBefore: text(params, 'ending_before'),
    });
    return { object: 'list', ...found, url: path.replace(':id', customer ?? '') };
  };

const listing = (kind: Kind, path: string, fields: string) => route('GET', path, page(kind, path, fields), `${listParams} ${fields}`);

/** Methods belong to a customer: a list of everybody's is nothing that Stripe has. */
const methodsOf: Handler = (world, params) => {
  required(text(params, 'customer'), 'customer');
  return page('payment_method', '/v1/payment_methods', 'customer type')(world, params);
};

const methodOfCustomer: Handler = ({ store }, _params, customer, id = '') => {
  const method = store.find('payment_method', id);
  if (method.customer !== customer) throw missing(`PaymentMethod: '${id}'`);
  return method;
};

const withId =
  (handler: (world: World, params: Params, id: string) => object): Handler =>
  (world, params, id = '') =>
    handler(world, params, id);

export const routes: Route[] = [
  route('POST', '/v1/customers', createCustomer, customerParams),
  listing('customer', '/v1/customers', 'email'),
  route('GET', '/v1/customers/:id', find('customer')),
  route('POST', '/v1/customers/:id', withId(updateCustomer), customerParams),
  route('DELETE', '/v1/customers/:id', withId(deleteCustomer)),
  listing('payment_method', '/v1/customers/:id/payment_methods', 'type'),
  route('GET', '/v1/customers/:id/payment_methods/:id', methodOfCustomer),

  route('POST', '/v1/payment_methods', createPaymentMethod, paymentMethodParams, 'anything'),
  route('GET', '/v1/payment_methods', methodsOf, `${listParams} customer type`),
  route('GET', '/v1/payment_methods/:id', find('payment_method')),
  route('POST', '/v1/payment_methods/:id', withId(updatePaymentMethod), methodChanges),
  route('POST', '/v1/payment_methods/:id/attach', withId(attachPaymentMethod), 'customer'),
  route('POST', '/v1/payment_methods/:id/detach', withId(detachPaymentMethod)),

  route('POST', '/v1/confirmation_tokens', createConfirmationToken, `${tokenParams} metadata`, 'only'),
  route('POST', '/v1/test_helpers/confirmation_tokens', createConfirmationToken, tokenParams),
  route('GET', '/v1/confirmation_tokens/:id', find('confirmation_token')),

  route('POST', '/v1/payment_intents', createPaymentIntent, createPaymentParams),
  listing('payment_intent', '/v1/payment_intents', 'customer'),
  route('GET', '/v1/payment_intents/:id', find('payment_intent'), 'client_secret', 'intent'),
  route('POST', '/v1/payment_intents/:id', withId(updatePaymentIntent), updatePaymentParams),
  route('POST', '/v1/payment_intents/:id/confirm', withId(confirmPaymentIntent), confirmPaymentParams, 'intent'),
  route('POST', '/v1/payment_intents/:id/cancel', withId(cancelPaymentIntent), 'cancellation_reason'),

  route('POST', '/v1/setup_intents', createSetupIntent, createSetupParams),
  listing('setup_intent', '/v1/setup_intents', 'customer payment_method'),
  route('GET', '/v1/setup_intents/:id', find('setup_intent'), 'client_secret', 'intent'),
  route('POST', '/v1/setup_intents/:id', withId(updateSetupIntent), updateSetupParams),
  route('POST', '/v1/setup_intents/:id/confirm', withId(confirmSetupIntent), confirmSetupParams, 'intent'),
  route('POST', '/v1/setup_intents/:id/cancel', withId(cancelSetupIntent), 'cancellation_reason'),

  listing('charge', '/v1/charges', 'customer payment_intent'),
  route('GET', '/v1/charges/:id', find('charge')),
  route('POST', '/v1/refunds', createRefund, refundParams),
  listing('refund', '/v1/refunds', 'charge payment_intent'),
  route('GET', '/v1/refunds/:id', find('refund')),
  route('POST', '/v1/refunds/:id', withId(updateRefund), 'metadata'),
  route('POST', '/v1/refunds/:id/cancel', withId(cancelRefund)),
  listing('dispute', '/v1/disputes', 'charge payment_intent'),
  route('GET', '/v1/disputes/:id', find('dispute')),
  route('POST', '/v1/disputes/:id', withId(updateDispute), disputeParams),
  route('POST', '/v1/disputes/:id/close', withId(closeDispute)),
  listing('radar.early_fraud_warning', '/v1/radar/early_fraud_warnings', 'charge payment_intent'),
  route('GET', '/v1/radar/early_fraud_warnings/:id', find('radar.early_fraud_warning')),
  listing('balance_transaction', '/v1/balance_transactions', 'currency source type'),
  route('GET', '/v1/balance_transactions/:id', find('balance_transaction')),
  listing('event', '/v1/events', 'type types'),
  route('GET', '/v1/events/:id', find('event')),

  route('GET', '/v1/account', readAccount),
  route('POST', '/v1/webhook_endpoints', createEndpoint, `${endpointParams} api_version`),
  listing('webhook_endpoint', '/v1/webhook_endpoints', ''),
  route('GET', '/v1/webhook_endpoints/:id', find('webhook_endpoint')),
  route('POST', '/v1/webhook_endpoints/:id', withId(updateEndpoint), endpointChanges),
  route('DELETE', '/v1/webhook_endpoints/:id', withId(deleteEndpoint)),

  // Not a call of Stripe's: what its own script does with the bank, for a card form without that script.
  route('POST', '/sandbox/authenticate', authenticateCall, 'client_secret outcome', 'anything'),
  ...Object.entries(controlCalls).map(([name, { takes, call }]) =>
    route(
      'POST',
      `/sandbox/${name}`,
      (world, params) =>
        call(
          openControl((work) => work(world)),
          params,
          world.trouble,
        ),
      takes,
    ),
  ),
];

function authenticateCall(world: World, params: Params) {
  const outcome = required(oneOf(params, 'outcome', ['success', 'fail']), 'outcome');
  return authenticate(world, required(text(params, 'client_secret'), 'client_secret'), outcome === 'success');
}
