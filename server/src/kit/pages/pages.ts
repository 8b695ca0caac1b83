import type { Call, CallInput, CallOutput } from '@handwise/contract/call';
import type { CountryCode } from '@handwise/contract/markets';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RouterContext, RouterContextProvider, type ServerBuild, createRequestHandler } from 'react-router';
import type { OnBehalf } from '../bounds/bounds.ts';
import type { Turns } from '../bounds/turns.ts';
import { Answer, type InTurn, type KeptAnswers, type Sent, type Shown } from '../kept/kept-answers.ts';
import type { Hearing } from '../kept/hearing.ts';
import { sendAnswer } from '../kept/send-answer.ts';
import { nextDay } from './next-day.ts';
import { type PageAddress, pageAddresses } from './page-address.ts';
import { type PageCall, PageCalls } from './page-calls.ts';

/** The built site: React Router's server build, which also names the key under which pages find their context. */
export type SiteBuild = ServerBuild & { entry: { module: { serverContext: RouterContext<PageContext> } } };

/** What a page's loader gets. */
type PageContext = {
  call: <C extends Call>(call: C, input: CallInput<C>) => Promise<CallOutput<C>>;
  market: CountryCode | null;
  origin: string;
  sandbox: boolean;
  realPayments: boolean;
  relayed: boolean;
};

export type PagesOptions = {
  loadBuild: () => Promise<SiteBuild>;
  mode: 'production' | 'development';
  answers: KeptAnswers;
  hearing: Hearing;
  /** How others may keep pages. */
  cacheControl: string;
  appUrl: string;
  sandbox: boolean;
  /** Proves to the rate limiter that a call comes from a page of this very process. */
  internalSecret: string;
  /** Whether cards are charged: pages of payment then are documents of their own. */
  realPayments: boolean;
  /** Whether answers by mail come through us: pages say what a message tells of its author. */
  relayed: boolean;
  /** Pages are rendered when it is their turn. */
  turns: Turns;
  onBehalf: OnBehalf;
  /** What a page allows to run and to reach, as headers. */
  policiesOf: (path: string, scriptHashes: readonly string[]) => Record<string, string>;
};

const secondsToAge = (now: number) => (nextDay(now) - now) / 1_000;
// As the calls say it of themselves.
const retryAfterSeconds = 2;

type Rendered = { status: number; headers: Record<string, string>; body: Buffer };
type Made = { answer: Answer; state: Sent } | (Rendered & { answer?: Answer });

/**
 * Answers every address that nothing else answers with a page of the site. A page has one address: other spellings are sent
 * there, so that what is kept under it is all there is to drop.
 */
export function servePages(app: FastifyInstance, options: PagesOptions) {
  const { answers, hearing } = options;
  const render = renderer(options);
  // What a page was made of: while that is answered as it was, the page is as it was.
  const pagesMadeOf = new WeakMap<Answer, { calls: readonly PageCall[]; until: number }>();
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
      const { status, headers, body } = await options.turns.run(
        () => render(build, request, request.url, callsOf(app, request, options)),
        options.onBehalf(request),
      );
      if (status === 503) reply.header('retry-after', retryAfterSeconds).header('cache-control', 'no-store');
      return reply.code(status).headers(headers).send(body);
    }
    const address = addressOf(build, request.url);
    if (address.path !== path) return reply.redirect(address.path + request.url.slice(path.length), 301);

    // Pages are the same for everybody, so address and market decide.
    const key = `${request.market ?? '-'} ${address.path}${address.search}`;
    const known = answers.find(key, { exactly: true });
    if ('answer' in known) return sendAnswer(request, reply, { answers, key, answer: known.answer, state: 'hit' });
    const work = () => make(build, request, address, key);
    const inTurn: InTurn = (piece) => options.turns.run(piece, options.onBehalf(request));
    const made = address.isKept ? await answers.share(key, { exactly: true, inTurn, work }) : { own: await inTurn(work) };
    if ('shared' in made) return sendAnswer(request, reply, { answers, key, answer: made.shared.answer, state: 'shared' });
    const page = made.own;
    if ('state' in page) return sendAnswer(request, reply, { answers, key, ...page });
    const { status, headers, body, answer } = page;
    // Without its database the site still has the pages that it had a moment ago.
    const old = status === 503 ? answers.getOld(key) : undefined;
    if (old) return sendAnswer(request, reply, { answers, key, answer: old, state: 'old' });
    reply.code(status);
    if (status === 503) reply.header('retry-after', retryAfterSeconds);
    if (!answer) return reply.headers(headers).send(body);
    return sendAnswer(request, reply, { answers, key, answer, state: 'miss', missed: known.missed });
  });

  /** A page: as it is kept, if what it is made of is answered as it was then, or rendered. */
  async function make(build: SiteBuild, request: FastifyRequest, address: PageAddress, key: string): Promise<Made> {
    const keep = answers.begin(key);
    const now = Date.now();
    const calls = callsOf(app, request, options);
    const before = answers.outdated(key);
    const madeOf = before && pagesMadeOf.get(before);
    const isAsBefore = madeOf && now < madeOf.until && (await calls.answerAs(madeOf.calls));
    if (before && isAsBefore && calls.shown) {
      keep(before, together(calls.shown, now));
      return { answer: before, state: 'same' };
    }
    const { status, headers, body } = await render(build, request, address.path + address.search, calls);
    if (!headers['content-type']?.startsWith('text/html')) return { status, headers, body };
    const answer = new Answer(body, asServed(address.path, headers, status, options));
    const { made, shown } = calls;
    if (status === 200 && address.isKept && shown && headers['cache-control'] !== 'no-store') {
      pagesMadeOf.set(answer, { calls: made, until: nextDay(now) });
      keep(answer, together(shown, now));
    }
    return { status, headers, body, answer };
  }
}

function callsOf(app: FastifyInstance, request: FastifyRequest, { internalSecret, hearing }: PagesOptions) {
  return new PageCalls(app, request, { secret: internalSecret, isOwn: hearing.isOwn(request) });
}

function renderer(options: PagesOptions) {
  return async (build: SiteBuild, request: FastifyRequest, address: string, { call }: PageCalls): Promise<Rendered> => {
    const context = new RouterContextProvider();
    context.set(build.entry.module.serverContext, {
      call,
      market: request.market,
      origin: options.appUrl,
      sandbox: options.sandbox,
      realPayments: options.realPayments,
      relayed: options.relayed,
    });
    // Put together as text: resolved against APP_URL, an address of two slashes would name another host.
    const url = new URL(options.appUrl + address);
    const asked = new Request(url, { headers: { accept: request.headers.accept ?? '*/*' } });
    const answer = await createRequestHandler(build, options.mode)(asked, context);
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
  };
}

/** What a page shows that is made of answers which show these. */
const together = (all: readonly Shown[], now: number): Shown => ({
  names: [...new Set(all.flatMap(({ names }) => names))],
  seconds: Math.min(secondsToAge(now), ...all.map(({ seconds }) => seconds)),
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
