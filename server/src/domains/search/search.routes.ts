import {
  type FindPage,
  type FindQuery,
  findListings,
  type ListingSearch,
  listListings,
  type MemberPage,
} from '@handwise/contract/search/calls';
import { getTown, searchPlaces } from '@handwise/contract/search/places';
import { suggest } from '@handwise/contract/search/suggest';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { ClientOf } from '../../kit/limits/limits.ts';
import type { FairQueue } from '../../kit/limits/fair-queue.ts';
import { http } from '../../kit/http.ts';
import { cached } from '../../kit/cache/cached-routes.ts';
import type { Schedule } from '../../kit/cache/response-cache.ts';
import { placesOfSearch, townOf } from './places/search.places.ts';
import type { SearchParts } from './search.pages.ts';
import { anyListingPolicy, cachePolicyOfList, cachePolicyOfPlaces, cachePolicyOfSearch } from './search.cache.ts';
import { suggestions } from './suggest/search.suggest.ts';
import { findForEverybody, searchAsMember } from './understanding/search.find.ts';

type Asked<Query> = FastifyRequest<{ Querystring: Query }>;
type Options = { parts: SearchParts; queue: FairQueue; clientOf: ClientOf };

export const searchRoutes: FastifyPluginAsyncZod<Options> = async (app, { parts, queue, clientOf }) => {
  // How long the search itself took is told to whoever asks why an answer took long: without waiting for its turn, and without HTTP.
  const timed = async <Result>(reply: FastifyReply, search: () => Promise<Result>) => {
    const begun = performance.now();
    const result = await search();
    reply.header('server-timing', `search;dur=${(performance.now() - begun).toFixed(1)}`);
    return result;
  };
  const schedule =
    (request: FastifyRequest): Schedule =>
    (search) =>
      queue.run(search, clientOf(request));

  app.route({
    ...http(listListings),
    ...cached('everyone', ({ query, market }: Asked<ListingSearch>, page: MemberPage) => cachePolicyOfList(query, page, market), schedule),
    handler: ({ query, market }, reply) => timed(reply, () => searchAsMember(parts, query, market)),
  });

  app.route({
    ...http(findListings),
    ...cached('everyone', ({ query, market }: Asked<FindQuery>, page: FindPage) => cachePolicyOfSearch(query, page, market), schedule),
    handler: ({ query, market }, reply) => timed(reply, () => findForEverybody(parts, query, market)),
  });

  app.route({
    ...http(searchPlaces),
    ...cached('everyone', ({ query, market }: Asked<FindQuery>) => cachePolicyOfPlaces(query, market), schedule),
    handler: ({ query, market }, reply) => timed(reply, () => placesOfSearch(parts, query, market)),
  });

  app.route({
    ...http(getTown),
    ...cached('everyone', () => anyListingPolicy, schedule),
    handler: ({ query, market }) => townOf(parts, query, market),
  });

  app.route({
    ...http(suggest),
    ...cached('everyone', () => anyListingPolicy, schedule),
    handler: async ({ query, market }, reply) => ({
      suggestions: await timed(reply, () => suggestions(parts, query, market)),
    }),
  });
};
