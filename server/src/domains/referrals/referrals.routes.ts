import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { adminPageSize } from '@handwise/contract/admin/calls';
import type { payable } from '@handwise/contract/plans/calls';
import { decideReferralCall, listReferralsCall } from '@handwise/contract/referrals/admin';
import {
  checkReferralCodeCall,
  generateReferralCodeCall,
  getReferralDashboardCall,
  takeRewardCall,
  useReferralCall,
} from '@handwise/contract/referrals/calls';
import { listReferralNotificationsCall, seeReferralNotificationsCall } from '@handwise/contract/referrals/notifications';
import { getCaller } from '../../kit/caller.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { getNetwork } from '../../kit/network.ts';
import { listReferralsForAdmin } from './referrals.admin.ts';
import type { ReferralHooks, ReferralContext } from './referrals.context.ts';
import type { ReferralPaymentHooks } from './referrals.context.ts';
import { loadDashboard } from './referrals.dashboard.ts';
import * as decisions from './referrals.decide.ts';
import { enterReferralCode } from './referrals.enter.ts';
import { swapForFreeMonth } from './referrals.rewards.ts';
import * as referrals from './referrals.service.ts';
import { listNotificationsOfUser, markNotificationsSeen } from './referrals.service.ts';
import { publicStatus } from './referrals.states.ts';

/** What entering a code has done to the price. */
function describeApplied({ amount, heldReferral }: z.output<typeof payable>): string {
  if (amount === 0) return 'Referral code applied successfully.';
  if (heldReferral) return 'Your code has been added. It is being checked, so this plan is not free yet.';
  return 'Your code has been added, but this plan is not free: your mailbox, browser, card or business has had its free first month.';
}

type Options = {
  context: ReferralContext;
  hooks: ReferralHooks;
  paymentHooks: ReferralPaymentHooks;
  /** The site's address for shared links, by Host header. */
  originOf: (host: string | undefined) => string;
};

export const referralRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, hooks, paymentHooks, originOf }) => {
  const parts = { context, hooks };

  app.route({
    ...http(checkReferralCodeCall),
    handler: async ({ params, ip }) => ({ valid: await referrals.isValidCode(context, params.code, getNetwork(ip)) }),
  });

  app.route({
    ...http(useReferralCall),
    handler: async (request) => {
      const { id } = getViewer(request);
      const { planId, referralCode, country, businessNumber } = request.body;
      await paymentHooks.checkPlan(planId);
      await enterReferralCode(parts, id, referralCode, getCaller(request));
      const payable = await paymentHooks.begin(id, { planId, country, businessNumber }, request.market);
      return { success: true, message: describeApplied(payable), ...payable };
    },
  });

  app.route({
    ...http(generateReferralCodeCall),
    handler: async (request) => ({ code: await referrals.ensureReferralCode(context, getViewer(request).id) }),
  });

  app.route({
    ...http(getReferralDashboardCall),
    handler: (request) => loadDashboard(context, hooks, getViewer(request).id, originOf(request.headers.host)),
  });

  app.route({
    ...http(takeRewardCall),
    handler: async (request) => {
      const credit = await swapForFreeMonth(context, getViewer(request).id, request.params.id);
      return { message: 'You have a free month. It pays for your next plan before any card is charged.', credit };
    },
  });

  app.route({
    ...http(listReferralNotificationsCall),
    handler: async (request) => ({ notifications: await listNotificationsOfUser(context, getViewer(request).id) }),
  });

  app.route({
    ...http(seeReferralNotificationsCall),
    handler: async (request) => ({ seen: await markNotificationsSeen(context, getViewer(request).id, request.body.ids) }),
  });

  app.route({
    ...http(listReferralsCall),
    handler: (request) => {
      const { status, page = 1, limit = adminPageSize } = request.query;
      return listReferralsForAdmin(context, hooks, getViewer(request).id, { status, page, take: limit });
    },
  });

  app.route({
    ...http(decideReferralCall),
    handler: async (request) => {
      const status = await decisions.decideReferral(parts, getViewer(request).id, request.params.id, request.body);
      return { message: request.body.approve ? 'The referral counts.' : 'The referral does not count.', status: publicStatus({ status }) };
    },
  });
};
