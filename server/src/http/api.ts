import type { FastifyInstance, FastifyRequest } from 'fastify';
import { paymentReturnTo } from '@handwise/contract/payments/return';
import { drawHooks, registerHooks, openHooks, openReviewHooks, paymentHooks, planHooks, referralHooks } from '../composition/hooks.ts';
import { doctorRoutes } from '../doctor/doctor.routes.ts';
import { checkInstallation, type Installation } from '../doctor/doctor.ts';
import { accountRoutes } from '../domains/accounts/accounts.routes.ts';
import { findViewer } from '../domains/accounts/accounts.service.ts';
import { reportRoutes } from '../domains/admin/admin.reports.routes.ts';
import { adminRoutes } from '../domains/admin/admin.routes.ts';
import { alertRoutes } from '../domains/alerts/alerts.routes.ts';
import { analyticsRoutes } from '../domains/analytics/analytics.routes.ts';
import type { ViewCollector } from '../domains/analytics/analytics.service.ts';
import { costRoutes } from '../domains/costs/costs.routes.ts';
import { drawRoutes } from '../domains/draws/draws.routes.ts';
import { funnelRoutes } from '../domains/funnel/funnel.routes.ts';
import { invitationRoutes } from '../domains/invitations/invitations.routes.ts';
import { listingRoutes } from '../domains/listings/listings.routes.ts';
import { getListing } from '../domains/listings/listings.service.ts';
import { messageRoutes } from '../domains/messages/messages.routes.ts';
import { countUnread } from '../domains/messages/messages.service.ts';
import { paymentRoutes } from '../domains/payments/payments.routes.ts';
import type { Payments, ReturnTo } from '../domains/payments/payments.service.ts';
import { planRoutes } from '../domains/plans/plans.routes.ts';
import { pushRoutes } from '../domains/push/push.routes.ts';
import { quoteRoutes } from '../domains/quotes/quotes.routes.ts';
import { referralRoutes } from '../domains/referrals/referrals.routes.ts';
import { registerRoutes } from '../domains/registers/registers.routes.ts';
import { reviewRoutes } from '../domains/reviews/reviews.routes.ts';
import { newestReviews } from '../domains/reviews/reviews.service.ts';
import { savedRoutes } from '../domains/saved/saved.routes.ts';
import { searchRoutes } from '../domains/search/search.routes.ts';
import type { SearchParts } from '../domains/search/search.service.ts';
import { sellingRoutes } from '../domains/selling/selling.routes.ts';
import { providerRoutes } from '../domains/sign-in/sign-in.providers.routes.ts';
import { signInRoutes } from '../domains/sign-in/sign-in.routes.ts';
import { siteRoutes } from '../domains/site/site.routes.ts';
import { type RecordVital, readSiteLogo } from '../domains/site/site.service.ts';
import { settingsRoutes } from '../domains/site/site.settings.routes.ts';
import { ticketRoutes } from '../domains/tickets/tickets.routes.ts';
import { unansweredRoutes } from '../domains/unanswered/unanswered.routes.ts';
import { visitRoutes } from '../domains/visits/visits.routes.ts';
import { type CallKeys, cacheRoutes } from '../kit/cache/cached-routes.ts';
import type { ReadBarrier } from '../kit/cache/read-barrier.ts';
import type { Schedule } from '../kit/cache/response-cache.ts';
import type { ResponseCache } from '../kit/cache/response-cache.ts';
import type { Db } from '../kit/database/database.ts';
import { handleNotFound } from '../kit/errors.ts';
import { liveRoutes } from '../kit/events/live-routes.ts';
import { LiveStreams } from '../kit/events/live-streams.ts';
import { getRelyingParty } from '../kit/hosts.ts';
import type { StripeSettings } from '../kit/integrations/stripe.ts';
import { queueCalls } from '../kit/limits/call-queue.ts';
import type { ClientOf, RequestQueues } from '../kit/limits/limits.ts';
import { mailPreferenceRoutes } from '../kit/mail/mail-preferences.routes.ts';
import { apiPages } from '../kit/pages/api-pages.ts';
import { PdfRenderer } from '../kit/pdf/pdf-renderer.ts';
import { type RequestOptions, isMonitoring } from './request-handling.ts';

/** The services of the calls. */
export type ApiOptions = {
  payments: Payments;
  /** Collects views of listing pages. Its creator starts and stops it. */
  views: ViewCollector;
  stripe: StripeSettings;
  /** What the doctor checks. */
  installation: Omit<Installation, 'env'>;
};

type Parts = ApiOptions &
  Pick<RequestOptions, 'env' | 'context' | 'logger' | 'isReady' | 'isStopping'> & {
    caching: { cache: ResponseCache; barrier: ReadBarrier; keys: CallKeys };
    search: SearchParts;
    /** The database or replicas that listings and searches are read from. */
    readFrom: Record<'listings' | 'searches', Db>;
    queues: RequestQueues;
    clientOf: ClientOf;
    isInternal: (request: FastifyRequest) => boolean;
    isDatabaseReachable: () => Promise<boolean>;
    recordVital: RecordVital;
  };

/** Registers the routes of all domains below /api. */
export async function apiRoutes(api: FastifyInstance, parts: Parts): Promise<void> {
  const { env, context, payments, views, stripe, caching, readFrom, search, queues, clientOf, isInternal } = parts;
  const { db } = context;
  const marketHosts = [...env.marketHosts.keys()];
  const { accountHooks, sellingHooks, messageHooks, referralPaymentHooks } = openHooks(context, payments);
  const originOf = (host: string | undefined) => getRelyingParty(host, { appUrl: env.appUrl, hosts: marketHosts }).origin;
  const returnTo: ReturnTo = (host, purpose, listingId) => `${originOf(host)}${paymentReturnTo(purpose, listingId)}`;
  const streams = new LiveStreams({
    context,
    logger: parts.logger,
    isValidSession: async (token) => (await findViewer(context, token)) !== undefined,
    greet: async (userId) => [{ kind: 'unread', data: { conversations: await countUnread(db, userId) } }],
  });

  const renderer = new PdfRenderer(queues.documents, {}, () => readSiteLogo(context));
  api.addHook('onClose', () => renderer.close());

  const scheduleSearch =
    (request: FastifyRequest): Schedule =>
    (search) =>
      isInternal(request) ? search() : queues.searches.run(search, clientOf(request));

  // A call of a page runs within the page's task: a page that is rendered is not refused half-way.
  queueCalls(api, queues.calls, (request) => isInternal(request) || isMonitoring(request));
  cacheRoutes(api, caching);
  await api.register(apiPages, { appUrl: env.appUrl });
  await api.register(siteRoutes, {
    context,
    isReady: () => parts.isReady() && !parts.isStopping(),
    isDatabaseReachable: parts.isDatabaseReachable,
    stripe,
    sandbox: env.sandbox,
    relayed: context.replyDomain !== null,
    signInWith: [...context.identityProviders.keys()],
    mapTiles: env.mapTiles,
    recordVital: parts.recordVital,
  });
  await api.register(settingsRoutes, { context });
  await api.register(doctorRoutes, { check: (options) => checkInstallation({ env, ...parts.installation }, options) });
  await api.register(accountRoutes, { context, hooks: accountHooks });
  await api.register(signInRoutes, { context, marketHosts, hooks: accountHooks });
  await api.register(providerRoutes, { context, marketHosts, hooks: accountHooks });
  await api.register(pushRoutes, { context });
  await api.register(ticketRoutes, { context });
  await api.register(referralRoutes, { context, hooks: referralHooks, paymentHooks: referralPaymentHooks, originOf });
  await api.register(paymentRoutes, { db, payments, hooks: paymentHooks, returnTo, renderer, clientOf });
  await api.register(planRoutes, { context, payments, hooks: planHooks, referralHooks, returnTo });
  await api.register(listingRoutes, { show: (id, viewer) => getListing(readFrom.listings, id, viewer, newestReviews) });
  await api.register(registerRoutes, { context, hooks: registerHooks });
  await api.register(costRoutes, { db: readFrom.searches });
  await api.register(messageRoutes, { context, hooks: messageHooks });
  await api.register(unansweredRoutes, { context, hooks: messageHooks });
  await api.register(quoteRoutes, { context, renderer, clientOf });
  await api.register(visitRoutes, { context });
  await api.register(mailPreferenceRoutes, { context });
  await api.register(liveRoutes, { streams });
  await api.register(reviewRoutes, { context, hooks: openReviewHooks(context) });
  await api.register(savedRoutes, { context });
  await api.register(searchRoutes, { parts: search, schedule: scheduleSearch });
  await api.register(alertRoutes, { context, search });
  await api.register(sellingRoutes, { context, payments, hooks: sellingHooks, returnTo });
  await api.register(invitationRoutes, { context });
  await api.register(funnelRoutes, { context });
  await api.register(analyticsRoutes, { context, views });
  await api.register(drawRoutes, { context, hooks: drawHooks });
  await api.register(reportRoutes, { context });
  await api.register(adminRoutes, { context, payments });
  // Otherwise the pages would answer these URLs. The body is not read.
  const unknown = { schema: { hide: true }, onRequest: [api.rateLimit(), handleNotFound] };
  for (const url of ['/', '/*']) api.all(url, unknown, handleNotFound);
  // Responses are private or can change at any time, so shared caches must not store them.
  api.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}
