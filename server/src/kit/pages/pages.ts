import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RouterContext, RouterContextProvider, type ServerBuild, createRequestHandler } from 'react-router';
import type { ProviderName } from '@handwise/contract/accounts/provider-names';
import type { CallAddress, InputOf, OutputOf } from '@handwise/contract/calls';
import { getDay } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { regions } from '@handwise/contract/places/regions';
import type { Address } from '../cache/cached-routes.ts';
import type { ReadBarrier } from '../cache/read-barrier.ts';
import { EncodedResponse, type Schedule, type ResponseCache, type CacheState, type CachePolicy } from '../cache/response-cache.ts';
import { sendResponse } from '../cache/send-response.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import type { ClientOf } from '../limits/limits.ts';
import { type PageAddress, type PageAddresses, createPageAddresses } from './page-address.ts';
import { type PageCall, PageCalls } from './page-calls.ts';
import { getOfflinePage } from './unavailable-page.ts';

/** React Router's server build, which exports the key of the pages' context. */
export type SiteBuild = ServerBuild & { entry: { module: { serverContext: RouterContext<PageContext> } } };

/** The context of a page's loader. */
type PageContext = {
  call: <A extends CallAddress>(address: A, input: InputOf<A>) => Promise<OutputOf<A>>;
  market: CountryCode | null;
  origin: string;
  sandbox: boolean;
  realPayments: boolean;
  relayed: boolean;
  signInWith: readonly ProviderName[];
};

export type PagesOptions = {
  loadBuild: () => Promise<SiteBuild>;
  mode: 'production' | 'development';
  cache: ResponseCache;
  barrier: ReadBarrier;
  /** The `cache-control` header of pages. */
  cacheControl: string;
  appUrl: string;
  sandbox: boolean;
  /** Identifies calls by pages of this process to the rate limiter. */
  internalSecret: string;
  /** Whether cards are charged: payment pages are then loaded as documents of their own. */
  realPayments: boolean;
  /** Whether replies by email are relayed: pages then say what a message reveals of its author. */
  relayed: boolean;
  /** The identity providers that are set up. */
  signInWith: readonly ProviderName[];
  queue: FairQueue;
  clientOf: ClientOf;
  /** The security headers of a page. */
  securityHeadersOf: (path: string, scriptHashes: readonly string[]) => Record<string, string>;
};

// A page says "3 days ago", so it is rendered again after midnight.
const getSecondsToMidnight = (now: number) => (getNextDayStart(now) - now) / 1_000;
const retryAfterSeconds = 2;
const noStore = { 'cache-control': 'no-store' };

export type Pages = {
  /** Whether the page of this address is cached, as far as the address is known. */
  isCached: (address: Address) => boolean;
};

type Rendered = { status: number; headers: Record<string, string>; body: Buffer };
type Page = { response: EncodedResponse; state: CacheState } | (Rendered & { response?: EncodedResponse });

/**
 * Answers all URLs without another route with a page of the site. Other spellings of a URL are redirected, so that each page has one cache entry.
 */
export function servePages(app: FastifyInstance, options: PagesOptions): Pages {
  const { cache, barrier } = options;
  const render = createRenderer(options);
  // The calls that a page was rendered from: while their responses are unchanged, so is the page.
  const callsOfPage = new WeakMap<EncodedResponse, { calls: readonly PageCall[]; until: number }>();
  const readers = new WeakMap<SiteBuild, PageAddresses>();
  let newest: PageAddresses | undefined;
  const addressesOf = (build: SiteBuild) => {
    const reader = readers.get(build) ?? createPageAddresses(build);
    readers.set(build, reader);
    newest = reader;
    return reader;
  };

  app.get('/*', async (request, reply) => {
    const build = await options.loadBuild();
    await barrier.wait(request);
    const [path = ''] = request.url.split('?', 1);
    const address = addressesOf(build).read(request.url);
    if (address.dataUrl === null && address.path !== path) return reply.redirect(address.path + request.url.slice(path.length), 301);

    const key = toKey(request, address);
    const found = cache.find(key, { latest: true });
    if ('response' in found) return sendResponse(request, reply, { cache, key, response: found.response, state: 'hit' });
    const work = () => renderPage(build, request, address, key);
    const schedule: Schedule = (piece) => options.queue.run(piece, options.clientOf(request));
    const rendered = address.isCached ? await cache.share(key, { latest: true, schedule, work }) : { own: await schedule(work) };
    if ('shared' in rendered) return sendResponse(request, reply, { cache, key, response: rendered.shared.response, state: 'shared' });
    const page = rendered.own;
    if ('state' in page) return sendResponse(request, reply, { cache, key, ...page });
    const { status, headers, body, response } = page;
    // While the database is away, pages of the last minute are served.
    const stale = status === 503 ? cache.findStale(key) : undefined;
    if (stale) return sendResponse(request, reply, { cache, key, response: stale, state: 'old' });
    reply.code(status);
    if (status === 503) reply.header('retry-after', retryAfterSeconds);
    if (!response) return reply.headers(headers).send(body);
    return sendResponse(request, reply, { cache, key, response, state: 'miss', missed: found.missed });
  });

  return {
    isCached({ url, market }) {
      const address = newest?.peek(url);
      return address !== undefined && 'response' in cache.find(toKey({ market }, address), { latest: true });
    },
  };

  /** Renders a page, unless the calls it was last rendered from still have the same responses. */
  async function renderPage(build: SiteBuild, request: FastifyRequest, address: PageAddress, key: string): Promise<Page> {
    const store = cache.startStoring(key);
    const now = Date.now();
    const calls = createPageCalls(app, request, options);
    const before = cache.peek(key);
    const callsBefore = before && callsOfPage.get(before);
    const isUnchanged = callsBefore && now < callsBefore.until && (await calls.answerAs(callsBefore.calls));
    if (before && isUnchanged && calls.policies) {
      store(before, combine(calls.policies, now));
      return { response: before, state: 'same' };
    }
    const rendered = await render(build, request, address.dataUrl ?? address.path + address.search, calls);
    const { status, body } = rendered;
    const isPage = rendered.headers['content-type']?.startsWith('text/html');
    if (!isPage && address.dataUrl === null) return rendered;
    const headers = { ...rendered.headers, ...(calls.isPartial && noStore) };
    const { made, policies } = calls;
    const response = new EncodedResponse(
      body,
      isPage ? buildHeaders(address.path, headers, status, options) : buildDataHeaders(headers, status),
    );
    if (status === 200 && address.isCached && policies && headers['cache-control'] !== 'no-store') {
      callsOfPage.set(response, { calls: made, until: getNextDayStart(now) });
      store(response, combine(policies, now));
    }
    return { status, headers, body, response };
  }
}

// Pages and their data depend on address and market only.
const toKey = ({ market }: Pick<FastifyRequest, 'market'>, { path, search, dataUrl }: PageAddress) =>
  `${market ?? '-'} ${dataUrl ?? path + search}`;

function createPageCalls(app: FastifyInstance, request: FastifyRequest, { internalSecret, barrier }: PagesOptions) {
  return new PageCalls(app, request, { secret: internalSecret, needsLatest: barrier.needsLatest(request) });
}

function createRenderer(options: PagesOptions) {
  // Creating a handler ranks all routes, which takes as long as many a page.
  const handlers = new WeakMap<SiteBuild, ReturnType<typeof createRequestHandler>>();
  const handlerOf = (build: SiteBuild) => {
    const handler = handlers.get(build) ?? createRequestHandler(build, options.mode);
    handlers.set(build, handler);
    return handler;
  };
  return async (build: SiteBuild, request: FastifyRequest, address: string, { call }: PageCalls): Promise<Rendered> => {
    const context = new RouterContextProvider();
    context.set(build.entry.module.serverContext, {
      call,
      market: request.market,
      origin: options.appUrl,
      sandbox: options.sandbox,
      realPayments: options.realPayments,
      relayed: options.relayed,
      signInWith: options.signInWith,
    });
    // Concatenated, because a path with two slashes would resolve to another host.
    const url = new URL(options.appUrl + address);
    const pageRequest = new Request(url, { headers: { accept: request.headers.accept ?? '*/*' } });
    const answer = await handlerOf(build)(pageRequest, context);
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
  };
}

const combine = (policies: readonly CachePolicy[], now: number): CachePolicy => ({
  tags: [...new Set(policies.flatMap(({ tags }) => tags))],
  maxAgeSeconds: Math.min(getSecondsToMidnight(now), ...policies.map(({ maxAgeSeconds }) => maxAgeSeconds)),
});

// Browsers may store the data of a page, but ask whether it has changed.
const buildDataHeaders = (headers: Record<string, string>, status: number) => ({
  'cache-control': status === 200 ? 'no-cache' : 'no-store',
  vary: 'accept-encoding',
  ...headers,
});

// The renderer lists the hashes of its own inline scripts; no other script in the HTML may run.
function buildHeaders(
  path: string,
  { 'script-hashes': hashes = '', ...headers }: Record<string, string>,
  status: number,
  options: PagesOptions,
) {
  return {
    'cache-control': status === 200 ? options.cacheControl : 'no-store',
    vary: 'accept-encoding',
    ...headers,
    ...options.securityHeadersOf(path, hashes.split(' ').filter(Boolean)),
  };
}

/** Serves the files of the build. Names in `assets` contain a hash; compressed files are stored next to them. */
export async function serveAssets(app: FastifyInstance, dir: string) {
  const { default: fastifyStatic } = await import('@fastify/static');
  await app.register(fastifyStatic, {
    root: dir,
    wildcard: false,
    preCompressed: true,
    index: false,
    setHeaders: (reply, path) => {
      // The others include icons, in whose place an uploaded logo is shown.
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

const workerFile = join(import.meta.dirname, '../../../../web/service-worker.js');

/** Serves the service worker and the page that it shows without a connection. Neither may be cached, so that a release replaces both. */
export function serveServiceWorker(app: FastifyInstance) {
  app.get('/service-worker.js', { schema: { hide: true } }, async (_request, reply) => {
    const shell = createHash('sha256').update(getOfflinePage()).digest('hex').slice(0, 12);
    const script = (await readFile(workerFile, 'utf8')).replace("'shell-SHELL'", `'shell-${shell}'`);
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(script);
  });
  app.get('/offline.html', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(getOfflinePage()),
  );
}

// Midnight is on a quarter of an hour in all time zones.
const quarterMs = 15 * 60_000;
const zones = [...new Set(regions.map(({ timeZone }) => timeZone))];
const formatDays = (time: number) => [new Date(time).getFullYear(), ...zones.map((zone) => getDay(new Date(time), zone))].join();

let known = { from: 0, until: 0 };

/** The next midnight in one of the site's time zones, until which relative dates on a page ("3 days ago") stay right. */
function getNextDayStart(now: number): number {
  if (now >= known.from && now < known.until) return known.until;
  const days = formatDays(now);
  let until = now - (now % quarterMs) + quarterMs;
  while (formatDays(until) === days) until += quarterMs;
  known = { from: now, until };
  return until;
}
