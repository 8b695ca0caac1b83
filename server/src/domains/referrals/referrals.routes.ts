import { checkReferralCode, useReferral } from '@handwise/contract/referrals';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { networkOf } from '../../kit/network.ts';
import { viewerOf } from '../../kit/session-guard.ts';
import * as referrals from './referrals.service.ts';

export const referralRoutes: FastifyPluginAsyncZod<{ context: Context; paymentStep: referrals.PaymentStep }> = async (
  app,
  { context, paymentStep },
) => {
  app.route({
    ...http(checkReferralCode),
    handler: async ({ params, ip }) => ({ valid: await referrals.checkCode(context, params.code, networkOf(ip)) }),
  });

  app.route({
    ...http(useReferral),
    handler: async (request) => {
      const { id } = viewerOf(request);
      const { planId, referralCode, country } = request.body;
      await paymentStep.checkPlan(planId);
      await referrals.enterCode(context, id, referralCode, paymentStep.hasHadPlan);
      const payable = await paymentStep.begin(id, { planId, country }, request.market);
      return { success: true, message: 'Referral code applied successfully.', ...payable };
    },
  });
};
