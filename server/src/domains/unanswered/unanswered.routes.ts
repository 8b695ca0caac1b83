import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { askOtherCall, getOthersCall } from '@handwise/contract/unanswered/calls';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { MessageHooks, MessageContext } from '../messages/messages.service.ts';
import * as unanswered from './unanswered.service.ts';

export const unansweredRoutes: FastifyPluginAsyncZod<{ context: MessageContext; hooks: MessageHooks }> = async (
  app,
  { context, hooks },
) => {
  app.route({
    ...http(getOthersCall),
    handler: (request) => unanswered.getOthers(context, getViewer(request).id, request.params.id),
  });

  app.route({
    ...http(askOtherCall),
    handler: async (request) => ({
      conversationId: await unanswered.askOther(context, getViewer(request).id, request.params.id, request.body.listingId, hooks),
    }),
  });
};
