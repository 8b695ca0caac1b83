import { listAuditLog } from '@handwise/contract/admin/calls';
import {
  createDecision,
  decideAppeal,
  decideReport,
  getAdminOverview,
  listAppeals,
  listDecisions,
  listReports,
  undoDecision,
} from '@handwise/contract/admin/reports';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { viewerOf } from '../../kit/identity/session-guard.ts';
import * as appeals from './admin.appeals.ts';
import * as audit from './admin.audit.ts';
import * as decisions from './admin.decisions.ts';
import * as queue from './admin.queue.ts';

const decided = (_id: string) => ({ message: 'Decided. The person concerned has been told.', _id });

/** Calls of administrators alone. */
export const adminRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  const { db } = context;

  app.route({ ...http(getAdminOverview), handler: () => queue.getOverview(context) });

  app.route({ ...http(listReports), handler: (request) => queue.listReports(db, viewerOf(request).id, request.query) });

  app.route({
    ...http(decideReport),
    handler: async (request) => decided(await decisions.decideReport(context, viewerOf(request).id, request.params.id, request.body)),
  });

  app.route({ ...http(listDecisions), handler: ({ query }) => queue.listDecisions(db, query) });

  app.route({
    ...http(createDecision),
    handler: async (request, reply) =>
      reply.code(201).send(decided(await decisions.createDecision(context, viewerOf(request).id, request.body))),
  });

  app.route({
    ...http(undoDecision),
    handler: async (request) =>
      decided(await decisions.undoDecision(context, viewerOf(request).id, request.params.id, request.body.reason)),
  });

  app.route({ ...http(listAppeals), handler: (request) => queue.listAppeals(db, viewerOf(request).id, request.query) });

  app.route({
    ...http(decideAppeal),
    handler: async (request) => {
      await appeals.decideAppeal(context, viewerOf(request).id, request.params.id, request.body.uphold, request.body.reason);
      return { message: 'Answered. The person concerned has been told.' };
    },
  });

  app.route({ ...http(listAuditLog), handler: ({ query }) => audit.listAuditLog(db, query) });
};
