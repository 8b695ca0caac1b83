import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import { inputMessage } from '@handwise/contract/input-messages';
import { type CountryCode, marketOfHost } from '@handwise/contract/markets';
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
import type { WholeContext } from './contexts.ts';
import { findViewer } from './domains/accounts/accounts.service.ts';
import type { Env } from './env.ts';
import type { Limits } from './kit/limits/limits.ts';
import { limitSlowClients } from './kit/limits/slow-clients.ts';
import { checkingCompiler } from './kit/checked-answers.ts';
import { AppError, handleError, handleNotFound } from './kit/errors.ts';
import { refuseCrossOrigin, refuseSecondHost } from './kit/hosts.ts';
import { networkOf } from './kit/network.ts';
import { logRequests } from './kit/request-log.ts';
import type { Policies } from './policies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The country that the host is fixed to, null where visitors choose. */
    market: CountryCode | null;
    /** The network that limits and turns count for, null where nobody is counted: for the machine itself in the sandbox. */
    network: string | null;
  }
}

/** How requests are taken, whatever they ask for. */
export type RequestOptions = {
  env: Env;
  context: WholeContext;
  logger: Logger;
  /** Traces requests. Without, nothing is traced. */
  traces?: FastifyPluginCallback | undefined;
  /** Whether migrations and demo data are done: until then everything but the health call answers 503. */
  isReady: () => boolean;
  /** Whether the process is about to end: health says so first, so that nobody new is sent here, and all else is still answered. */
  isStopping: () => boolean;
  /** Tests hold every answer against its schema. Elsewhere the compiler did, and checking each again costs a tenth of the speed. */
  checkAnswers?: boolean;
  /** Milliseconds that work may wait for the process, on average of a second, before requests are refused; 0: none are. */
  longestDelayMs?: number;
  /** How much of everything there may be at once. */
  limits: Limits;
};

type Receiving = RequestOptions & {
  /** Whether it is the process itself that asks, for a page that it makes. */
  isInternal: (request: FastifyRequest) => boolean;
  /** What answers that are no pages allow. */
  policies: Policies;
  isDevelopment: boolean;
};

// What somebody who watches over the process asks of it: answered while it starts, and however much it has to do.
const askedOfProcess = new Set(['/api/live', '/api/health', '/metrics']);

/**
 * A server that answers nothing yet: what every request goes through before it reaches a route, and every answer before it leaves. `ended` counts
 * the connections that were ended because nobody read what was sent.
 */
export async function receiveRequests(options: Receiving) {
  const { env, context, limits, isInternal } = options;
  // As Fastify's own type, so that plugins take the instance whatever its logger.
  const logger: FastifyBaseLogger = options.logger;
  const app = fastify({
    loggerInstance: logger,
    // Two lines for each request are too much for thousands of them a second.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    trustProxy: env.trustProxy,
    bodyLimit: longestBody,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // What comes over a connection that is still open is answered as ever: whoever sent it cannot know.
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>();

  // Before any route: it sees those that are made after it.
  if (options.traces) await app.register(options.traces);
  z.config({ customError: inputMessage });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(options.checkAnswers ? checkingCompiler : () => JSON.stringify);
  app.setErrorHandler<FastifyError | AppError>(handleError);
  readJson(app);

  // A line is worth its time where somebody reads it.
  if (options.logger.isLevelEnabled('info')) logRequests(app, env.requestLog);
  // On a machine of one's own, browsers, tests and load tools all come from the same address.
  const isOwnMachine = (address: string) => env.sandbox && /^(::1|(::ffff:)?127\.0\.0\.1)$/.test(address);
  // Behind a proxy every connection is the proxy's.
  const networkOfPeer = (address: string) => (env.trustProxy || isOwnMachine(address) ? null : networkOf(address));
  const ended = limitSlowClients(app, limits.clients, networkOfPeer);
  app.decorate('findViewer', (token: string) => findViewer(context, token));
  app.decorateRequest('viewer', null);
  app.decorateRequest('market', null);
  app.decorateRequest('network', null);
  const ownOrigin = new URL(env.appUrl).origin;
  app.addHook('onRequest', async (request, reply) => {
    // Once: behind a proxy it takes as long to find out as answering from memory.
    const { ip } = request;
    request.network = isOwnMachine(ip) ? null : networkOf(ip);
    request.market = marketOfHost(request.headers.host ?? '', env.marketHosts);
    reply.header('x-request-id', request.id);
    reply.header('permissions-policy', options.policies['permissions-policy']);
    // Vite's development server needs inline scripts and a socket; what is served to people has neither.
    if (!options.isDevelopment) reply.header('content-security-policy', options.policies['content-security-policy']);
    if (!options.isReady() && !askedOfProcess.has(request.url)) throw new AppError('unavailable', { retryAfterSeconds: 2 });
    refuseSecondHost(request);
    refuseCrossOrigin(request, ownOrigin);
  });
  // A connection that is answered while the server ends would otherwise stay open for the next request, and be cut off under it.
  app.addHook('onSend', async (_request, reply) => {
    if (options.isStopping()) reply.header('connection', 'close');
  });

  await app.register(helmet, {
    // Set above: it is the same text each time, and helmet would put it together for every answer.
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
  await app.register(rateLimit, {
    max: 1_200,
    timeWindow: 60_000,
    keyGenerator: (request) => request.network ?? '',
    allowList: (request) => isInternal(request) || request.network === null,
    errorResponseBuilder: (_request, { ttl }) => new AppError('too_many_requests', { retryAfterSeconds: ttl / 1000 }),
  });
  // Behind the limiter: what leads nowhere counts as well.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, handleNotFound);
  return { app, ended };
}

// Parsing what is large or deeply nested holds up the process: 250 kB of brackets for 20 milliseconds. Eight times what any call takes.
const longestBody = 64 * 1024;
const deepestBody = 20;

/** Whether objects and arrays are nested deeper than so many levels. Brackets within texts don’t count. */
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
  // A body that is announced but empty is none. Whether a call can do without is for its schema to say.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else if (isDeeperThan(deepestBody, String(body))) done(new AppError('malformed_request'));
    else void parseJson(request, String(body), done);
  });
}
