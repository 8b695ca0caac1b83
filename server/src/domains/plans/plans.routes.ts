import type { CountryCode } from '@handwise/contract/markets';
import { confirmPayment, createIntent, listPlans, listSubscriptions, useReferral } from '@handwise/contract/plans';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { http } from '../../kit/http.ts';
import { viewerOf } from '../../kit/session-guard.ts';
import type { Checkout } from '../payments/payments.service.ts';
import * as plans from './plans.service.ts';

/** The country of what is to be paid for: as given, else the host's, else New Zealand. */
const countryOf = (given: CountryCode | undefined, market: CountryCode | null) => given ?? market ?? 'NZ';

export const planRoutes: FastifyPluginAsyncZod<{ checkout: Checkout }> = async (app, { checkout }) => {
  const { db } = checkout;

  app.route({ ...http(listPlans), handler: () => plans.listPlans(db) });

  app.route({
    ...http(listSubscriptions),
    handler: async (request) => ({ data: await plans.listSubscriptions(checkout, viewerOf(request).id) }),
  });

  app.route({
    ...http(createIntent),
    handler: async (request, reply) => {
      const { id } = viewerOf(request);
      const { planId, referralCode, country } = request.body;
      await plans.getPlan(db, planId);
      if (referralCode) await plans.enterCode(db, id, referralCode);
      const terms = { planId, country: countryOf(country, request.market) };
      return reply.code(201).send(await plans.createIntent(checkout, id, terms));
    },
  });

  app.route({
    ...http(useReferral),
    handler: async (request) => {
      const { id } = viewerOf(request);
      const { planId, referralCode, country } = request.body;
      await plans.getPlan(db, planId);
      await plans.enterCode(db, id, referralCode);
      const answer = await plans.createIntent(checkout, id, { planId, country: countryOf(country, request.market) });
      return { success: true, message: 'Referral code applied successfully.', ...answer };
    },
  });

  app.route({
    ...http(confirmPayment),
    handler: (request) => plans.confirmPayment(checkout, viewerOf(request).id, request.body.paymentIntentId),
  });
};
