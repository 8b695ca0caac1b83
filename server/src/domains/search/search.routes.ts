import { findListings, listListings } from '@handwise/contract/search';
import { suggest } from '@handwise/contract/search-suggest';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Db } from '../../kit/database/database.ts';
import { http } from '../../kit/http.ts';
import { learnSentences } from './search.classifier.ts';
import { findForEverybody } from './search.everybody.ts';
import * as search from './search.service.ts';
import { suggestions } from './search.suggest.ts';

export const searchRoutes: FastifyPluginAsyncZod<{ db: Db; memory: search.SearchMemory }> = async (app, { db, memory }) => {
  app.addHook('onListen', () => void learnSentences());

  app.route({
    ...http(listListings),
    handler: ({ query, market }) => search.searchListings(db, memory, query, market),
  });

  app.route({
    ...http(findListings),
    handler: ({ query, market }) => findForEverybody(db, memory, query, market),
  });

  app.route({
    ...http(suggest),
    handler: async ({ query, market }) => ({ suggestions: await suggestions(db, memory.suggestions, query, market) }),
  });
};
