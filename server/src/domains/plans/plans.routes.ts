import { listPlans } from '@handwise/contract/plans';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Db } from '../../kit/database.ts';
import { http } from '../../kit/http.ts';
import * as plans from './plans.service.ts';

export const planRoutes: FastifyPluginAsyncZod<{ db: Db }> = async (app, { db }) => {
  app.route({ ...http(listPlans), handler: () => plans.listPlans(db) });
};
