import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  correctLicenceRequirementCall,
  getLicenceRequirementCall,
  listLicenceQueueCall,
  listLicenceRequirementsCall,
  recordLicenceCheckCall,
} from '@handwise/contract/registers/calls';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { RegisterContext, RegisterHooks } from './registers.context.ts';
import * as checks from './registers.licence-checks.ts';
import * as requirements from './registers.requirements.ts';

export const registerRoutes: FastifyPluginAsyncZod<{ context: RegisterContext; hooks: RegisterHooks }> = async (
  app,
  { context, hooks },
) => {
  app.route({ ...http(getLicenceRequirementCall), handler: ({ query }) => requirements.getRequirement(context.db, query) });

  app.route({
    ...http(listLicenceRequirementsCall),
    handler: async () => ({ requirements: await requirements.listRequirements(context.db) }),
  });

  app.route({
    ...http(correctLicenceRequirementCall),
    handler: async (request) => ({
      requirement: await requirements.correctRequirement(context, getViewer(request).id, request.params.id, request.body),
    }),
  });

  app.route({ ...http(listLicenceQueueCall), handler: ({ query }) => checks.listQueue({ context, hooks }, query.page ?? 1) });

  app.route({
    ...http(recordLicenceCheckCall),
    handler: async (request) => {
      const { listingId } = request.params;
      await checks.recordFinding({ context, hooks }, getViewer(request).id, listingId, request.body);
      context.events.emit('listings', [listingId]);
      return { message: 'Saved.' };
    },
  });
};
