import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  appealDecisionCall,
  appealLinkedDecisionCall,
  createReportCall,
  listOwnDecisionsCall,
  showLinkedDecisionCall,
} from '@handwise/contract/admin/report-calls';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { getNetwork } from '../../kit/network.ts';
import * as appeals from './admin.appeals.ts';
import { createReport } from './admin.reports.ts';

const appealed = { message: 'Thank you. We will look at it and write to you.' };

/** Calls of all members: report, read decisions about oneself, and appeal. */
export const reportRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  app.route({
    ...http(createReportCall),
    handler: async (request, reply) => {
      const _id = await createReport(context, getViewer(request).id, request.body);
      return reply.code(201).send({ message: 'Thank you. We will look at it and tell you what we did.', _id });
    },
  });

  app.route({
    ...http(listOwnDecisionsCall),
    handler: async (request) => ({ decisions: await appeals.listOwnDecisions(context, getViewer(request).id) }),
  });

  app.route({
    ...http(appealDecisionCall),
    handler: async (request) => {
      await appeals.appealOwnDecision(context, getViewer(request).id, request.params.id, request.body.text);
      return appealed;
    },
  });

  app.route({ ...http(showLinkedDecisionCall), handler: ({ body, ip }) => appeals.getLinkedDecision(context, body.token, getNetwork(ip)) });

  app.route({
    ...http(appealLinkedDecisionCall),
    handler: async ({ body, ip }) => {
      await appeals.appealLinkedDecision(context, body.token, getNetwork(ip), body.text);
      return appealed;
    },
  });
};
