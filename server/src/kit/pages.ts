import { createHash } from 'node:crypto';
import type { Call, CallInput, CallOutput } from '@handwise/contract/call';
import type { ErrorBody } from '@handwise/contract/errors';
import type { CountryCode } from '@handwise/contract/markets';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type RouterContext, RouterContextProvider, type ServerBuild, createRequestHandler } from 'react-router';
import { AppError } from './errors.ts';
import { type CachedPage, type Encoding, type HtmlCache, preparePage } from './html-cache.ts';

/** The built site: React Router's server build, which also names the key under which pages find their context. */
export type SiteBuild = ServerBuild & { entry: { module: { serverContext: RouterContext<PageContext> } } };

/** What a page's loader gets. */
type PageContext = {
  call: <C extends Call>(call: C, input: CallInput<C>) => Promise<CallOutput<C>>;
  market: CountryCode | null;
  origin: string;
  sandbox: boolean;
};

export type PagesOptions = {
  loadBuild: () => Promise<SiteBuild>;
  mode: 'production' | 'development';
  cache: HtmlCache;
  appUrl: string;
  sandbox: boolean;
  /** Proves to the rate limiter that a call comes from a page of this very process. */
  internalSecret: string;
  contentSecurityPolicy: (scriptHashes: readonly string[]) => string;
};

/** Answers every address that nothing else answers with a page of the site. */
export function servePages(app: FastifyInstance, options: PagesOptions) {
  const render = renderer(app, options);
  app.get('/*', async (request, reply) => {
    const key = cacheKey(request);
    const known = key && options.cache.get(key);
    if (known) return sendPage(request, reply, known, 'hit');
    const keep = key && options.cache.begin(key);
    const answer = await render(request);
    reply.code(answer.status);
    if (!('page' in answer)) return reply.headers(answer.headers).send(answer.body);
    if (keep && answer.status === 200) keep(answer.page);
    return sendPage(request, reply, answer.page, 'miss');
  });
}

// Pages are the same for everybody, so the address decides. Addresses with parameters that no page knows are rendered each
// time: otherwise made-up ones would push the real ones out.
function cacheKey(request: FastifyRequest): string | undefined {
  const [path = '', search = ''] = request.url.split('?');
  if (search && !/^page=\d{1,6}$/.test(search)) return undefined;
  return `${request.market ?? '-'} ${path}${search && `?${search}`}`;
}

function renderer(app: FastifyInstance, options: PagesOptions) {
  return async (request: FastifyRequest) => {
    const build = await options.loadBuild();
    const context = new RouterContextProvider();
    context.set(build.entry.module.serverContext, {
      call: internalCall(app, request, options.internalSecret),
      market: request.market,
      origin: options.appUrl,
      sandbox: options.sandbox,
    });
    // Put together as text: resolved against APP_URL, an address of two slashes would name another host.
    const url = new URL(options.appUrl + request.url);
    const answer = await createRequestHandler(build, options.mode)(
      new Request(url, { headers: { accept: request.headers.accept ?? '*/*' } }),
      context,
    );
    const headers = Object.fromEntries(answer.headers);
    const body = Buffer.from(await answer.arrayBuffer());
    // What a link followed in the browser asks for: the page's data without its HTML.
    if (!headers['content-type']?.startsWith('text/html')) return { status: answer.status, headers, body };
    headers['content-security-policy'] = options.contentSecurityPolicy(inlineScriptHashes(body.toString()));
    headers['cache-control'] ??= answer.status === 200 ? 'public, max-age=0, s-maxage=30, stale-while-revalidate=60' : 'no-store';
    return { status: answer.status, page: await preparePage(body, headers) };
  };
}

export function inlineScriptHashes(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g);
  return [...new Set([...scripts].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`))];
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: CachedPage, state: 'hit' | 'miss') {
  reply.headers(page.headers).header('etag', page.etag).header('vary', 'accept-encoding').header('x-cache', state);
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(page.bodies[encoding]);
}

function acceptedEncoding(accepted: string | string[] | undefined): Encoding {
  const text = String(accepted ?? '');
  if (/\bbr\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(text)) return 'br';
  return /\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(text) ? 'gzip' : 'identity';
}

// Pages read through the same calls as browsers do, without a network between.
function internalCall(app: FastifyInstance, request: FastifyRequest, secret: string): PageContext['call'] {
  return async (call, input) => {
    const { params = {}, query: given = {} } = input as { params?: Record<string, unknown>; query?: Record<string, unknown> };
    const path = call.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const query = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const answer = await app.inject({
      method: call.method,
      url: `/api${path}`,
      query,
      headers: { host: request.host, 'x-internal': secret },
    });
    if (answer.statusCode < 400) return answer.json();
    const { code, errors } = answer.json<ErrorBody>();
    throw Object.assign(new AppError(code, { fields: errors }), { status: answer.statusCode });
  };
}

/** The files of the build: their names carry a hash, so they never change. Compressed ones lie beside them. */
export async function serveAssets(app: FastifyInstance, dir: string) {
  const { default: fastifyStatic } = await import('@fastify/static');
  await app.register(fastifyStatic, {
    root: dir,
    wildcard: false,
    preCompressed: true,
    index: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
}
