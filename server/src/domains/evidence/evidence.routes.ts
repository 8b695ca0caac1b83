import { correctLicenceRequirement, getLicenceRequirement, listLicenceRequirements } from '@handwise/contract/evidence/licence-calls';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { EvidenceContext } from './evidence.deps.ts';
import * as requirements from './evidence.requirements.ts';

export const evidenceRoutes: FastifyPluginAsyncZod<{ context: EvidenceContext }> = async (app, { context }) => {
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
};
