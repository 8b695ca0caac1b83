import { Refusal, unknownParameters } from './calls/errors.ts';
import { expand } from './calls/expand.ts';
import { failed, type Failing, turnedAway } from './calls/faults.ts';
import { parseForm, type Params, text } from './calls/form.ts';
import { type Answer, fingerprint, once } from './calls/idempotency.ts';
import { findIntent, forBrowser } from './intents/intents.ts';
import type { Keys } from './calls/keys.ts';
import { type Route, routes } from './routes.ts';
import { type Database, newId, type Scope } from './state/store.ts';
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
  database: Database;
  webhooks: Webhooks;
  keys: Keys;
  /** Mixed into what is kept of a call's parameters. */
  salt: string;
  settings: Pick<World, 'address' | 'processingMs' | 'trouble'>;
};

type RequestOfEvent = { id: string | null; idempotency_key: string | null };

/** Answers calls of the API, whatever they send. Each is one transaction with its events and its stored answer. */
export function openApi({ database, webhooks, keys, salt, settings }: Options) {
  function worldOf(scope: Scope, request: RequestOfEvent): World {
    const store = database.at(scope);
    return { ...settings, store, emit: (type, object) => webhooks.record(store, type, object, request) };
  }

  function answer(request: ApiRequest, fault: Failing | null): ApiAnswer {
    const requestId = newId('req');
    const headers = { 'content-type': 'application/json', 'request-id': requestId };
    const key = headerOf(request, 'idempotency-key');
    try {
      const params = parseForm(request.method === 'POST' ? new URLSearchParams(request.body) : request.query);
      const away = fault && turnedAway(fault);
      if (away) throw away;
      const { byBrowser, ...caller } = keys.callerOf(request, headerOf(request, 'authorization'), params);
      const scope = fault === 'other-mode' ? { ...caller, livemode: !caller.livemode } : caller;
      const world = worldOf(scope, { id: requestId, idempotency_key: key });
      const run = prepare(world, request, params, byBrowser);
      const isKeyed = key !== null && request.method === 'POST';
      const make = () => failing(fault, () => attempt(database, run, isKeyed));
      if (!isKeyed) return { ...database.transaction(make), headers };
      const asked = { ...scope, key, request: fingerprint(salt, request), requestId };
      const { replayedFrom, ...stored } = database.transaction(() => once(database, asked, make));
      const known = { 'idempotency-key': key, 'original-request': replayedFrom ?? requestId };
      return { ...stored, headers: { ...headers, ...known, ...(replayedFrom && { 'idempotent-replayed': 'true' }) } };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: serialize({ error: error.body }), headers };
      console.error('The payment sandbox failed:', error);
      const message = 'An unknown error occurred in the payment sandbox.';
      return { status: 500, body: serialize({ error: { type: 'api_error', message } }), headers };
    }
  }

  return { answer, worldOf };
}

type Run = () => object;

/** Fails on demand: before the call is carried out, or after. */
function failing(fault: Failing | null, make: () => Answer): Answer {
  if (fault !== 'fail' && fault !== 'fail-after') return make();
  if (fault === 'fail-after') make();
  return { status: 500, body: serialize({ error: failed }) };
}

/**
 * A card that is declined keeps what happened on the way; anything else that is refused takes it back. A call with an idempotency key
 * keeps the answer then too, where its execution had begun.
 */
function attempt(database: Database, run: Run, keyed: boolean): Answer {
  const declinesKept = () => {
    try {
      return { status: 200, body: serialize(run()) };
    } catch (error) {
      if (error instanceof Refusal && error.status === 402) return { status: 402, body: serialize({ error: error.body }) };
      throw error;
    }
  };
  try {
    return database.part(declinesKept);
  } catch (error) {
    if (!keyed || !(error instanceof Refusal) || !error.executed) throw error;
    return { status: error.status, body: serialize({ error: error.body }) };
  }
}

/** Looks at the call as far as that needs nothing done. */
function prepare(world: World, request: ApiRequest, params: Params, byBrowser: boolean): Run {
  const { route, ids } = routeOf(request);
  if (byBrowser) return prepareForBrowser(world, route, params, ids);
  if (route.browser === 'only') throw unrecognized(request);
  const unknown = Object.keys(params).filter((name) => !route.takes.has(name));
  if (unknown.length > 0) throw unknownParameters(unknown);
  return () => expand(world.store, route.handler(world, params, ...ids), params);
}

function prepareForBrowser(world: World, route: Route, params: Params, ids: string[]): Run {
  if (!route.browser) {
    const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.';
    throw new Refusal(403, { type: 'invalid_request_error', code: 'secret_key_required', message });
  }
  if (route.browser === 'intent') findIntent(world.store, ids[0] ?? '', text(params, 'client_secret'));
  // Stripe's script sends much of its own: what is not known is left out.
  const known = Object.fromEntries(Object.entries(params).filter(([name]) => route.takes.has(name) && name !== 'expand'));
  return () => {
    try {
      return forBrowser(route.handler(world, known, ...ids));
    } catch (error) {
      throw error instanceof Refusal ? refusalForBrowser(error) : error;
    }
  };
}

function refusalForBrowser({ status, body, executed }: Refusal) {
  const { payment_intent, setup_intent, ...rest } = body;
  const shown = {
    ...rest,
    ...(payment_intent && { payment_intent: forBrowser(payment_intent) }),
    ...(setup_intent && { setup_intent: forBrowser(setup_intent) }),
  };
  return new Refusal(status, shown as Refusal['body'], { executed });
}

function routeOf({ method, path }: ApiRequest) {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return { route, ids: match.slice(1) };
  }
  throw unrecognized({ method, path });
}

const unrecognized = ({ method, path }: Pick<ApiRequest, 'method' | 'path'>) =>
  new Refusal(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` });

const serialize = (document: object) => JSON.stringify(document, null, 2);

export function headerOf({ headers }: Pick<ApiRequest, 'headers'>, name: string) {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
