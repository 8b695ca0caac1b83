import { listAuditLog } from '@handwise/contract/admin';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import * as audit from './admin.audit.ts';

export const adminRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  const { db } = context;

  app.route({
    ...http(listAuditLog),
    handler: ({ query }) => audit.listAuditLog(db, query),
  });
};
