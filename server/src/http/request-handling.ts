import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
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
import { inputMessage } from '@handwise/contract/input-messages';
import { type CountryCode, marketOfHost } from '@handwise/contract/markets';
import type { AppContext } from '../composition/app-context.ts';
import { findViewer, renewRestoreToken } from '../domains/accounts/accounts.service.ts';
import type { Env } from '../env.ts';
import { setWriteCookie } from '../kit/cache/write-cookie.ts';
import { AppError, handleError, handleNotFound } from '../kit/errors.ts';
import { rejectCrossOrigin, rejectSecondHost } from '../kit/hosts.ts';
import { strictSerializerCompiler } from '../kit/http.ts';
import { setSessionCookies } from '../kit/identity/session-cookies.ts';
import type { Limits } from '../kit/limits/limits.ts';
import { type Refusals, refuseQuickly } from '../kit/limits/quick-refusals.ts';
import { limitSlowClients } from '../kit/limits/slow-clients.ts';
import { Tarpit } from '../kit/limits/tarpit.ts';
import { limitUnfinishedBodies } from '../kit/limits/unfinished-bodies.ts';
import { addRequestLog } from '../kit/logging.ts';
import { getNetwork } from '../kit/network.ts';
import type { SecurityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The country of the host; null if visitors choose. */
    market: CountryCode | null;
    /** The client's network, which limits and queues apply to; null if unlimited, for the machine itself in the sandbox. */
    network: string | null;
  }
}

/** Options of request handling. */
export type RequestOptions = {
  env: Env;
  context: AppContext;
  logger: Logger;
  /** Traces requests. */
  traces?: FastifyPluginCallback | undefined;
  /** Whether migrations and demo data are done: until then everything but the health call answers 503. */
  isReady: () => boolean;
  /** Whether the process is about to end: the health call then answers 503, so that load balancers stop sending requests, and all else is served. */
  isStopping: () => boolean;
  /** For tests: validates every response against its schema. In production the compiler has checked it, and validating costs a tenth of the throughput. */
  checkAnswers?: boolean;
  limits: Limits;
};

type Receiving = RequestOptions & {
  /** Which requests are refused before anything else is done for them. */
  refusals: Omit<Refusals, 'headers'>;
  /** Whether the request comes from a page of this process. */
  isInternal: (request: FastifyRequest) => boolean;
  /** Security headers of responses other than pages. */
  securityHeaders: SecurityHeaders;
  isDevelopment: boolean;
};

// Answered during the start and under any load, without waiting for anything else.
const monitoringPaths: ReadonlySet<string> = new Set(['/api/live', '/api/health', '/metrics']);

export const isMonitoring = ({ url }: Pick<FastifyRequest, 'url'>): boolean => monitoringPaths.has(url);

/**
 * Creates a server without routes, with the hooks of all requests and responses. `cutConnections` counts the connections that were closed because
 * the client did not read, or did not finish its request.
 */
export async function receiveRequests(options: Receiving) {
  const { env, context, limits, isInternal } = options;
  // Widened to Fastify's own type, so that plugins accept the instance.
  const logger: FastifyBaseLogger = options.logger;
  const app = fastify({
    loggerInstance: logger,
    // Fastify's two lines per request are too many for thousands of requests a second.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    trustProxy: env.trustProxy,
    bodyLimit: longestBody,
    // Bodies have limits of their own, because that of Node would end uploads too.
    http: { headersTimeout: limits.bodies.completeMs, connectionsCheckingInterval: 1_000 },
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // Requests on open connections are still served, because the client can't know that the server is stopping.
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>();

  // Must come before the routes that it traces.
  if (options.traces) await app.register(options.traces);
  z.config({ customError: inputMessage });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(options.checkAnswers ? strictSerializerCompiler : () => JSON.stringify);
  const tarpit = new Tarpit(limits.rejections);
  app.setErrorHandler<FastifyError | AppError>(async (error, request, reply) => {
    // A call of a page is not delayed, because the page has its own response.
    if (error instanceof AppError && error.code === 'too_many_requests' && !isInternal(request)) {
      await tarpit.delay(request.network);
    }
    return handleError(error, request, reply);
  });
  readJson(app);

  refuseQuickly(app, { ...options.refusals, headers: options.securityHeaders });
  // Skips the work for lines that would not be logged.
  if (options.logger.isLevelEnabled('info')) addRequestLog(app, { share: 0.01, slowMs: 1_000 });
  // In development, browsers, tests and load tools share one address.
  const isOwnMachine = (address: string) => env.sandbox && /^(::1|(::ffff:)?127\.0\.0\.1)$/.test(address);
  // Behind a proxy, a connection's address is the proxy's.
  const networkOfPeer = (address: string) => (env.trustProxy || isOwnMachine(address) ? null : getNetwork(address));
  const slow = limitSlowClients(app, limits.clients, networkOfPeer);
  const unfinished = limitUnfinishedBodies(app, limits.bodies);
  app.decorate('findViewer', (token: string) => findViewer(context, token));
  app.decorateRequest('viewer', null);
  app.decorateRequest('market', null);
  app.decorateRequest('network', null);
  const ownOrigin = new URL(env.appUrl).origin;
  app.addHook('onRequest', (request, _reply, done) => {
    // Read once, because behind a proxy the look-up takes as long as a response from the cache.
    const { ip } = request;
    request.network = isOwnMachine(ip) ? null : getNetwork(ip);
    request.market = marketOfHost(request.headers.host ?? '', env.marketHosts);
    done();
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('permissions-policy', options.securityHeaders['permissions-policy']);
    // Vite's development server needs inline scripts and a WebSocket.
    if (!options.isDevelopment) reply.header('content-security-policy', options.securityHeaders['content-security-policy']);
    if (!options.isReady() && !isMonitoring(request)) throw new AppError('unavailable', { retryAfterSeconds: 2 });
    rejectSecondHost(request);
    rejectCrossOrigin(request, ownOrigin);
  });
  // The cookie that restores a session lasts as long as the session that is used. Never on an answer that a proxy may store for others.
  app.addHook('onSend', async (request, reply) => {
    if (!request.viewer?.isExtended || reply.statusCode >= 400 || reply.hasHeader('set-cookie')) return;
    if (String(reply.getHeader('cache-control') ?? '').includes('public')) return;
    try {
      const token = await renewRestoreToken(context, request.viewer.sessionId);
      if (token) setSessionCookies(reply, token);
    } catch (error) {
      request.log.warn(error, 'the cookie of a session was not renewed');
    }
  });
  // After the cookies of a session, which are set together or not at all.
  setWriteCookie(app, { isSecure: ownOrigin.startsWith('https:'), seconds: env.writeCookieSeconds });
  // Otherwise the connection would stay open for the next request, which would then be cut off.
  app.addHook('onSend', async (_request, reply) => {
    if (options.isStopping()) reply.header('connection', 'close');
  });

  await app.register(helmet, {
    // Set above as a constant; helmet would build it for every response.
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: env.appUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1_024, customTypes: /^application\/(json|xml)/ });
  await app.register(underPressure, {
    maxEventLoopDelay: env.eventLoopDelayMs,
    exposeStatusRoute: false,
    pressureHandler: (request, _reply, _type, delay) => {
      // After a pause of a second nothing was measured, which is given as an infinite delay: it says nothing of what comes.
      if (delay === Infinity) return;
      // Loaded pages need their assets, which are cheap.
      if (!isMonitoring(request) && !request.url.startsWith('/assets/')) throw new AppError('overloaded', { retryAfterSeconds: 2 });
    },
  });
  await app.register(rateLimit, {
    max: 1_200,
    timeWindow: 60_000,
    keyGenerator: (request) => request.network ?? '',
    allowList: (request) => isInternal(request) || request.network === null || isMonitoring(request),
    errorResponseBuilder: (_request, { ttl }) => new AppError('too_many_requests', { retryAfterSeconds: ttl / 1000 }),
  });
  // Unknown URLs count towards the rate limit too.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, handleNotFound);
  return { app, cutConnections: () => ({ ...slow, ...unfinished }) };
}

// Parsing large or deeply nested JSON blocks the event loop (20 ms for 250 kB of brackets). Eight times the largest body of any call.
const longestBody = 64 * 1024;
const deepestBody = 20;

/** Whether objects and arrays are nested deeper than so many levels. Brackets within strings don’t count. */
function isDeeperThan(levels: number, json: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const letter = json[at];
    if (isText && letter === '\\') at += 1;
    else if (letter === '"') isText = !isText;
    else if (!isText && (letter === '[' || letter === '{')) depth += 1;
    else if (!isText && (letter === ']' || letter === '}')) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

function readJson(app: Pick<FastifyInstance, 'removeContentTypeParser' | 'getDefaultJsonParser' | 'addContentTypeParser'>) {
  app.removeContentTypeParser('text/plain');
  // An empty body counts as missing; the call's schema decides whether it is required.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else if (isDeeperThan(deepestBody, String(body))) done(new AppError('malformed_request'));
    else void parseJson(request, String(body), done);
  });
}
