import type { FastifyPluginAsync } from 'fastify';
import type { DrawContext } from '../domains/draws/draws.service.ts';
import type { SearchParts } from '../domains/search/search.service.ts';
import { AppError } from '../kit/errors.ts';
import { getRelyingParty } from '../kit/hosts.ts';
import type { FairQueue } from '../kit/limits/fair-queue.ts';
import type { ClientOf } from '../kit/limits/limits.ts';

type Options = { context: DrawContext; search: SearchParts; marketHosts: readonly string[]; queue: FairQueue; clientOf: ClientOf };

const limits = { max: 120, timeWindow: 60_000 };
const createRpcError = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null });

// Loaded on first use, because the library takes 13 MB.
const loadProtocol = () => import('./mcp.server.ts');

const forwarded = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** Model Context Protocol over streamable HTTP: stateless, without keys, one message per request, read-only, for clients old and new. */
export const mcpRoutes: FastifyPluginAsync<Options> = async (app, { context, search, marketHosts, queue, clientOf }) => {
  const getOwnOrigin = (host: string | undefined) => getRelyingParty(host, { appUrl: context.appUrl, hosts: marketHosts }).origin;

  app.route({
    method: 'POST',
    url: '/mcp',
    schema: { hide: true },
    bodyLimit: 16 * 1024,
    config: { rateLimit: limits, showsNothing: true },
    handler: async (request, reply) => {
      const { headers, body } = request;
      // After DNS rebinding the origin matches the Host header, so it is compared with our own hosts.
      if (headers.origin !== undefined && headers.origin !== getOwnOrigin(URL.parse(headers.origin)?.host))
        throw new AppError('cross_origin');
      reply.header('cache-control', 'no-store');
      // A batch would evade the rate limit.
      if (Array.isArray(body)) return reply.code(400).send(createRpcError(-32600, 'Send one message a request'));

      const { answerMessage } = await loadProtocol();
      const origin = getOwnOrigin(headers.host);
      const webHeaders = forwarded.flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value] as [string, string]] : [];
      });
      const message = new Request(`${origin}/mcp`, { method: 'POST', headers: webHeaders });
      const toolContext = { context, search, market: request.market, origin };
      const { response, text } = await queue.run(() => answerMessage(toolContext, message, dropBlankArguments(body)), clientOf(request));
      const type = response.headers.get('content-type');
      if (type) reply.type(type);
      return await reply.code(response.status).send(text);
    },
  });

  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: '/mcp',
    schema: { hide: true },
    handler: (_request, reply) =>
      reply.code(405).header('allow', 'POST').send(createRpcError(-32000, 'Use POST: there are no sessions and no streams')),
  });
};

/** Removes empty arguments, as for query parameters. A missing message becomes null. */
function dropBlankArguments(body: unknown): unknown {
  const message = body as { params?: { arguments?: unknown } | null } | null | undefined;
  const args = message?.params?.arguments;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return body ?? null;
  const filled = Object.entries(args).filter(([, value]) => value !== '' && value !== null);
  return { ...message, params: { ...message?.params, arguments: Object.fromEntries(filled) } };
}
