import type { buildApp } from '@handwise/server/http/app';

type App = Awaited<ReturnType<typeof buildApp>>;
// The form used here; the framework also allows none and a callback.
type Injected =
  | string
  | { method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'; remoteAddress?: string; url?: string | { pathname: string } };
type Inject = (request: Injected) => Promise<Answer>;
type Answer = { statusCode: number; headers: Record<string, unknown>; body: string; json(): any };

type Described = Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
type Description = { pattern: RegExp; name: string; calls: Described[string] }[];

// Pages for people below the API's address, and the description itself.
const hidden = [
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/mails/end',
  'GET /api/alerts/end',
  'GET /api/auth/with',
  'POST /api/auth/with/apple/callback',
];
const isHidden = (request: string) => hidden.some((one) => request === one || request.startsWith(`${one}/`));

// Errors before routing, or without a route.
const undescribedCodes = new Set<unknown>(['malformed_request', 'route_not_found', 'too_many_requests', 'overloaded', 'unavailable']);

// Cached by environment, because writing the description takes half a second.
const descriptions = new Map<string, Promise<Description>>();

function descriptionOf(inject: Inject, environment: string): Promise<Description> {
  const known = descriptions.get(environment) ?? readDescription(inject);
  descriptions.set(environment, known);
  known.catch(() => descriptions.delete(environment));
  return known;
}

async function readDescription(inject: Inject): Promise<Description> {
  const answer = await inject({ url: '/api/openapi.json', remoteAddress: '192.0.2.255' });
  // An address without parameters comes first, as in the router.
  return Object.entries(answer.json().paths as Described)
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([name, calls]) => ({ pattern: new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`), name, calls }));
}

/** The code of an error; a HEAD has none. */
function codeOf({ statusCode, body, headers }: Answer): unknown {
  if (body === '') return statusCode === 404 ? 'route_not_found' : undefined;
  return headers['content-type']?.toString().includes('json') ? (JSON.parse(body) as { code?: unknown } | null)?.code : undefined;
}

/** Throws if the API description lacks the answer's call, status or media type. */
function expectDescribed(described: Description, { method, path }: { method: string; path: string }, answer: Answer) {
  if (isHidden(`${method} ${path}`)) return;
  // HEAD and 304 are described as GET and 200.
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const status = answer.statusCode === 304 ? 200 : answer.statusCode;
  const found = described.find(({ pattern, calls }) => pattern.test(path) && calls[verb]);
  const type = String(answer.headers['content-type']).split(';')[0] ?? '';
  const summary = `${method} ${found?.name ?? path} answered ${answer.statusCode} ${type}`;
  if (!found) {
    if (undescribedCodes.has(codeOf(answer))) return;
    throw new Error(`${summary}, and the API page describes no such call`);
  }
  const content = found.calls[verb]?.responses[status]?.content;
  const isKnown = answer.statusCode === 304 ? content !== undefined : Object.keys(content ?? {}).includes(type);
  if (!isKnown) throw new Error(`${summary}, which the API page does not describe`);
}

function requestOf(request: Injected) {
  const { method = 'GET', url = '/' } = typeof request === 'string' ? { url: request } : request;
  const path = typeof url === 'string' ? url.split(/[?#]/)[0] : url.pathname;
  return { method: method.toUpperCase(), path: path ?? '' };
}

/** Checks every answer of the app's API against the description that `by` returns. */
export function checkAgainstDescription(app: App, begunWith: string, by: Inject): void {
  const inject = app.inject.bind(app) as Inject;
  const held = async (injected: Injected) => {
    const answer = await inject(injected);
    const request = requestOf(injected);
    if (request.path.startsWith('/api/')) expectDescribed(await descriptionOf(by, begunWith), request, answer);
    return answer;
  };
  Object.assign(app, { inject: held });
}
