import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { marketOfHost } from '@handwise/contract/markets';
import '../composition/channels.ts';
import { measureCache, measureLimits, measureVitals } from '../composition/app-metrics.ts';
import { ListingCounts } from '../domains/listings/listings.service.ts';
import { badgeRoutes } from '../domains/reviews/reviews.badge.routes.ts';
import { createSearch } from '../domains/search/search.service.ts';
import { crawlerRoutes, redirectIcons } from '../domains/site/site.crawlers.routes.ts';
import { isCachedCall } from '../kit/cache/cached-routes.ts';
import { isDatabaseReachable } from '../kit/database/database-health.ts';
import type { Db } from '../kit/database/database.ts';
import { registerForms } from '../kit/files/multipart.ts';
import { limitPasswordWait } from '../kit/identity/password.ts';
import { type ClientOf, openQueues, defaultLimits } from '../kit/limits/limits.ts';
import { metricsRoutes } from '../kit/metrics/metrics-routes.ts';
import type { Metrics } from '../kit/metrics/metrics.ts';
import { type Pages, type SiteBuild, serveAssets, servePages, serveServiceWorker } from '../kit/pages/pages.ts';
import { answerFromReplicas } from '../kit/replicas/answer-from-replicas.ts';
import type { Replicas } from '../kit/replicas/replicas.ts';
import { mcpRoutes } from '../mcp/mcp.routes.ts';
import { type ApiOptions, apiRoutes } from './api.ts';
import { canReadReplica } from './replica-calls.ts';
import { type RequestOptions, receiveRequests } from './request-handling.ts';
import { openResponseCache } from './response-cache.ts';
import { openSecurityHeaders } from './security-headers.ts';

/** The pages: their build, and the folder of its files or the development server's middleware. */
export type Site = {
  mode: 'production' | 'development';
  loadBuild: () => Promise<SiteBuild>;
  assetsDir: string | null;
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  close?: () => Promise<void>;
};

export type AppOptions = Omit<RequestOptions, 'isStopping' | 'limits'> &
  Partial<Pick<RequestOptions, 'isStopping' | 'limits'>> &
  ApiOptions & {
    /** The database connections of searches, with a short statement timeout. The main ones by default. */
    searchDb?: Db;
    /** What the health call asks: by default the database of the calls. */
    isDatabaseReachable?: () => Promise<boolean>;
    /** Replicas for anonymous reads. */
    replicas?: Replicas | null;
    /** How long the counts of the directory are cached: a minute by default. */
    countsForSeconds?: number;
    /** Adds metrics of the app and their route. */
    metrics?: Metrics;
    /** The built site, or null for the API alone. */
    site: Site | null;
    /** For tests: every request waits for the latest changes, as those of signed-in users do. */
    alwaysLatest?: boolean;
  };

/** Builds the HTTP server, which does not listen yet. */
export async function buildApp(appOptions: AppOptions): Promise<FastifyInstance> {
  const isReachable = () => isDatabaseReachable(appOptions.context.db);
  const options = { isStopping: () => false, limits: defaultLimits, isDatabaseReachable: isReachable, ...appOptions };
  const { env, context, metrics, replicas, site } = options;
  const internalSecret = randomBytes(16).toString('hex');
  const isInternal = (request: FastifyRequest) => request.headers['x-internal'] === internalSecret;
  const clientOf: ClientOf = (request) => request.network;
  const queues = openQueues(options.limits, env.queueWaitMs);
  limitPasswordWait(env.queueWaitMs);
  const securityHeadersOf = openSecurityHeaders(options.stripe, env.mapTiles);
  const isDevelopment = site?.mode === 'development';
  const caching = openResponseCache({
    events: context.events,
    bytes: env.htmlCacheBytes,
    isInternal,
    alwaysLatest: options.alwaysLatest ?? false,
  });
  let pages: Pages | undefined;
  let countRefusal: (route: string) => void = () => {};
  const toAddress = ({ url = '', headers }: IncomingMessage) => ({ url, market: marketOfHost(headers.host ?? '', env.marketHosts) });
  const refusals = {
    isPageRejected: (request: IncomingMessage) => pages?.isCached(toAddress(request)) === false && queues.pages.rejectsAnyone(),
    isCallRejected: (request: IncomingMessage) => !isCachedCall(toAddress(request), caching) && queues.searches.rejectsAnyone(),
    onRefused: (route: string) => countRefusal(route),
  };
  const { app, cutConnections } = await receiveRequests({
    ...options,
    isInternal,
    refusals,
    securityHeaders: securityHeadersOf(),
    isDevelopment,
  });

  if (replicas) answerFromReplicas(app, { replicas, mayRead: canReadReplica });
  const reads = (primary: Db) => replicas?.readingFrom(primary) ?? primary;
  const readFrom = { listings: reads(context.db), searches: reads(options.searchDb ?? context.db) };
  const { cache, barrier } = caching;
  const search = createSearch(readFrom.searches, new ListingCounts(context.db, options.countsForSeconds), env.searchLimitMs);
  // A write is answered once this server has read the change it made, so that the client's next request sees it.
  app.addHook('onSend', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD' && options.isReady()) await barrier.waitForOwnWrites();
  });

  await registerForms(app, { dir: join(env.dataDir, 'uploads'), atOnce: options.limits.bodies.uploads.atOnce });
  const recordVital = metrics ? measureVitals(metrics) : () => {};
  await app.register(apiRoutes, { ...options, recordVital, prefix: '/api', caching, readFrom, search, queues, clientOf, isInternal });
  if (metrics) {
    countRefusal = metrics.measureRequests(app, isInternal);
    measureCache(metrics, cache);
    measureLimits(metrics, queues, cutConnections);
    await app.register(metricsRoutes, { metrics, access: { token: env.metricsToken, isProxied: env.trustProxy !== false } });
  }
  const marketHosts = [...env.marketHosts.keys()];
  redirectIcons(app);
  await app.register(crawlerRoutes, { db: context.db, appUrl: env.appUrl, marketHosts });
  await app.register(badgeRoutes, { context });
  await app.register(mcpRoutes, {
    context: { ...context, db: readFrom.searches },
    search,
    marketHosts,
    queue: queues.searches,
    clientOf,
  });
  await context.store.serve(app);

  if (site) {
    const { middleware } = site;
    if (middleware) app.addHook('onRequest', (request, reply, done) => middleware(request.raw, reply.raw, () => done()));
    if (site.assetsDir) await serveAssets(app, site.assetsDir);
    serveServiceWorker(app);
    pages = servePages(app, {
      loadBuild: site.loadBuild,
      mode: site.mode,
      cache,
      barrier,
      queue: queues.pages,
      clientOf,
      cacheControl: env.pageCacheControl,
      appUrl: env.appUrl,
      sandbox: env.sandbox,
      internalSecret,
      realPayments: options.stripe.apiBase === null,
      relayed: context.replyDomain !== null,
      signInWith: [...context.identityProviders.keys()],
      securityHeadersOf: (path, hashes) => ({
        ...securityHeadersOf(path, hashes),
        ...(isDevelopment && { 'content-security-policy': '' }),
      }),
    });
  }
  return app;
}
