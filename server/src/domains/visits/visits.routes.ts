import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  askForTimesCall,
  cancelVisitCall,
  endVisitFeedCall,
  getVisitFeedStateCall,
  getVisitFileCall,
  listVisitsCall,
  moveVisitCall,
  proposeVisitCall,
  readVisitFeedCall,
  showVisitFeedCall,
  takeVisitCall,
} from '@handwise/contract/visits/calls';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { MessageContext } from '../messages/messages.service.ts';
import * as visits from './visits.service.ts';

const calendarType = 'text/calendar; charset=utf-8';

export const visitRoutes: FastifyPluginAsyncZod<{ context: MessageContext }> = async (app, { context }) => {
  app.route({
    ...http(proposeVisitCall),
    handler: async (request, reply) => reply.code(201).send(await visits.proposeVisit(context, getViewer(request).id, request.body)),
  });

  app.route({
    ...http(listVisitsCall),
    handler: (request) => visits.listVisits(context, getViewer(request).id, request.query.conversationId),
  });

  app.route({
    ...http(takeVisitCall),
    handler: (request) => visits.takeVisit(context, getViewer(request).id, request.params.id, request.body),
  });

  app.route({
    ...http(moveVisitCall),
    handler: (request) => visits.moveVisit(context, getViewer(request).id, request.params.id, request.body),
  });

  app.route({
    ...http(askForTimesCall),
    handler: (request) => visits.askForTimes(context, getViewer(request).id, request.params.id, request.body),
  });

  app.route({
    ...http(cancelVisitCall),
    handler: (request) => visits.cancelVisit(context, getViewer(request).id, request.params.id, request.body),
  });

  app.route({
    ...http(getVisitFileCall),
    handler: async (request, reply) =>
      reply
        .type(calendarType)
        .header('content-disposition', 'attachment; filename="visit.ics"')
        .send(await visits.getVisitFile(context, getViewer(request).id, request.params.id)),
  });

  app.route({ ...http(getVisitFeedStateCall), handler: (request) => visits.getFeedState(context.db, getViewer(request).id) });

  app.route({
    ...http(showVisitFeedCall),
    handler: (request) => visits.showFeed(context, getViewer(request).id, request.body.renew),
  });

  app.route({ ...http(endVisitFeedCall), handler: (request) => visits.endFeed(context.db, getViewer(request).id) });

  app.route({
    ...http(readVisitFeedCall),
    handler: async (request, reply) =>
      reply
        .type(calendarType)
        .header('cache-control', 'private, no-store')
        .header('x-robots-tag', 'noindex')
        .send(await visits.readFeed(context, request.query.token)),
  });
};
