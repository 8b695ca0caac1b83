import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { createBoundedCache } from './bounded-cache.ts';
import type { ReadBarrier } from './read-barrier.ts';
import {
  type CacheHit,
  type CachePolicy,
  type CacheState,
  EncodedResponse,
  isNeverCached,
  type ResponseCache,
  type Schedule,
} from './response-cache.ts';
import { sendResponse } from './send-response.ts';

type PolicyOf = (request: never, result: never) => CachePolicy;
/** Who gets the same cached response. With `none` nothing is cached, and the policy only reaches the pages that make the call. */
type Audience = 'everyone' | 'visitors' | 'none';
/** When a response may be computed. Without, at once. */
type ScheduleOf = (request: never) => Schedule;

declare module 'fastify' {
  interface FastifyContextConfig {
    cache?: { audience: Audience; policyOf: PolicyOf; scheduleOf?: ScheduleOf };
  }
}

/** Route options for a call whose responses are cached. */
export const cached = (audience: Audience, policyOf: PolicyOf, scheduleOf?: ScheduleOf) => ({
  config: { cache: { audience, policyOf, ...(scheduleOf && { scheduleOf }) } },
});

// Carries the policy of a call's response to the page of this process that made the call.
const policyHeader = 'x-cache-policy';

/** The policy of a response to a call of this process; null if it has none. */
export function parsePolicyHeader(headers: Readonly<Record<string, unknown>>): CachePolicy | null {
  const value = headers[policyHeader];
  return typeof value === 'string' ? (JSON.parse(value) as CachePolicy) : null;
}

// Longer addresses are parsed each time.
const maxKnownAddress = 300;

type Options = { cache: ResponseCache; barrier: ReadBarrier; keys: CallKeys };

/** The cache keys of addresses: parsing and checking a request takes longer than answering it from the cache. */
export type CallKeys = ReturnType<typeof openCallKeys>;
export const openCallKeys = () => createBoundedCache<string>('callAddresses');

/** Where a request goes, as far as responses depend on it. */
export type Address = Pick<FastifyRequest, 'url' | 'market'>;

/** Whether a response to this address is in the cache, as far as the address is known. */
export function isCachedCall(address: Address, { cache, keys }: Pick<Options, 'cache' | 'keys'>): boolean {
  const key = keys.get(toAddressKey(address));
  return key !== undefined && 'response' in cache.find(key, { latest: false });
}

/** Caches the responses of the routes that are added after it and have `cached(…)` in their options. */
export function cacheRoutes(app: FastifyInstance, { cache, barrier, keys }: Options): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const config = route.config?.cache;
    if (!config || route.method !== 'GET') return;
    const { handler: work } = route;
    const scheduleOf = (request: FastifyRequest): Schedule => config.scheduleOf?.(request as never) ?? ((piece) => piece());
    const isCached = ({ headers }: FastifyRequest) =>
      config.audience === 'everyone' || (config.audience === 'visitors' && headers.authorization === undefined);
    const passPolicy = (request: FastifyRequest, reply: FastifyReply, policy: CachePolicy) => {
      if (barrier.isInternal(request)) reply.header(policyHeader, JSON.stringify(policy));
    };

    // A page is as fresh as the changes read when its rendering began, so its calls must not be older.
    const getFreshness = (request: FastifyRequest) => ({ latest: barrier.needsLatest(request) || barrier.isInternal(request) });
    const find = (request: FastifyRequest, key: string) => cache.find(key, getFreshness(request));
    const sendHit = (request: FastifyRequest, reply: FastifyReply, key: string, hit: CacheHit, state: CacheState = 'hit') => {
      passPolicy(request, reply, hit.policy);
      return sendResponse(request, reply, { cache, key, response: hit.response, state });
    };

    const answerFromCache = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!isCached(request)) return undefined;
      await barrier.wait(request);
      const key = keys.get(toAddressKey(request));
      const found = key === undefined ? undefined : find(request, key);
      return key !== undefined && found && 'response' in found ? sendHit(request, reply, key, found) : undefined;
    };
    route.preValidation = [answerFromCache, ...[route.preValidation ?? []].flat()] as NonNullable<RouteOptions['preValidation']>;

    route.handler = async function (request, reply) {
      if (!isCached(request)) {
        const result = (await scheduleOf(request)(async () => work.call(this, request, reply))) as never;
        passPolicy(request, reply, config.policyOf(request as never, result));
        return result;
      }
      const key = `${route.url} ${request.market} ${toCanonical(request.params)} ${toCanonical(request.query)}`;
      const address = toAddressKey(request);
      if (address.length <= maxKnownAddress) keys.set(address, key);
      // Another spelling of the address may be cached, or another request has computed it meanwhile.
      const found = find(request, key);
      if ('response' in found) return sendHit(request, reply, key, found);
      const compute = async () => {
        const store = cache.startStoring(key);
        const result = (await work.call(this, request, reply)) as never;
        const policy = config.policyOf(request as never, result);
        const response = new EncodedResponse(Buffer.from(String(reply.serialize(result))), {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': isNeverCached(policy) ? 'no-store' : 'no-cache',
          vary: config.audience === 'everyone' ? 'accept-encoding' : 'accept-encoding, authorization',
        });
        store(response, policy);
        return { response, policy };
      };
      const computed = await cache.share(key, { ...getFreshness(request), schedule: scheduleOf(request), work: compute });
      if ('shared' in computed) return sendHit(request, reply, key, computed.shared, 'shared');
      const { response, policy } = computed.own;
      passPolicy(request, reply, policy);
      return sendResponse(request, reply, { cache, key, response, state: 'miss', missed: found.missed });
    };
  });
}

const toAddressKey = ({ market, url }: Address) => `${market} ${url}`;

/** The same text for the same parameters in any order. */
const toCanonical = (parameters: unknown): string =>
  JSON.stringify(Object.entries(parameters ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)));
