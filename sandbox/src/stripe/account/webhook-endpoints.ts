import { invalid } from '../calls/errors.ts';
import { metadata } from '../calls/fields.ts';
import { flag, list, type Params, required, text, webAddress } from '../calls/form.ts';
import type { WebhookEndpoint } from '../state/objects.ts';
import { newId, unixNow } from '../state/store.ts';
import type { World } from '../world.ts';

export const endpointParams = 'description enabled_events metadata url';
export const endpointChanges = `${endpointParams} disabled`;

/** As entered at the provider by whoever runs the site. Where there is none for the webhook's address, it gets every event. */
export function createEndpoint({ store }: World, params: Params): WebhookEndpoint {
  const endpoint: WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: text(params, 'api_version'),
    application: null,
    created: unixNow(),
    description: text(params, 'description'),
    enabled_events: required(eventsOf(params), 'enabled_events'),
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
    enabled_events: eventsOf(params) ?? before.enabled_events,
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

function eventsOf(params: Params) {
  const events = list(params, 'enabled_events');
  const strange = events.find((event) => !/^(\*|[a-z_0-9]+(\.[a-z_0-9]+)+)$/.test(event));
  if (strange !== undefined) throw invalid(`Invalid enabled_events: ${strange.slice(0, 100)}`, { param: 'enabled_events' });
  return events.length === 0 ? null : events;
}
