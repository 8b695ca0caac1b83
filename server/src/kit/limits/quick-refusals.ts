import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type ErrorBody, errors } from '@handwise/contract/errors';
import { encodeUnavailablePage, wantsPage } from '../errors.ts';

export type Refusals = {
  /** Whether the page is not cached and its queue would reject it now. */
  isPageRejected: (request: IncomingMessage) => boolean;
  /** The same for a call that waits for its turn. */
  isCallRejected: (request: IncomingMessage) => boolean;
  /** Counts an answer for the metrics, by the template of its route. */
  onRefused: (route: string) => void;
  /** Headers of the answers. */
  headers: Readonly<Record<string, string>>;
};

/**
 * Answers requests that their queue would reject with 503 before Fastify sees them, at less than half the cost: clients that ask again at once get
 * thousands of these a second, and what each takes is missing for the requests that are answered. Call it before the routes are added.
 */
export function refuseQuickly(app: FastifyInstance, { isPageRejected, isCallRejected, onRefused, headers }: Refusals): void {
  const kindOf = classifyPaths(app);
  const findRefusedRoute = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' || hasBody(request) || !isRead(response)) return undefined;
    const path = getPath(request.url);
    const kind = kindOf(path);
    if (kind === 'page') return isPageRejected(request) ? pagesRoute : undefined;
    return kind === 'queued call' && isCallRejected(request) ? path : undefined;
  };
  const [handle] = app.server.listeners('request');
  app.server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    const route = findRefusedRoute(request, response);
    if (route === undefined) return void handle?.call(app.server, request, response);
    onRefused(route);
    void refuse(request, response, headers).catch(() => response.destroy());
  });
}

const pagesRoute = '/*';
const common = { 'cache-control': 'no-store', 'retry-after': '2' };

async function refuse(request: IncomingMessage, response: ServerResponse, headers: Refusals['headers']): Promise<void> {
  const requestId = randomUUID();
  const { message } = errors.overloaded;
  const { url = '' } = request;
  const { body, headers: own } = wantsPage({ method: 'GET', url, headers: request.headers })
    ? await encodeUnavailablePage(request)
    : {
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: Buffer.from(JSON.stringify({ message, code: 'overloaded', errors: [], requestId } satisfies ErrorBody)),
      };
  // Written with the headers as one text of bytes, which takes half as long as a buffer of its own.
  response
    .writeHead(503, { ...headers, ...common, ...own, 'content-length': body.length, 'x-request-id': requestId })
    .end(body.toString('latin1'), 'latin1');
}

/** The limits of unfinished bodies, which Fastify’s hooks set, must see it. */
const hasBody = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

/** Whether the client reads its answers; others are cut off by the limits of slow clients. A request that waits for an earlier answer has no socket. */
const isRead = ({ socket }: ServerResponse) => socket !== null && socket.writableLength === 0;

const getPath = (url = '') => url.split('?', 1)[0] ?? '';

/** What a path is, by the routes that are added: Fastify's own routing takes longer than the answer. */
function classifyPaths(app: FastifyInstance): (path: string) => 'page' | 'queued call' | 'other' {
  const queued = new Set<string>();
  const others = new Set<string>();
  const prefixes = new Set<string>();
  app.addHook('onRoute', ({ method, url, config }) => {
    if (![method].flat().includes('GET') || url === pagesRoute) return;
    const [prefix = ''] = url.split(/[:*]/, 1);
    if (config?.cache?.scheduleOf) queued.add(url);
    else if (prefix === url) others.add(url);
    else prefixes.add(prefix);
  });
  return (path) => {
    if (queued.has(path)) return 'queued call';
    if (path.startsWith('/api/') || others.has(path)) return 'other';
    return [...prefixes].some((prefix) => path.startsWith(prefix)) ? 'other' : 'page';
  };
}
