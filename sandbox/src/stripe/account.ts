import type Stripe from 'stripe';
import { invalidRequest } from './errors.ts';
import type { WebhookEndpoint } from './objects.ts';
import { flag, list, metadata, type Params, required, text, webAddress } from './params.ts';
import { newId, unixNow } from './store.ts';
import type { Statement, World } from './world.ts';

const founded = 1_760_000_000;

/** The account of the keys, able to take cards. */
export const readAccount = ({ store, statement }: World): Stripe.Account => ({
  id: store.scope.account,
  object: 'account',
  business_profile: {
    mcc: '1520',
    minority_owned_business_designation: null,
    name: 'Sandbox',
    specified_commercial_transactions_act_url: null,
    support_address: null,
    support_email: null,
    support_phone: null,
    support_url: null,
    url: null,
  },
  business_type: 'company',
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'NZ',
  created: founded,
  default_currency: 'nzd',
  details_submitted: true,
  email: null,
  metadata: {},
  payouts_enabled: true,
  settings: {
    branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
    card_payments: {
      statement_descriptor_prefix: statement.prefix,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    dashboard: { display_name: 'Sandbox', timezone: 'Pacific/Auckland' },
    payments: {
      statement_descriptor: statement.descriptor,
      statement_descriptor_kana: null,
      statement_descriptor_kanji: null,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
  },
  type: 'standard',
});

export const defaultStatement: Statement = { prefix: 'SANDBOX', descriptor: 'SANDBOX' };

const longestPrefix = 10;
const longest = 22;

/** The part before a suffix: the prefix, or the beginning of the descriptor. */
const getPrefix = ({ prefix, descriptor }: Statement) => prefix ?? descriptor?.slice(0, longestPrefix) ?? null;

export function checkSuffix({ statement }: World, suffix: string | null): void {
  if (suffix === null || getPrefix(statement) !== null) return;
  const message =
    'A statement descriptor suffix needs a statement descriptor or a prefix of it in the settings of the account, which has neither.';
  throw invalidRequest(message, { param: 'statement_descriptor_suffix' });
}

/** The text of a charge on the payer's statement. */
export const getStatement = ({ statement }: World, suffix: string | null) =>
  suffix === null ? (statement.descriptor ?? statement.prefix) : `${getPrefix(statement) ?? ''}* ${suffix}`.slice(0, longest);

export const endpointParams = 'description enabled_events metadata url';
export const endpointChanges = `${endpointParams} disabled`;

/** Registers a webhook. An address without an endpoint gets every event. */
export function createEndpoint({ store }: World, params: Params): WebhookEndpoint {
  const endpoint: WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: text(params, 'api_version'),
    application: null,
    created: unixNow(),
    description: text(params, 'description'),
    enabled_events: required(getEvents(params), 'enabled_events'),
    livemode: false,
    metadata: metadata(params),
    status: 'enabled',
    url: required(webAddress(params, 'url'), 'url'),
  };
  store.save(endpoint);
  return { ...endpoint, secret: newId('whsec') };
}

export function updateEndpoint({ store }: World, params: Params, id: string): WebhookEndpoint {
  const before = store.find('webhook_endpoint', id);
  const disabled = flag(params, 'disabled');
  const endpoint: WebhookEndpoint = {
    ...before,
    description: 'description' in params ? text(params, 'description') : before.description,
    enabled_events: getEvents(params) ?? before.enabled_events,
    metadata: metadata(params, before.metadata),
    status: disabled === null ? before.status : disabled ? 'disabled' : 'enabled',
    url: webAddress(params, 'url') ?? before.url,
  };
  store.save(endpoint);
  return endpoint;
}

export function deleteEndpoint({ store }: World, _params: Params, id: string) {
  store.find('webhook_endpoint', id);
  store.remove(id);
  return { id, object: 'webhook_endpoint', deleted: true };
}

function getEvents(params: Params) {
  const events = list(params, 'enabled_events');
  const strange = events.find((event) => !/^(\*|[a-z_0-9]+(\.[a-z_0-9]+)+)$/.test(event));
  if (strange !== undefined) throw invalidRequest(`Invalid enabled_events: ${strange.slice(0, 100)}`, { param: 'enabled_events' });
  return events.length === 0 ? null : events;
}
