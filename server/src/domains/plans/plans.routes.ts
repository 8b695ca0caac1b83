import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { markets } from '@handwise/contract/markets';
import { confirmPaymentCall, createIntentCall, listPlansCall, listSubscriptionsCall, payIntentCall } from '@handwise/contract/plans/calls';
import { switchRenewalOffCall, switchRenewalOnCall } from '@handwise/contract/plans/renewal-calls';
import { parseBusinessNumber } from '@handwise/contract/registers/business-number';
import { isCountryOpen } from '@handwise/contract/site/open';
import { cached } from '../../kit/cache/cached-routes.ts';
import { getCaller } from '../../kit/caller.ts';
import { invalidField } from '../../kit/errors.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { type Payments, type ReturnTo, payIntent } from '../payments/payments.service.ts';
import { type ReferralHooks, type ReferralContext, enterReferralCode } from '../referrals/referrals.service.ts';
import type { PlanHooks } from './plans.context.ts';
import * as renewals from './plans.renewals.switch.ts';
import * as plans from './plans.service.ts';

type Options = { context: ReferralContext; payments: Payments; hooks: PlanHooks; referralHooks: ReferralHooks; returnTo: ReturnTo };

export const planRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, payments, hooks, referralHooks, returnTo }) => {
  const { db } = context;
  const { timeZonesOf } = hooks;
  const renewalParts = { context, payments, hooks };

  app.route({ ...http(listPlansCall), ...cached('none', () => ({ tags: [], maxAgeSeconds: 60 })), handler: () => plans.listPlans(db) });

  app.route({
    ...http(listSubscriptionsCall),
    handler: async (request) => ({ data: await plans.listSubscriptions(context, getViewer(request).id, timeZonesOf) }),
  });

  app.route({
    ...http(createIntentCall),
    handler: async (request, reply) => {
      const { id } = getViewer(request);
      const { planId, referralCode, country: chosenCountry, businessNumber } = request.body;
      await plans.getPlan(db, planId);
      if (referralCode) await enterReferralCode({ context, hooks: referralHooks }, id, referralCode, getCaller(request));
      const country = plans.resolveCountry(chosenCountry, request.market);
      // Before anything is paid that could not be used.
      if (!isCountryOpen(country)) throw invalidField('country', `We take no new listings in ${markets[country].name} at the moment`);
      const terms = { planId, country, businessNumber: parseBusinessNumber(businessNumber ?? '', country) };
      return reply.code(201).send(await plans.createPlanIntent(context, payments, id, terms));
    },
  });

  app.route({
    ...http(payIntentCall),
    handler: (request) => {
      const { paymentIntentId, saveCard = false, ...input } = request.body;
      const by = { ...input, saveCard, returnUrl: returnTo(request.headers.host, 'listing') };
      return payIntent(payments, getViewer(request).id, paymentIntentId, by);
    },
  });

  app.route({
    ...http(confirmPaymentCall),
    handler: (request) => plans.confirmPlanPayment(context, payments, getViewer(request).id, request.body.paymentIntentId, timeZonesOf),
  });

  app.route({
    ...http(switchRenewalOnCall),
    handler: (request) => {
      const returnUrl = returnTo(request.headers.host, 'renewal');
      return renewals.switchRenewalOn(renewalParts, getViewer(request).id, request.params.id, { ...request.body, returnUrl });
    },
  });

  app.route({
    ...http(switchRenewalOffCall),
    handler: (request) => renewals.switchRenewalOff(renewalParts, getViewer(request).id, request.params.id),
  });
};
