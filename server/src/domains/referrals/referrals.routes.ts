import { checkReferralCode } from '@handwise/contract/referrals';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Db } from '../../kit/database.ts';
import { http } from '../../kit/http.ts';
import * as referrals from './referrals.service.ts';

export const referralRoutes: FastifyPluginAsyncZod<{ db: Db }> = async (app, { db }) => {
  app.route({
    ...http(checkReferralCode),
    handler: async ({ params, ip }) => ({ valid: await referrals.checkCode(db, params.code, ip) }),
  });
};
