import { adminPageSize } from '@handwise/contract/admin/calls';
import { listReferralNotifications, seeReferralNotifications } from '@handwise/contract/referrals/notifications';
import { checkReferralCode, generateReferralCode, getReferralDashboard, takeReward, useReferral } from '@handwise/contract/referrals/calls';
import { decideReferral, listReferrals } from '@handwise/contract/referrals/admin';
import type { CountryCode } from '@handwise/contract/markets';
import type { payable } from '@handwise/contract/plans/calls';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { getCaller } from '../../kit/caller.ts';
import { http } from '../../kit/http.ts';
import { networkOf } from '../../kit/network.ts';
import { viewerOf } from '../../kit/identity/session-guard.ts';
import { listForAdmin } from './referrals.admin.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import type { ReferralContext } from './referrals.context.ts';
import { getDashboard } from './referrals.dashboard.ts';
import * as decisions from './referrals.decide.ts';
import { enterCode } from './referrals.enter.ts';
import { listNotifications, seeNotifications } from './referrals.notifications.ts';
import { swap } from './referrals.rewards.ts';
import * as referrals from './referrals.service.ts';
import { toldOf } from './referrals.states.ts';

/** The payment step, which a code is entered at. Plans stand above referrals, so they are asked by this. */
export type PaymentStep = {
  /** Throws `plan_not_found`. */
  checkPlan: (planId: string) => Promise<unknown>;
  /** Begins to pay, or says that nothing is to be paid. */
  begin: (
    userId: string,
    terms: { planId: string; country: CountryCode | undefined; businessNumber: string | null | undefined },
    market: CountryCode | null,
  ) => Promise<z.output<typeof payable>>;
};

type Options = {
  context: ReferralContext;
  asks: ReferralAsks;
  paymentStep: PaymentStep;
  /** The site's address for the links that somebody shares who asks at this host. */
  originOf: (host: string | undefined) => string;
};

export const referralRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, asks, paymentStep, originOf }) => {
  const parts = { context, asks };

  app.route({
    ...http(checkReferralCode),
    handler: async ({ params, ip }) => ({ valid: await referrals.checkCode(context, params.code, networkOf(ip)) }),
  });

  app.route({
    ...http(useReferral),
    handler: async (request) => {
      const { id } = viewerOf(request);
      const { planId, referralCode, country, businessNumber } = request.body;
      await paymentStep.checkPlan(planId);
      await enterCode(parts, id, referralCode, getCaller(request));
      const payable = await paymentStep.begin(id, { planId, country, businessNumber }, request.market);
      return { success: true, message: 'Referral code applied successfully.', ...payable };
    },
  });

  app.route({
    ...http(generateReferralCode),
    handler: async (request) => ({ code: await referrals.generateCode(context, viewerOf(request).id) }),
  });

  app.route({
    ...http(getReferralDashboard),
    handler: (request) => getDashboard(context, asks, viewerOf(request).id, originOf(request.headers.host)),
  });

  app.route({
    ...http(takeReward),
    handler: async (request) => {
      const credit = await swap(context, viewerOf(request).id, request.params.id);
      return { message: 'You have a free month. It pays for your next plan before any card is charged.', credit };
    },
  });

  app.route({
    ...http(listReferralNotifications),
    handler: async (request) => ({ notifications: await listNotifications(context, viewerOf(request).id) }),
  });

  app.route({
    ...http(seeReferralNotifications),
    handler: async (request) => ({ seen: await seeNotifications(context, viewerOf(request).id, request.body.ids) }),
  });

  app.route({
    ...http(listReferrals),
    handler: (request) => {
      const { status, page = 1, limit = adminPageSize } = request.query;
      return listForAdmin(context, asks, viewerOf(request).id, { status, page, take: limit });
    },
  });

  app.route({
    ...http(decideReferral),
    handler: async (request) => {
      const status = await decisions.decideReferral(parts, viewerOf(request).id, request.params.id, request.body);
      return { message: request.body.approve ? 'The referral counts.' : 'The referral does not count.', status: toldOf({ status }) };
    },
  });
};
