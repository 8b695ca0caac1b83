import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  correctLicenceRequirement,
  getLicenceRequirement,
  listLicenceQueue,
  listLicenceRequirements,
  recordLicenceCheck,
} from '@handwise/contract/evidence/licence-calls';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { EvidenceContext, EvidenceHooks } from './evidence.deps.ts';
import * as checks from './evidence.licence-checks.ts';
import * as requirements from './evidence.requirements.ts';

export const evidenceRoutes: FastifyPluginAsyncZod<{ context: EvidenceContext; hooks: EvidenceHooks }> = async (
  app,
  { context, hooks },
) => {
  app.route({ ...http(getLicenceRequirement), handler: ({ query }) => requirements.getRequirement(context.db, query) });

  app.route({
    ...http(listLicenceRequirements),
    handler: async () => ({ requirements: await requirements.listRequirements(context.db) }),
  });

  app.route({
    ...http(correctLicenceRequirement),
    handler: async (request) => ({
      requirement: await requirements.correctRequirement(context, getViewer(request).id, request.params.id, request.body),
    }),
  });

  app.route({ ...http(listLicenceQueue), handler: ({ query }) => checks.listQueue({ context, hooks }, query.page ?? 1) });

  app.route({
    ...http(recordLicenceCheck),
    handler: async (request) => {
      const { listingId } = request.params;
      await checks.recordFinding({ context, hooks }, getViewer(request).id, listingId, request.body);
      context.events.emit('listings', [listingId]);
      return { message: 'Saved.' };
    },
  });
};
