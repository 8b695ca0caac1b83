import { createEndpoint, deleteEndpoint, endpointChanges, endpointParams, readAccount, updateEndpoint } from './account.ts';
import { authenticate } from './authentication.ts';
import { createConfirmationToken, tokenParams } from './confirmation-tokens.ts';
import { invalidRequest } from './errors.ts';
import type { Kind } from './objects.ts';
import { integer, nested, parseChoice, type Params, required, text } from './params.ts';
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  confirmPaymentParams,
  createPaymentIntent,
  createPaymentParams,
} from './payment-intents.ts';
import { createCustomer, customerParams, deleteCustomer, detachPaymentMethod } from './payment-methods.ts';
import { createRefund, refundParams } from './refunds.ts';
import { cancelSetupIntent, confirmSetupIntent, confirmSetupParams, createSetupIntent, createSetupParams } from './setup-intents.ts';
import type { World } from './world.ts';

/** `ids` are the values of `:id` in the path. */
type Handler = (world: World, params: Params, ...ids: string[]) => object;

export type Route = {
  method: string;
  path: RegExp;
  /** Other parameters are rejected, so that an ignored one does not seem to work. */
  takes: Set<string>;
  handler: Handler;
  /** Whether the publishable key may call it: for an `intent` with its client secret, for `anything`, or `only` that key. */
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

const listParams = 'limit starting_after created';

const page =
  (kind: Kind, url: string, fields: string): Handler =>
  ({ store }, params) => {
    const limit = integer(params, 'limit') ?? 10;
    if (limit < 1 || limit > 100) throw invalidRequest('Invalid limit: must be between 1 and 100', { param: 'limit' });
    const filters = words(fields)
      .filter((field) => field in params)
      .map((field) => [field, text(params, field)] as const);
    const created = nested(params, 'created');
    const bounds = ['gt', 'gte', 'lt', 'lte'].map((name) => [name, integer(created, name)] as const);
    const found = store.list(kind, {
      where: Object.fromEntries(filters),
      created: Object.fromEntries(bounds),
      limit,
      startingAfter: text(params, 'starting_after'),
    });
    return { object: 'list', ...found, url };
  };

const listing = (kind: Kind, path: string, fields: string) => route('GET', path, page(kind, path, fields), `${listParams} ${fields}`);

const withId =
  (handler: (world: World, params: Params, id: string) => object): Handler =>
  (world, params, id = '') =>
    handler(world, params, id);

export const routes: Route[] = [
  route('POST', '/v1/customers', createCustomer, customerParams),
  listing('customer', '/v1/customers', 'email'),
  route('GET', '/v1/customers/:id', find('customer')),
  route('DELETE', '/v1/customers/:id', withId(deleteCustomer)),

  route('GET', '/v1/payment_methods/:id', find('payment_method')),
  route('POST', '/v1/payment_methods/:id/detach', withId(detachPaymentMethod)),

  route('POST', '/v1/confirmation_tokens', createConfirmationToken, `${tokenParams} metadata`, 'only'),

  route('POST', '/v1/payment_intents', createPaymentIntent, createPaymentParams),
  listing('payment_intent', '/v1/payment_intents', 'customer'),
  route('GET', '/v1/payment_intents/:id', find('payment_intent'), 'client_secret', 'intent'),
  route('POST', '/v1/payment_intents/:id/confirm', withId(confirmPaymentIntent), confirmPaymentParams, 'intent'),
  route('POST', '/v1/payment_intents/:id/cancel', withId(cancelPaymentIntent), 'cancellation_reason'),

  route('POST', '/v1/setup_intents', createSetupIntent, createSetupParams),
  listing('setup_intent', '/v1/setup_intents', 'customer payment_method'),
  route('GET', '/v1/setup_intents/:id', find('setup_intent'), 'client_secret', 'intent'),
  route('POST', '/v1/setup_intents/:id/confirm', withId(confirmSetupIntent), confirmSetupParams, 'intent'),
  route('POST', '/v1/setup_intents/:id/cancel', withId(cancelSetupIntent), 'cancellation_reason'),

  listing('charge', '/v1/charges', 'customer payment_intent'),
  route('GET', '/v1/charges/:id', find('charge')),
  route('POST', '/v1/refunds', createRefund, refundParams),
  listing('refund', '/v1/refunds', 'charge payment_intent'),
  route('GET', '/v1/refunds/:id', find('refund')),
  listing('dispute', '/v1/disputes', 'charge payment_intent'),
  route('GET', '/v1/disputes/:id', find('dispute')),
  listing('radar.early_fraud_warning', '/v1/radar/early_fraud_warnings', 'charge payment_intent'),
  route('GET', '/v1/radar/early_fraud_warnings/:id', find('radar.early_fraud_warning')),
  listing('event', '/v1/events', 'type'),

  route('GET', '/v1/account', readAccount),
  route('POST', '/v1/webhook_endpoints', createEndpoint, `${endpointParams} api_version`),
  listing('webhook_endpoint', '/v1/webhook_endpoints', ''),
  route('POST', '/v1/webhook_endpoints/:id', withId(updateEndpoint), endpointChanges),
  route('DELETE', '/v1/webhook_endpoints/:id', withId(deleteEndpoint)),

  // Not a call of Stripe's API: it replaces what Stripe's script does at the bank, for a card form without it.
  route('POST', '/sandbox/authenticate', authenticateCall, 'client_secret outcome', 'anything'),
];

function authenticateCall(world: World, params: Params) {
  const outcome = required(parseChoice(params, 'outcome', ['success', 'fail']), 'outcome');
  return authenticate(world, required(text(params, 'client_secret'), 'client_secret'), outcome === 'success');
}
