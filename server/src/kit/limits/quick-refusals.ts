import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorBody, errors } from '@handwise/contract/errors';
import type { FastifyInstance } from 'fastify';
import { encodeUnavailablePage, wantsPage } from '../errors.ts';

type Options = {
  /** Whether a page that is not cached, or a call that waits for its turn, would be rejected by its queue now. */
  isPageRejected: (request: IncomingMessage) => boolean;
  isCallRejected: (request: IncomingMessage) => boolean;
  /** Headers of the answer. */
  headers: Readonly<Record<string, string>>;
};

/**
 * Answers requests that their queue would reject with 503 before Fastify sees them, at a quarter of the cost: clients that ask again at once get thousands
 * of these a second, and what each takes is missing for the requests that are answered. Call it before the routes are added.
 */
export function refuseQuickly(app: FastifyInstance, { isPageRejected, isCallRejected, headers }: Options): void {
  const kindOf = classifyPaths(app);
  const isRejected = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' || hasBody(request) || !isRead(response)) return false;
    const kind = kindOf(getPath(request.url));
    return kind === 'page' ? isPageRejected(request) : kind === 'queued call' && isCallRejected(request);
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { server } = app;
    const [handle] = handlers;
    if (!isRejected(request, response)) return void handle?.call(server, request, response);
    void refuse(request, response, headers).catch(() => response.destroy());
  };
  const handlers = app.server.listeners('request');
  app.server.removeAllListeners('request').on('request', answer);
}

const common = { 'cache-control': 'no-store', 'retry-after': '2' };

async function refuse(request: IncomingMessage, response: ServerResponse, headers: Options['headers']): Promise<void> {
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
    if (![method].flat().includes('GET') || url === '/*') return;
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
