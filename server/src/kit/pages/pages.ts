import type { Call, CallInput, CallOutput } from '@handwise/contract/call';
import type { ErrorBody } from '@handwise/contract/errors';
import type { CountryCode } from '@handwise/contract/markets';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RouterContext, RouterContextProvider, type ServerBuild, createRequestHandler, data } from 'react-router';
import { AppError } from '../errors.ts';
import type { OnBehalf } from '../bounds/bounds.ts';
import type { Turns } from '../bounds/turns.ts';
import { Answer, type KeptAnswers, type Shown } from '../kept/kept-answers.ts';
import type { Hearing } from '../kept/hearing.ts';
import { sendAnswer } from '../kept/send-answer.ts';
import { shownOf } from '../kept/shown-header.ts';
import { type PageAddress, pageAddresses } from './page-address.ts';

/** The built site: React Router's server build, which also names the key under which pages find their context. */
export type SiteBuild = ServerBuild & { entry: { module: { serverContext: RouterContext<PageContext> } } };

/** What a page's loader gets. */
type PageContext = {
  call: <C extends Call>(call: C, input: CallInput<C>) => Promise<CallOutput<C>>;
  market: CountryCode | null;
  origin: string;
  sandbox: boolean;
  realPayments: boolean;
};

export type PagesOptions = {
  loadBuild: () => Promise<SiteBuild>;
  mode: 'production' | 'development';
  answers: KeptAnswers;
  hearing: Hearing;
  /** What a page shows that asks something of which nobody says what it shows. */
  unsaid: Shown;
  /** How others may keep pages. */
  cacheControl: string;
  appUrl: string;
  sandbox: boolean;
  /** Proves to the rate limiter that a call comes from a page of this very process. */
  internalSecret: string;
  /** Whether cards are charged: pages of payment then are documents of their own. */
  realPayments: boolean;
  /** Pages are rendered when it is their turn. */
  turns: Turns;
  onBehalf: OnBehalf;
  /** What a page allows to run and to reach, as headers. */
  policiesOf: (path: string, scriptHashes: readonly string[]) => Record<string, string>;
};

// Texts such as "3 days ago" age.
const agesSeconds = 60;
// As the calls say it of themselves.
const retryAfterSeconds = 2;

/**
 * Answers every address that nothing else answers with a page of the site. A page has one address: other spellings are sent
 * there, so that what is kept under it is all there is to drop.
 */
export function servePages(app: FastifyInstance, options: PagesOptions) {
  const { answers, hearing } = options;
  const render = renderer(app, options);
  const readers = new WeakMap<SiteBuild, (url: string) => PageAddress>();
  const addressOf = (build: SiteBuild, url: string) => {
    const reader = readers.get(build) ?? pageAddresses(build);
    readers.set(build, reader);
    return reader(url);
  };

  app.get('/*', async (request, reply) => {
    const build = await options.loadBuild();
    await hearing.hear(request);
    const [path = ''] = request.url.split('?', 1);
    // What a link followed in the browser asks for: the page's data without its HTML.
    if (path.endsWith('.data')) {
      const { status, headers, body } = await render(build, request, request.url);
      if (status === 503) reply.header('retry-after', retryAfterSeconds).header('cache-control', 'no-store');
      return reply.code(status).headers(headers).send(body);
    }
    const address = addressOf(build, request.url);
    if (address.path !== path) return reply.redirect(address.path + request.url.slice(path.length), 301);

    // Pages are the same for everybody, so address and market decide.
    const key = `${request.market ?? '-'} ${address.path}${address.search}`;
    const known = answers.get(key, { exactly: true });
    if (known) return sendAnswer(request, reply, { answers, key, answer: known.answer, state: 'hit' });
    const keep = answers.begin(key);
    const { status, headers, body, shown } = await render(build, request, address.path + address.search);
    // Without its database the site still has the pages that it had a moment ago.
    const old = status === 503 ? answers.getOld(key) : undefined;
    if (old) return sendAnswer(request, reply, { answers, key, answer: old, state: 'old' });
    reply.code(status);
    if (status === 503) reply.header('retry-after', retryAfterSeconds);
    if (!headers['content-type']?.startsWith('text/html')) return reply.headers(headers).send(body);
    const page = new Answer(body, asServed(address.path, headers, status, options));
    if (status === 200 && address.isKept && headers['cache-control'] !== 'no-store') keep(page, shown);
    return sendAnswer(request, reply, { answers, key, answer: page, state: 'miss' });
  });
}

function renderer(app: FastifyInstance, options: PagesOptions) {
  return async (build: SiteBuild, request: FastifyRequest, address: string) => {
    const context = new RouterContextProvider();
    const all: Shown[] = [];
    context.set(build.entry.module.serverContext, {
      call: internalCall(app, request, { secret: options.internalSecret, isOwn: options.hearing.isOwn(request) }, (headers) =>
        all.push(shownOf(headers) ?? options.unsaid),
      ),
      market: request.market,
      origin: options.appUrl,
      sandbox: options.sandbox,
      realPayments: options.realPayments,
    });
    // Put together as text: resolved against APP_URL, an address of two slashes would name another host.
    const url = new URL(options.appUrl + address);
    const asked = new Request(url, { headers: { accept: request.headers.accept ?? '*/*' } });
    return options.turns.run(async () => {
      const answer = await createRequestHandler(build, options.mode)(asked, context);
      const body = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body, shown: together(all) };
    }, options.onBehalf(request));
  };
}

/** What a page shows that is made of answers which show these. */
const together = (all: readonly Shown[]): Shown => ({
  names: [...new Set(all.flatMap(({ names }) => names))],
  seconds: Math.min(agesSeconds, ...all.map(({ seconds }) => seconds)),
});

// Whoever renders says which scripts of the page are its own: what else stands in the HTML must not run.
function asServed(
  path: string,
  { 'script-hashes': hashes = '', ...headers }: Record<string, string>,
  status: number,
  options: PagesOptions,
) {
  return {
    'cache-control': status === 200 ? options.cacheControl : 'no-store',
    vary: 'accept-encoding',
    ...headers,
    ...options.policiesOf(path, hashes.split(' ').filter(Boolean)),
  };
}

// Pages read through the same calls as browsers do, without a network between.
function internalCall(
  app: FastifyInstance,
  request: FastifyRequest,
  { secret, isOwn }: { secret: string; isOwn: boolean },
  answered: (headers: Readonly<Record<string, unknown>>) => void,
): PageContext['call'] {
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
      headers: { host: request.headers.host ?? '', 'x-internal': secret, ...(isOwn && { 'cache-control': 'no-cache' }) },
      // What it takes is whose the page is.
      remoteAddress: request.ip,
    });
    answered(answer.headers);
    if (answer.statusCode < 400) return answer.json();
    const { code, errors, message } = answer.json<ErrorBody>();
    // A page of 503, not of 500: whoever reads or keeps it must know that it passes.
    if ([429, 503, 507].includes(answer.statusCode)) throw data({ message }, { status: 503 });
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
