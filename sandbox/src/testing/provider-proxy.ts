import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

type ProxiedCall = { method: string; path: string; query: URLSearchParams; key: string | undefined; body: URLSearchParams };
type Given = { status: number; error: object; headers?: Record<string, string>; done?: boolean };
/** What a call is answered in the provider's place; with `done` the provider has carried it out before. Nothing: the call goes through. */
export type OnProxiedCall = (call: ProxiedCall) => Given | undefined | Promise<Given | undefined>;

/** Stands before the provider's stand-in and answers in its place what the stand-in does not: failures, refusals, other keys. */
export async function startProviderProxy(to: string) {
  let onCall: OnProxiedCall | undefined;

  async function pass(request: IncomingMessage, body: string) {
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name) ? [[name, value]] : [],
    );
    const method = request.method ?? 'GET';
    return fetch(to + (request.url ?? ''), { method, headers, ...(method !== 'GET' && body !== '' && { body }) });
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', to);
    const call = {
      method: request.method ?? 'GET',
      path: pathname,
      query: searchParams,
      key: request.headers['idempotency-key']?.toString(),
      body: new URLSearchParams(body),
    };
    const given = await onCall?.(call);
    const answer = given && !given.done ? undefined : await pass(request, body);
    const content = given ? JSON.stringify({ error: given.error }) : await answer?.text();
    // As the provider does where trying again is no use: tests then need not wait for it.
    const headers = given ? { 'request-id': 'req_of_proxy', 'stripe-should-retry': 'false', ...given.headers } : {};
    const own = answer && !given ? Object.fromEntries(answer.headers) : {};
    delete own['content-length'];
    delete own['connection'];
    response.writeHead(given?.status ?? answer?.status ?? 500, { ...own, 'content-type': 'application/json', ...headers }).end(content);
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    url: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`,
    /** From now on; nothing without a hook. */
    answer(hook?: OnProxiedCall) {
      onCall = hook;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
