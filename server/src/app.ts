import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import { inputMessage } from '@handwise/contract/input-messages';
import { type CountryCode, marketOfHost } from '@handwise/contract/markets';
import { paymentReturnTo } from '@handwise/contract/payment-return';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { z } from 'zod';
import './channels.ts';
import { openHooks, referralAsks } from './checkout.ts';
import { openPolicies } from './policies.ts';
import { accountRoutes } from './domains/accounts/accounts.routes.ts';
import { findViewer } from './domains/accounts/accounts.service.ts';
import { reportRoutes } from './domains/admin/reports.routes.ts';
import { adminRoutes } from './domains/admin/admin.routes.ts';
import { adminPaymentRoutes } from './domains/admin/payments.routes.ts';
import { adminSearchRoutes } from './domains/admin/search.routes.ts';
import type { ViewCollector } from './domains/figures/figures.service.ts';
import { anyDraw, shownOfDraws } from './domains/draws/draws.service.ts';
import { drawRoutes } from './domains/draws/draws.routes.ts';
import { figureRoutes } from './domains/figures/figures.routes.ts';
import { listingRoutes } from './domains/listings/listings.routes.ts';
import { anyListing, changedBy, getListing } from './domains/listings/listings.service.ts';
import { messageRoutes } from './domains/messages/messages.routes.ts';
import { countUnread } from './domains/messages/messages.service.ts';
import { paymentRoutes } from './domains/payments/payments.routes.ts';
import type { Payments, ReturnTo } from './domains/payments/payments.service.ts';
import { planRoutes } from './domains/plans/plans.routes.ts';
import { referralRoutes } from './domains/referrals/referrals.routes.ts';
import { reviewRoutes } from './domains/reviews/reviews.routes.ts';
import { newestReviews } from './domains/reviews/reviews.service.ts';
import { savedRoutes } from './domains/saved/saved.routes.ts';
import { alertRoutes } from './domains/search/alerts/search.alerts.routes.ts';
import { searchRoutes } from './domains/search/search.routes.ts';
import { SearchMemory, type SearchPostings } from './domains/search/search.service.ts';
import { sellingRoutes } from './domains/selling/selling.routes.ts';
import { signInRoutes } from './domains/sign-in/sign-in.routes.ts';
import { llmsRoutes } from './domains/site/llms.routes.ts';
import { siteRoutes } from './domains/site/site.routes.ts';
import { siteMapRoutes } from './domains/site/sitemap.routes.ts';
import { ticketRoutes } from './domains/tickets/tickets.routes.ts';
import type { Env } from './env.ts';
import { allOwnData } from './own-data.ts';
import type { Context } from './kit/context.ts';
import type { Db } from './kit/database/database.ts';
import { type Bounds, type OnBehalf, openTurns, usualBounds } from './kit/bounds/bounds.ts';
import { takeCallsInTurn } from './kit/bounds/calls-in-turn.ts';
import { Refusals } from './kit/bounds/refusals.ts';
import { boundReaders } from './kit/bounds/slow-readers.ts';
import { apiPages } from './kit/pages/api-pages.ts';
import { AppError, handleError, handleNotFound } from './kit/errors.ts';
import { Freshness } from './kit/kept/freshness.ts';
import { KeptAnswers } from './kit/kept/kept-answers.ts';
import { openHearing } from './kit/kept/hearing.ts';
import { keepAnswers } from './kit/kept/kept-calls.ts';
import { checkingCompiler } from './kit/checked-answers.ts';
import { jsonOf } from './kit/kept/written.ts';
import { refuseCrossOrigin, refuseSecondHost } from './kit/hosts.ts';
import { liveRoutes } from './kit/events/live-routes.ts';
import { LiveStreams } from './kit/events/live-streams.ts';
import { mailPreferenceRoutes } from './kit/mail/mail-preference-routes.ts';
import { multipartForms } from './kit/files/multipart.ts';
import { mcpRoutes } from './mcp/mcp.routes.ts';
import { logRequests } from './kit/request-log.ts';
import { networkOf } from './kit/network.ts';
import { type SiteBuild, serveAssets, servePages } from './kit/pages/pages.ts';
import { relyingPartyOf } from './kit/identity/relying-party.ts';
import type { Metrics } from './kit/metrics/metrics.ts';
import { metricsRoutes } from './kit/metrics/metrics-routes.ts';
import { measureAnswers, measureBounds } from './measures.ts';
import { answerFromReplicas } from './kit/replicas/answer-from-replicas.ts';
import type { Replicas } from './kit/replicas/replicas.ts';
import { mayReadReplica } from './replica-calls.ts';
import type { StripeSettings } from './kit/outside/stripe.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The country that the host is fixed to, null where visitors choose. */
    market: CountryCode | null;
    /** The network that limits and turns count for, null where nobody is counted: for the machine itself in the sandbox. */
    network: string | null;
  }
}

/** The pages: how to load their build, and where their files lie or what serves them while developing. */
export type Site = {
  mode: 'production' | 'development';
  loadBuild: () => Promise<SiteBuild>;
  assetsDir: string | null;
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  close?: () => Promise<void>;
};

export type AppOptions = {
  env: Env;
  context: Context;
  payments: Payments;
  /** Takes the views of listings' pages; whoever made it has it write them. */
  views: ViewCollector;
  stripe: StripeSettings;
  /** What searches read from, whose statements end after a while. Without, the same as all else. */
  searchDb?: Db;
  /** Answers what replicas may answer. Without, the database answers everything. */
  replicas?: Replicas | null;
  /** Answers searches from memory. Without, PostgreSQL answers all of them. */
  postings?: SearchPostings | null;
  logger: Logger;
  /** Traces requests. Without, nothing is traced. */
  traces?: FastifyPluginCallback | undefined;
  /** What the process is measured by. Without, nobody reads its figures. */
  metrics?: Metrics;
  /** The built site, or null for the API alone. */
  site: Site | null;
  /** Whether migrations and demo data are done: until then everything but the health call answers 503. */
  isReady: () => boolean;
  /** Whether the process is about to end: health says so first, so that nobody new is sent here, and all else is still answered. */
  isStopping?: () => boolean;
  /** Tests hold every answer against its schema. Elsewhere the compiler did, and checking each again costs a tenth of the speed. */
  checkAnswers?: boolean;
  /** Tests hear of every change before they read, as somebody does who has signed in. */
  hearsFirst?: boolean;
  /** Milliseconds that work may wait for the process, on average of a second, before requests are refused; 0: none are. */
  longestDelayMs?: number;
  /** How much of everything there may be at once. */
  bounds?: Bounds;
};

// What somebody who watches over the process asks of it: answered while it starts, and however much it has to do.
const askedOfProcess = new Set(['/api/live', '/api/health', '/metrics']);

/** The HTTP server, made from its parts but not listening yet. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { env, context, payments, views } = options;
  const { db, events, store } = context;
  const ownOrigin = new URL(env.appUrl).origin;
  const internalSecret = randomBytes(16).toString('hex');
  // As Fastify's own type, so that plugins take the instance whatever its logger.
  const logger: FastifyBaseLogger = options.logger;
  const app = fastify({
    loggerInstance: logger,
    // Two lines for each request are too much for thousands of them a second.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    trustProxy: env.trustProxy,
    bodyLimit: 256 * 1024,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // What comes over a connection that is still open is answered as ever: whoever sent it cannot know.
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>();

  // Before any route: it sees those that are made after it.
  if (options.traces) await app.register(options.traces);
  z.config({ customError: inputMessage });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(options.checkAnswers ? checkingCompiler : () => jsonOf);
  const bounds = options.bounds ?? usualBounds;
  const refusals = new Refusals(bounds.refusals);
  const isInternal = (request: FastifyRequest) => request.headers['x-internal'] === internalSecret;
  app.setErrorHandler<FastifyError | AppError>(async (error, request, reply) => {
    // A page is not held up by what it was refused: it says so itself, to whoever asked for it.
    if (error instanceof AppError && error.code === 'too_many_requests' && !isInternal(request)) {
      request.endTurn?.();
      await refusals.hold(request.network);
    }
    return handleError(error, request, reply);
  });
  app.removeContentTypeParser('text/plain');
  // A body that is announced but empty is none. Whether a call can do without is for its schema to say.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else void parseJson(request, String(body), done);
  });

  const development = options.site?.mode === 'development';
  const policiesOf = openPolicies(options.stripe);
  const policies = policiesOf();
  // A line is worth its time where somebody reads it.
  if (options.logger.isLevelEnabled('info')) logRequests(app, env.requestLog);
  // On a machine of one's own, browsers, tests and load tools all come from the same address.
  const isOwnMachine = (address: string) => env.sandbox && /^(::1|(::ffff:)?127\.0\.0\.1)$/.test(address);
  // Behind a proxy every connection is the proxy's.
  const networkOfPeer = (address: string) => (env.trustProxy || isOwnMachine(address) ? null : networkOf(address));
  const ended = boundReaders(app, bounds.readers, networkOfPeer);
  app.decorate('findViewer', (token: string) => findViewer(context, token));
  app.decorateRequest('viewer', null);
  app.decorateRequest('market', null);
  app.decorateRequest('network', null);
  app.addHook('onRequest', async (request, reply) => {
    // Once: behind a proxy it takes as long to find out as answering from memory.
    const { ip } = request;
    request.network = isOwnMachine(ip) ? null : networkOf(ip);
    request.market = marketOfHost(request.headers.host ?? '', env.marketHosts);
    reply.header('x-request-id', request.id);
    reply.header('permissions-policy', policies['permissions-policy']);
    // Vite's development server needs inline scripts and a socket; what is served to people has neither.
    if (!development) reply.header('content-security-policy', policies['content-security-policy']);
    if (!options.isReady() && !askedOfProcess.has(request.url)) throw new AppError('unavailable', { retryAfterSeconds: 2 });
    refuseSecondHost(request);
    refuseCrossOrigin(request, ownOrigin);
  });

  const isStopping = options.isStopping ?? (() => false);
  // A connection that is answered while the server ends would otherwise stay open for the next request, and be cut off under it.
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping()) reply.header('connection', 'close');
  });

  await app.register(helmet, {
    // Set below: it is the same text each time, and helmet would put it together for every answer.
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: env.appUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1_024, customTypes: /^application\/(json|xml)/ });
  await app.register(underPressure, {
    maxEventLoopDelay: options.longestDelayMs ?? env.eventLoopDelayMs,
    exposeStatusRoute: false,
    pressureHandler: ({ url }) => {
      // A page that is there already would stay dead without its files, which cost next to nothing.
      if (!askedOfProcess.has(url) && !url.startsWith('/assets/')) throw new AppError('unavailable', { retryAfterSeconds: 2 });
    },
  });
  const onBehalf: OnBehalf = (request) => ({
    by: request.network,
    isCharged: !isInternal(request),
  });
  const turns = openTurns(bounds);
  await app.register(rateLimit, {
    max: 1_200,
    timeWindow: 60_000,
    keyGenerator: (request) => request.network ?? '',
    allowList: (request) => isInternal(request) || request.network === null,
    errorResponseBuilder: (_request, { ttl }) => new AppError('too_many_requests', { retryAfterSeconds: ttl / 1000 }),
  });

  // Behind the limiter: what leads nowhere counts as well.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, handleNotFound);

  const { replicas } = options;
  if (replicas) answerFromReplicas(app, { replicas, mayRead: mayReadReplica });
  const reads = (primary: Db) => replicas?.readingFrom(primary) ?? primary;
  const listingDb = reads(db);
  const searchDb = reads(options.searchDb ?? db);
  const freshness = new Freshness();
  // What shows one listing and no list.
  const ofListings = new Freshness();
  const searchMemory = new SearchMemory(options.postings ?? null, freshness, ofListings);
  const answers = new KeptAnswers(env.htmlCacheBytes, freshness);
  const allChanged = () => {
    freshness.allChanged();
    ofListings.allChanged();
  };
  events.on('listings', (ids) => {
    searchMemory.changed(ids);
    if (ids === 'many') allChanged();
    else {
      freshness.changed([anyListing, ...ids]);
      ofListings.changed(ids);
    }
  });
  events.on('words', (words) => searchMemory.wordsChanged(words));
  events.on('lists', (changes) => {
    if (changes === 'many') freshness.allChanged();
    else freshness.changed(changedBy(changes));
  });
  // A few times a month.
  events.on('draws', () => freshness.changed([anyDraw]));
  const hearing = openHearing({ events, freshness: { allChanged } }, isInternal, options.hearsFirst ?? false);
  // Whoever changed something finds it changed, whatever they ask next: what was committed is heard before it is answered.
  app.addHook('onSend', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD' && options.isReady()) await hearing.hearOwn();
  });

  const streams = new LiveStreams({
    context,
    logger: options.logger,
    holds: async (token) => (await findViewer(context, token)) !== undefined,
    greet: async (userId) => [{ kind: 'unread', data: { conversations: await countUnread(db, userId) } }],
  });
  const { onRegistered, onPublished, onReviewed, onSameText, onAccountDeleted, paymentStep, timeZonesOf } = openHooks(context, payments);
  const originOf = (host: string | undefined) => relyingPartyOf(host, { appUrl: env.appUrl, hosts: env.marketHosts.keys() }).origin;
  const returnTo: ReturnTo = (host, purpose, listingId) => `${originOf(host)}${paymentReturnTo(purpose, listingId)}`;
  await multipartForms(app, { dir: join(env.dataDir, 'uploads') });
  await app.register(
    async (api) => {
      takeCallsInTurn(api, turns.calls, onBehalf);
      keepAnswers(api, { answers, hearing });
      await api.register(apiPages, { appUrl: env.appUrl });
      await api.register(siteRoutes, {
        context,
        isReady: () => options.isReady() && !isStopping(),
        stripe: options.stripe,
        sandbox: env.sandbox,
        supportEmail: env.supportEmail,
      });
      await api.register(accountRoutes, { context, onRegistered, allOwnData, onAccountDeleted });
      await api.register(signInRoutes, { context, marketHosts: [...env.marketHosts.keys()] });
      await api.register(ticketRoutes, { context });
      await api.register(referralRoutes, {
        context,
        asks: referralAsks,
        paymentStep,
        originOf,
      });
      await api.register(paymentRoutes, { db, payments, returnTo, turns: turns.documents, onBehalf });
      await api.register(planRoutes, { context, payments, timeZonesOf, asks: referralAsks, returnTo });
      await api.register(listingRoutes, { show: (id, viewer) => getListing(listingDb, id, viewer, newestReviews) });
      await api.register(messageRoutes, { context, onSameText });
      await api.register(mailPreferenceRoutes, { context });
      await api.register(liveRoutes, { streams });
      await api.register(reviewRoutes, { context, onReviewed });
      await api.register(savedRoutes, { context });
      await api.register(searchRoutes, { db: searchDb, memory: searchMemory, turns: turns.searches, onBehalf });
      await api.register(alertRoutes, { context, search: { db: searchDb, memory: searchMemory } });
      await api.register(sellingRoutes, { context, payments, onPublished, returnTo });
      await api.register(figureRoutes, { context, views });
      await api.register(drawRoutes, { context, supportEmail: env.supportEmail });
      await api.register(reportRoutes, { context });
      await api.register(adminRoutes, { context });
      await api.register(adminSearchRoutes, { context });
      await api.register(adminPaymentRoutes, { context, payments });
      // The pages would take these addresses too. Whatever else the request holds is not read.
      const unknown = { schema: { hide: true }, onRequest: [api.rateLimit(), handleNotFound] };
      for (const url of ['/', '/*']) api.all(url, unknown, handleNotFound);
      // Answers to one user, and answers that a change makes wrong, are not for caches between.
      api.addHook('onSend', async (_request, reply) => {
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
      });
    },
    { prefix: '/api' },
  );
  if (options.metrics) {
    options.metrics.measureRequests(app, isInternal);
    measureAnswers(options.metrics, answers);
    measureBounds(options.metrics, turns, ended);
    await app.register(metricsRoutes, {
      metrics: options.metrics,
      access: { token: env.metricsToken, isProxied: env.trustProxy !== false },
    });
  }
  await app.register(siteMapRoutes, { db, appUrl: env.appUrl });
  const marketHosts = [...env.marketHosts.keys()];
  await app.register(llmsRoutes, { appUrl: env.appUrl, marketHosts });
  await app.register(mcpRoutes, {
    context: { ...context, db: searchDb },
    memory: searchMemory,
    marketHosts,
    turns: turns.searches,
    onBehalf,
  });
  await store.serve(app);

  if (options.site) {
    const { middleware } = options.site;
    if (middleware) app.addHook('onRequest', (request, reply, done) => middleware(request.raw, reply.raw, () => done()));
    if (options.site.assetsDir) await serveAssets(app, options.site.assetsDir);
    servePages(app, {
      loadBuild: options.site.loadBuild,
      mode: options.site.mode,
      answers,
      hearing,
      turns: turns.pages,
      onBehalf,
      unsaid: { ...shownOfDraws, names: [anyListing, ...shownOfDraws.names] },
      cacheControl: env.pageCacheControl,
      appUrl: env.appUrl,
      sandbox: env.sandbox,
      internalSecret,
      realPayments: options.stripe.apiBase === null,
      relayed: context.replyDomain !== null,
      policiesOf: (path, hashes) => ({ ...policiesOf(path, hashes), ...(development && { 'content-security-policy': '' }) }),
    });
  }
  return app;
}
