import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { boundedCache } from '../bounds/cache-bytes.ts';
import { Answer, type InTurn, type Kept, type KeptAnswers, type Sent, type Shown } from './kept-answers.ts';
import type { Hearing } from './hearing.ts';
import { sendAnswer } from './send-answer.ts';
import { setShown } from './shown-header.ts';

/** What the answer to a request shows. */
type ShownBy = (request: never, answer: never) => Shown;
/** Whether it is the same for everybody who asks the same in a market, for visitors only, or not kept at all and only said to pages. */
type KeptFor = 'everybody' | 'visitors' | 'nobody';

/** When an answer to a request may be worked out. Without, at once. */
type TurnOf = (request: never) => InTurn;

declare module 'fastify' {
  interface FastifyContextConfig {
    shows?: { shown: ShownBy; keptFor: KeptFor; inTurn?: TurnOf };
  }
}

/** For the options of a route that says what its answers show. */
export const showing = (keptFor: KeptFor, shown: ShownBy, inTurn?: TurnOf) => ({
  config: { shows: { shown, keptFor, ...(inTurn && { inTurn }) } },
});

const longestRemembered = 300;

type Options = { answers: KeptAnswers; hearing: Hearing };

/** Has the routes that are made after it keep the answers they say. */
export function keepAnswers(app: FastifyInstance, { answers, hearing }: Options): void {
  // Checking and reading a request takes longer than answering one that is known.
  const keys = boundedCache<string>('callAddresses');

  app.addHook('onRoute', (route: RouteOptions) => {
    const shows = route.config?.shows;
    if (!shows || route.method !== 'GET') return;
    const { handler: work } = route;
    const turn = (request: FastifyRequest): InTurn => shows.inTurn?.(request as never) ?? ((piece) => piece());
    const isKept = ({ headers }: FastifyRequest) =>
      shows.keptFor === 'everybody' || (shows.keptFor === 'visitors' && headers.authorization === undefined);
    const say = (request: FastifyRequest, reply: FastifyReply, shown: Shown) => {
      if (hearing.isInternal(request)) setShown(reply, shown);
    };

    // A page is kept as of all that was heard when it was begun, so what it is made of must not be older.
    const exactness = (request: FastifyRequest) => ({ exactly: hearing.isOwn(request) || hearing.isInternal(request) });
    const find = (request: FastifyRequest, key: string) => answers.find(key, exactness(request));
    const sendKnown = (request: FastifyRequest, reply: FastifyReply, key: string, known: Kept, state: Sent = 'hit') => {
      say(request, reply, known.shown);
      return sendAnswer(request, reply, { answers, key, answer: known.answer, state });
    };

    const before = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!isKept(request)) return undefined;
      await hearing.hear(request);
      const key = keys.get(addressOf(request));
      const known = key === undefined ? undefined : find(request, key);
      return key !== undefined && known && 'answer' in known ? sendKnown(request, reply, key, known) : undefined;
    };
    route.preValidation = [before, ...[route.preValidation ?? []].flat()] as NonNullable<RouteOptions['preValidation']>;

    route.handler = async function (request, reply) {
      if (!isKept(request)) {
        const result = (await turn(request)(async () => work.call(this, request, reply))) as never;
        say(request, reply, shows.shown(request as never, result));
        return result;
      }
      const key = `${route.url} ${request.market} ${canonical(request.params)} ${canonical(request.query)}`;
      const address = addressOf(request);
      if (address.length <= longestRemembered) keys.set(address, key);
      // Of an address that nobody had read before, or made meanwhile for somebody else.
      const known = find(request, key);
      if ('answer' in known) return sendKnown(request, reply, key, known);
      const answerAnew = async () => {
        const keep = answers.begin(key);
        const result = (await work.call(this, request, reply)) as never;
        const shown = shows.shown(request as never, result);
        const answer = new Answer(Buffer.from(String(reply.serialize(result))), {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-cache',
          vary: shows.keptFor === 'everybody' ? 'accept-encoding' : 'accept-encoding, authorization',
        });
        keep(answer, shown);
        return { answer, shown };
      };
      const made = await answers.share(key, { ...exactness(request), inTurn: turn(request), work: answerAnew });
      if ('shared' in made) return sendKnown(request, reply, key, made.shared, 'shared');
      const { answer, shown } = made.own;
      say(request, reply, shown);
      return sendAnswer(request, reply, { answers, key, answer, state: 'miss', missed: known.missed });
    };
  });
}

const addressOf = ({ market, url }: FastifyRequest) => `${market} ${url}`;

/** The same text for the same parameters, in whatever order they were given. */
const canonical = (given: unknown): string =>
  JSON.stringify(Object.entries(given ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)));
