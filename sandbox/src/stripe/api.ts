import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid, Refusal } from './errors.ts';
import { parseForm, type Params, text } from './form.ts';
import { findIntent, forBrowser } from './intents.ts';
import { expand, type Route, routes } from './routes.ts';
import { newId } from './store.ts';
import type { Webhooks } from './webhooks.ts';
import type { World } from './world.ts';

export type ApiRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  headers: Record<string, string | string[] | undefined>;
};
export type ApiAnswer = { status: number; body: string; headers: Record<string, string> };

type Options = {
  world: Omit<World, 'emit'>;
  webhooks: Webhooks;
  /** Whether events made now go to the webhook. */
  deliver: () => boolean;
  secretKey: string;
  publishableKey: string;
};

type Outcome = { status: number; document: object };

/** Answers calls of the API, whatever they send. Each is one transaction with its events and its stored answer. */
export function openApi({ world, webhooks, deliver, secretKey, publishableKey }: Options) {
  const { store } = world;

  function worldOf(request: { id: string | null; idempotency_key: string | null }): World {
    return { ...world, emit: (type, object) => webhooks.record(type, object, request, deliver()) };
  }

  function answer(request: ApiRequest): ApiAnswer {
    const requestId = newId('req');
    const headers = { 'content-type': 'application/json', 'request-id': requestId };
    const key = headerOf(request, 'idempotency-key');
    try {
      const params = parseForm(request.method === 'POST' ? new URLSearchParams(request.body) : request.query);
      const byBrowser = isBrowser(request, params);
      const { route, ids } = routeOf(request);
      const run = () => execute(worldOf({ id: requestId, idempotency_key: key }), route, params, ids, byBrowser);
      if (key === null || request.method !== 'POST') {
        const { status, document } = store.transaction(() => attempt(run, byBrowser));
        return { status, body: serialize(document), headers };
      }
      if (key.length > 255) throw invalid('Idempotency keys must be at most 255 characters long.');
      const { replayedFrom, ...stored } = store.transaction(() => once(key, hashOf(request), requestId, () => attempt(run, byBrowser)));
      const known = { 'idempotency-key': key, 'original-request': replayedFrom ?? requestId };
      return { ...stored, headers: { ...headers, ...known, ...(replayedFrom && { 'idempotent-replayed': 'true' }) } };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: serialize({ error: error.body }), headers };
      console.error('The payment sandbox failed:', error);
      const message = 'An unknown error occurred in the payment sandbox.';
      return { status: 500, body: serialize({ error: { type: 'api_error', message } }), headers };
    }
  }

  /** The answer that the key had before, or the one made now, which is kept. */
  function once(key: string, request: string, requestId: string, make: () => Outcome) {
    type Row = { request: string; request_id: string; status: number; body: string };
    const [before] = store.rows<Row>('select request, request_id, status, body from answers where key = ?', key);
    if (before && before.request !== request) {
      throw new Refusal(400, {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other ' +
          `than '${key}' if you meant to execute a different request.`,
      });
    }
    if (before) return { status: before.status, body: before.body, replayedFrom: before.request_id };
    const { status, document } = make();
    const body = serialize(document);
    store.run('insert into answers values (?, ?, ?, ?, ?)', key, request, requestId, status, body);
    return { status, body, replayedFrom: null };
  }

  /** Keyed, because the parameters may hold a card number. */
  const hashOf = ({ method, path, body }: ApiRequest) =>
    createHmac('sha256', secretKey)
      .update(JSON.stringify([method, path, [...new URLSearchParams(body)].map((pair) => pair.join('=')).toSorted()]))
      .digest('base64url');

  /** Whether the call has the publishable key. Throws where it has no right key. */
  function isBrowser(request: ApiRequest, params: Params): boolean {
    const given = keyOf(headerOf(request, 'authorization')) ?? text(params, 'key');
    delete params['key'];
    if (given === null) {
      const message = 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.';
      throw new Refusal(401, { type: 'invalid_request_error', message });
    }
    if (isSame(given, secretKey)) return false;
    if (isSame(given, publishableKey)) return true;
    const message = `Invalid API Key provided: ${given.slice(0, 7)}****${given.slice(-4)}`;
    throw new Refusal(401, { type: 'invalid_request_error', message });
  }

  return { answer, worldOf };
}

/** A card that is declined keeps what happened on the way; anything else that is refused takes it back. */
function attempt(run: () => object, byBrowser: boolean): Outcome {
  try {
    return { status: 200, document: run() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { payment_intent, setup_intent, ...rest } = error.body;
    const shown = {
      ...rest,
      ...(payment_intent && { payment_intent: byBrowser ? forBrowser(payment_intent) : payment_intent }),
      ...(setup_intent && { setup_intent: byBrowser ? forBrowser(setup_intent) : setup_intent }),
    };
    if (error.status !== 402) throw new Refusal(error.status, shown as Refusal['body']);
    return { status: 402, document: { error: shown } };
  }
}

function execute(world: World, route: Route, params: Params, ids: string[], byBrowser: boolean) {
  if (byBrowser) {
    if (!route.browser) {
      throw new Refusal(403, {
        type: 'invalid_request_error',
        code: 'secret_key_required',
        message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
      });
    }
    if (route.browser === 'intent') findIntent(world.store, ids[0] ?? '', text(params, 'client_secret'));
    // Stripe's script sends much of its own: what is not known is left out.
    const known = Object.entries(params).filter(([name]) => route.takes.has(name) && name !== 'expand');
    return forBrowser(route.handler(world, Object.fromEntries(known), ...ids));
  }
  const unknown = Object.keys(params).find((name) => !route.takes.has(name));
  if (unknown !== undefined) throw invalid(`Received unknown parameter: ${unknown}`, { param: unknown, code: 'parameter_unknown' });
  return expand(world.store, route.handler(world, params, ...ids), params);
}

function routeOf({ method, path }: ApiRequest) {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return { route, ids: match.slice(1) };
  }
  throw new Refusal(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` });
}

const serialize = (document: object) => JSON.stringify(document, null, 2);

function headerOf({ headers }: ApiRequest, name: string) {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The key in `Bearer <key>`, or in `Basic` as the user's name. */
function keyOf(authorization: string | null) {
  const [scheme, value = ''] = authorization?.split(' ') ?? [];
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0] ?? null;
  return null;
}

const isSame = (one: string, other: string) =>
  Buffer.byteLength(one) === Buffer.byteLength(other) && timingSafeEqual(Buffer.from(one), Buffer.from(other));
