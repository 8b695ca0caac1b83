import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { checkSavedCall, listSavedCall, listSavedIdsCall, saveListingCall, unsaveListingCall } from '@handwise/contract/saved/calls';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import * as saved from './saved.service.ts';

export const savedRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  const { db } = context;

  app.route({
    ...http(saveListingCall),
    handler: async (request) => {
      await saved.saveListing(context, getViewer(request).id, request.params.id);
      return { isSaved: true };
    },
  });

  app.route({
    ...http(unsaveListingCall),
    handler: async (request) => {
      await saved.unsaveListing(db, getViewer(request).id, request.params.id);
      return { isSaved: false };
    },
  });

  app.route({
    ...http(checkSavedCall),
    handler: async (request) => ({ isSaved: await saved.isSaved(db, getViewer(request).id, request.params.id) }),
  });

  app.route({
    ...http(listSavedIdsCall),
    handler: async (request) => ({ ids: await saved.listSavedIds(db, getViewer(request).id) }),
  });

  app.route({
    ...http(listSavedCall),
    handler: (request) => saved.listSaved(db, getViewer(request).id, request.query),
  });
};
