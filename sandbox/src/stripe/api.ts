import { invalidRequest, ApiError, unknownParameters } from './errors.ts';
import { failure, type FaultKind } from './faults.ts';
import { type StoredResponse, fingerprint, answerOnce } from './idempotency.ts';
import { findIntent, browserView } from './intents.ts';
import type { Keys } from './keys.ts';
import { list, type Params, parseForm, text } from './params.ts';
import { type Route, routes } from './routes.ts';
import { type Database, newId, type Scope, type Store } from './store.ts';
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
  /** Salt of the stored fingerprints of calls. */
  salt: string;
  settings: Pick<World, 'address' | 'processingMs' | 'statement'>;
};

type RequestOfEvent = { id: string | null; idempotency_key: string | null };

/** Answers calls of the API. Each is one transaction with its events and its stored answer. */
export function openApi({ database, webhooks, keys, salt, settings }: Options) {
  function worldOf(scope: Scope, request: RequestOfEvent): World {
    const store = database.at(scope);
    return { ...settings, store, emit: (type, object) => webhooks.record(store, type, object, request) };
  }

  function answer(request: ApiRequest, fault: FaultKind | null): ApiAnswer {
    const requestId = newId('req');
    const headers = { 'content-type': 'application/json', 'request-id': requestId };
    const key = getHeader(request, 'idempotency-key');
    try {
      const params = parseForm(request.method === 'POST' ? new URLSearchParams(request.body) : request.query);
      const { byBrowser, ...scope } = keys.callerOf(request, getHeader(request, 'authorization'), params);
      const world = worldOf(scope, { id: requestId, idempotency_key: key });
      const run = prepare(world, request, params, byBrowser);
      const isKeyed = key !== null && request.method === 'POST';
      const execute = () => (fault === 'fail' ? { status: 500, body: serialize({ error: failure }) } : attempt(database, run, isKeyed));
      if (!isKeyed) return { ...database.transaction(execute), headers };
      const call = { ...scope, key, request: fingerprint(salt, request), requestId };
      const { replayedFrom, ...stored } = database.transaction(() => answerOnce(database, call, execute));
      const known = { 'idempotency-key': key, 'original-request': replayedFrom ?? requestId };
      return { ...stored, headers: { ...headers, ...known, ...(replayedFrom && { 'idempotent-replayed': 'true' }) } };
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, body: serialize({ error: error.body }), headers };
      console.error('The payment sandbox failed:', error);
      const message = 'An unknown error occurred in the payment sandbox.';
      return { status: 500, body: serialize({ error: { type: 'api_error', message } }), headers };
    }
  }

  return { answer, worldOf };
}

type Run = () => object;

/**
 * A declined card commits its changes; any other error rolls them back. A call with an idempotency key also stores the error if its
 * execution had started.
 */
function attempt(database: Database, run: Run, keyed: boolean): StoredResponse {
  const commitDeclines = () => {
    try {
      return { status: 200, body: serialize(run()) };
    } catch (error) {
      if (error instanceof ApiError && error.status === 402) return { status: 402, body: serialize({ error: error.body }) };
      throw error;
    }
  };
  try {
    return database.savepoint(commitDeclines);
  } catch (error) {
    if (!keyed || !(error instanceof ApiError) || !error.executed) throw error;
    return { status: error.status, body: serialize({ error: error.body }) };
  }
}

/** Validates the call before it is executed. */
function prepare(world: World, request: ApiRequest, params: Params, byBrowser: boolean): Run {
  const { route, ids } = getRoute(request);
  if (byBrowser) return prepareForBrowser(world, route, params, ids);
  if (route.browser === 'only') throw unrecognized(request);
  const unknown = Object.keys(params).filter((name) => !route.takes.has(name));
  if (unknown.length > 0) throw unknownParameters(unknown);
  return () => expand(world.store, route.handler(world, params, ...ids), params);
}

function prepareForBrowser(world: World, route: Route, params: Params, ids: string[]): Run {
  if (!route.browser) {
    const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.';
    throw new ApiError(403, { type: 'invalid_request_error', code: 'secret_key_required', message });
  }
  if (route.browser === 'intent') findIntent(world.store, ids[0] ?? '', text(params, 'client_secret'));
  // Stripe's script sends additional parameters, which are ignored.
  const known = Object.fromEntries(Object.entries(params).filter(([name]) => route.takes.has(name) && name !== 'expand'));
  return () => {
    try {
      return browserView(route.handler(world, known, ...ids));
    } catch (error) {
      throw error instanceof ApiError ? errorForBrowser(error) : error;
    }
  };
}

function errorForBrowser({ status, body, executed }: ApiError) {
  const { payment_intent, setup_intent, ...rest } = body;
  const shown = {
    ...rest,
    ...(payment_intent && { payment_intent: browserView(payment_intent) }),
    ...(setup_intent && { setup_intent: browserView(setup_intent) }),
  };
  return new ApiError(status, shown as ApiError['body'], { executed });
}

function getRoute({ method, path }: ApiRequest) {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return { route, ids: match.slice(1) };
  }
  throw unrecognized({ method, path });
}

const unrecognized = ({ method, path }: Pick<ApiRequest, 'method' | 'path'>) =>
  new ApiError(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` });

const serialize = (document: object) => JSON.stringify(document, null, 2);

export function getHeader({ headers }: Pick<ApiRequest, 'headers'>, name: string) {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Replaces ids by their objects, for each of `expand[]`: `latest_charge`, `data.customer`. */
function expand(store: Store, document: object, params: Params) {
  for (const path of list(params, 'expand')) {
    if (path.split('.').length > 4) throw invalidRequest('You cannot expand more than 4 levels.', { param: 'expand' });
    expandPath(store, document, path.split('.'), path);
  }
  return document;
}

function expandPath(store: Store, value: unknown, [name, ...rest]: string[], path: string) {
  if (name === undefined || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const one of value) expandPath(store, one, [name, ...rest], path);
    return;
  }
  if (!Object.hasOwn(value, name)) throw notExpandable(path);
  const fields = value as Record<string, unknown>;
  const field = fields[name];
  if (typeof field === 'string') {
    const found = store.any(field);
    if (found === null) throw notExpandable(path);
    fields[name] = found;
  }
  expandPath(store, fields[name], rest, path);
}

const notExpandable = (path: string) => invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
