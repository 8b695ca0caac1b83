import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  lookAtPaymentDetailsCall,
  processPaymentCall,
  runDrawCall,
  showDrawManagementCall,
  strikeWinnerCall,
} from '@handwise/contract/draws/admin';
import {
  checkWinnerCall,
  listDrawsCall,
  listOwnEntriesCall,
  readDrawPackCall,
  readDrawProofCall,
  showDrawCall,
  submitPaymentDetailsCall,
} from '@handwise/contract/draws/calls';
import { cached } from '../../kit/cache/cached-routes.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { DrawContext } from './draws.context.ts';
import type { DrawHooks } from './draws.context.ts';
import * as draws from './draws.service.ts';
import { drawsCachePolicy } from './draws.views.ts';

export type DrawOptions = {
  context: DrawContext;
  /** Receives the emails about prizes to pay. */
  hooks: DrawHooks;
};

// Not cached in the server, because a public draw also changes with time.
const ofDraws = cached('none', () => drawsCachePolicy);

// Files of megabytes, needed only now and then to verify a draw.
const fewFiles = { max: 60, timeWindow: 60_000 };

export const drawRoutes: FastifyPluginAsyncZod<DrawOptions> = async (app, { context, hooks }) => {
  const { db } = context;

  app.route({ ...http(listDrawsCall), ...ofDraws, handler: async () => ({ draws: await draws.listPublicDraws(context) }) });

  app.route({
    ...http(listOwnEntriesCall),
    handler: async (request) => ({ entries: await draws.listEntriesWithProofs(db, getViewer(request).id, request.query.period) }),
  });

  app.route({
    ...http(showDrawCall),
    ...ofDraws,
    handler: async ({ params }) => ({ draw: await draws.getPublicDraw(context, params.period) }),
  });

  app.route({
    ...http(readDrawProofCall),
    config: { rateLimit: fewFiles },
    handler: async ({ params }, reply) => reply.type('application/json; charset=utf-8').send(await draws.readProof(db, params.period)),
  });

  app.route({
    ...http(readDrawPackCall),
    config: { rateLimit: fewFiles },
    handler: async ({ params }, reply) =>
      reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="draw-${params.period}.zip"`)
        .send(await draws.createPack(context, params.period, hooks.listAudited)),
  });

  app.route({ ...http(checkWinnerCall), handler: (request) => draws.checkWinner(db, getViewer(request).id) });

  app.route({
    ...http(submitPaymentDetailsCall),
    handler: async (request) => ({
      message: 'Payment details submitted successfully',
      draw: await draws.submitClaim(context, getViewer(request).id, request.body),
    }),
  });

  app.route({ ...http(showDrawManagementCall), handler: () => draws.getDrawManagement(context) });

  app.route({
    ...http(runDrawCall),
    handler: async (request, reply) => {
      const { round, expectedAt } = await draws.runDraw(context, getViewer(request).id, request.body.reason);
      const message = 'Entries are closed and published. The draw is waiting for public randomness.';
      return reply.code(202).send({ round, expectedAt: expectedAt.toISOString(), message });
    },
  });

  app.route({
    ...http(processPaymentCall),
    handler: async (request) => {
      const { id: drawId } = request.params;
      await draws.payPrize(context, { drawId, adminId: getViewer(request).id, reason: request.body.reason });
      return { message: 'Payment marked as processed', draw: await draws.getAdminDraw(context, drawId) };
    },
  });

  app.route({
    ...http(strikeWinnerCall),
    handler: async (request) => {
      const { id: drawId } = request.params;
      await draws.strikeWinner(context, { drawId, adminId: getViewer(request).id, reason: request.body.reason });
      return { message: 'The winner was struck.', draw: await draws.getAdminDraw(context, drawId) };
    },
  });

  app.route({
    ...http(lookAtPaymentDetailsCall),
    handler: (request) =>
      draws.viewPaymentDetails(context, { drawId: request.params.id, adminId: getViewer(request).id, reason: request.query.reason }),
  });
};
