import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { getFunnelCall, getFunnelCsvCall } from '@handwise/contract/funnel/calls';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import * as funnel from './funnel.service.ts';

export const funnelRoutes: FastifyPluginAsyncZod<{ context: Pick<Context, 'db' | 'clock'> }> = async (app, { context }) => {
  app.route({ ...http(getFunnelCall), handler: () => funnel.getFunnel(context) });

  app.route({
    ...http(getFunnelCsvCall),
    handler: async ({ params }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="funnel-${params.table}.csv"`)
        .send(await funnel.getFunnelCsv(context, params.table)),
  });
};
