import type { ListingPage } from '@handwise/contract/listings';
import { type FindPage, type FindQuery, findListings, type ListingSearch, listListings } from '@handwise/contract/search';
import { getTown, searchPlaces } from '@handwise/contract/search-places';
import { suggest } from '@handwise/contract/search-suggest';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Db } from '../../kit/database/database.ts';
import type { OnBehalf } from '../../kit/bounds/bounds.ts';
import type { Turns } from '../../kit/bounds/turns.ts';
import { http } from '../../kit/http.ts';
import { showing } from '../../kit/kept/kept-calls.ts';
import { findForEverybody } from './understanding/search.everybody.ts';
import { placesOfSearch, townOf } from './near/search.places.ts';
import { searchAsMember } from './understanding/search.members.ts';
import type { SearchMemory } from './search.memory.ts';
import { shownOfList, shownOfPlaces, shownOfSearch, shownOfSuggestions, shownOfTown } from './search.shown.ts';
import { weightOf } from './search.weights.ts';
import { suggestions } from './suggest/search.suggest.ts';

type Asked<Query> = FastifyRequest<{ Querystring: Query }>;
type Options = { db: Db; memory: SearchMemory; turns: Turns; onBehalf: OnBehalf };

export const searchRoutes: FastifyPluginAsyncZod<Options> = async (app, { db, memory, turns, onBehalf }) => {
  // How long the search itself took is told to whoever asks why an answer took long: without waiting for its turn, and without HTTP.
  const timed = async <Result>(reply: FastifyReply, search: () => Promise<Result>) => {
    const begun = performance.now();
    const result = await search();
    reply.header('server-timing', `search;dur=${(performance.now() - begun).toFixed(1)}`);
    return result;
  };
  const inTurn = <Result>(request: FastifyRequest, reply: FastifyReply, text: string | undefined, search: () => Promise<Result>) =>
    turns.run(() => timed(reply, search), { ...onBehalf(request), weight: weightOf(text) });

  app.route({
    ...http(listListings),
    ...showing('everybody', ({ query, market }: Asked<ListingSearch>, page: ListingPage) => shownOfList(query, page, market)),
    handler: (request, reply) =>
      inTurn(request, reply, request.query.title, () => searchAsMember(db, memory, request.query, request.market)),
  });

  app.route({
    ...http(findListings),
    ...showing('everybody', ({ query, market }: Asked<FindQuery>, page: FindPage) => shownOfSearch(query, page, market)),
    handler: (request, reply) => inTurn(request, reply, request.query.q, () => findForEverybody(db, memory, request.query, request.market)),
  });

  app.route({
    ...http(searchPlaces),
    ...showing('everybody', ({ query, market }: Asked<FindQuery>) => shownOfPlaces(query, market)),
    handler: (request, reply) => inTurn(request, reply, request.query.q, () => placesOfSearch(db, memory, request.query, request.market)),
  });

  app.route({
    ...http(getTown),
    ...showing('everybody', ({ query }: Asked<z.infer<typeof getTown.query>>) => shownOfTown(query)),
    handler: ({ query, market }) => townOf(db, memory, query, market),
  });

  app.route({
    ...http(suggest),
    ...showing('everybody', () => shownOfSuggestions),
    handler: async (request, reply) => ({
      suggestions: await inTurn(request, reply, undefined, () => suggestions(db, memory.suggestions, request.query, request.market)),
    }),
  });
};
