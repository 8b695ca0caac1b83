import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  type FindPage,
  type FindQuery,
  findListingsCall,
  type ListingSearch,
  listListingsCall,
  type MemberPage,
} from '@handwise/contract/search/calls';
import { getTownCall, type PlacesQuery, searchPlacesCall } from '@handwise/contract/search/places';
import { suggestCall } from '@handwise/contract/search/suggest';
import { cached } from '../../kit/cache/cached-routes.ts';
import type { Schedule } from '../../kit/cache/response-cache.ts';
import { http } from '../../kit/http.ts';
import { countSearchPlaces, getTownStats } from './places/search.places.ts';
import { anyListingPolicy, getListCachePolicy, getPlacesCachePolicy, getSearchCachePolicy } from './search.cache.ts';
import type { SearchParts } from './search.pages.ts';
import { listSuggestions } from './suggest/search.suggest.ts';
import { searchByText, searchByFields } from './understanding/search.find.ts';

type QueryRequest<Query> = FastifyRequest<{ Querystring: Query }>;
/** `schedule`: when the search of a request may start. */
type Options = { parts: SearchParts; schedule: (request: FastifyRequest) => Schedule };

export const searchRoutes: FastifyPluginAsyncZod<Options> = async (app, { parts, schedule }) => {
  // The Server-Timing header covers the search alone, without its time in the queue.
  const timeSearch = async <Result>(reply: FastifyReply, search: () => Promise<Result>) => {
    const startedAt = performance.now();
    const result = await search();
    reply.header('server-timing', `search;dur=${(performance.now() - startedAt).toFixed(1)}`);
    return result;
  };

  app.route({
    ...http(listListingsCall),
    ...cached(
      'everyone',
      ({ query, market }: QueryRequest<ListingSearch>, page: MemberPage) => getListCachePolicy(query, page, market),
      schedule,
    ),
    handler: ({ query, market }, reply) => timeSearch(reply, () => searchByFields(parts, query, market)),
  });

  app.route({
    ...http(findListingsCall),
    ...cached(
      'everyone',
      ({ query, market }: QueryRequest<FindQuery>, page: FindPage) => getSearchCachePolicy(query, page, market),
      schedule,
    ),
    handler: ({ query, market }, reply) => timeSearch(reply, () => searchByText(parts, query, market)),
  });

  app.route({
    ...http(searchPlacesCall),
    ...cached('everyone', ({ query, market }: QueryRequest<PlacesQuery>) => getPlacesCachePolicy(query, market), schedule),
    handler: ({ query, market }, reply) => timeSearch(reply, () => countSearchPlaces(parts, query, market)),
  });

  app.route({
    ...http(getTownCall),
    ...cached('everyone', () => anyListingPolicy, schedule),
    handler: ({ query, market }) => getTownStats(parts, query, market),
  });

  app.route({
    ...http(suggestCall),
    ...cached('everyone', () => anyListingPolicy, schedule),
    handler: async ({ query, market }, reply) => ({
      suggestions: await timeSearch(reply, () => listSuggestions(parts, query, market)),
    }),
  });
};
