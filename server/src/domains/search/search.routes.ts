import { findListings, listListings } from '@handwise/contract/search';
import { getTown, searchPlaces } from '@handwise/contract/search-places';
import { suggest } from '@handwise/contract/search-suggest';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Db } from '../../kit/database/database.ts';
import { http } from '../../kit/http.ts';
import { findForEverybody } from './understanding/search.everybody.ts';
import { placesOfSearch, townOf } from './near/search.places.ts';
import { searchAsMember } from './understanding/search.members.ts';
import type { SearchMemory } from './search.memory.ts';
import { suggestions } from './suggest/search.suggest.ts';

export const searchRoutes: FastifyPluginAsyncZod<{ db: Db; memory: SearchMemory }> = async (app, { db, memory }) => {
  app.route({
    ...http(listListings),
    handler: ({ query, market }) => searchAsMember(db, memory, query, market),
  });

  app.route({
    ...http(findListings),
    handler: ({ query, market }) => findForEverybody(db, memory, query, market),
  });

  app.route({
    ...http(searchPlaces),
    handler: ({ query, market }) => placesOfSearch(db, memory, query, market),
  });

  app.route({
    ...http(getTown),
    handler: ({ query, market }) => townOf(db, memory, query, market),
  });

  app.route({
    ...http(suggest),
    handler: async ({ query, market }) => ({ suggestions: await suggestions(db, memory.suggestions, query, market) }),
  });
};
