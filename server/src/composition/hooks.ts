import { parseBusinessNumber } from '@handwise/contract/registers/business-number';
import type { AccountHooks } from '../domains/accounts/accounts.service.ts';
import {
  flagReviewBurst,
  flagSamePerson,
  flagSameText,
  flagSharedNumber,
  hasOpenAppeal,
  hasReported,
  hideLicence,
  listPublicEntries,
} from '../domains/admin/admin.service.ts';
import { deleteAlertsOfUser, recordNewListing } from '../domains/alerts/alerts.service.ts';
import { checkWinner, type DrawHooks, passOnPrizesOfUser } from '../domains/draws/draws.service.ts';
import { deleteClaimedDrafts } from '../domains/invitations/invitations.service.ts';
import {
  listClaimingBusinesses,
  listUnhiddenListings,
  listSummaries,
  lockBusiness,
  setLicenceHidden,
  setVerified,
  findSellerTimeZone,
  getTimeZonesOfSubscriptions,
} from '../domains/listings/listings.service.ts';
import { deleteConversationData, type MessageHooks } from '../domains/messages/messages.service.ts';
import {
  type PaymentHooks,
  type Payment,
  type Payments,
  connectPayments,
  type RefundHooks,
  findMeans,
  listCardSharers,
  cancelOpenPayments,
  deletePayer,
} from '../domains/payments/payments.service.ts';
import {
  type PlanHooks,
  createPlanIntent,
  endRenewalsOfUser,
  endSubscriptions,
  fulfilPurchase,
  fulfilRenewal,
  getPlan,
  giftSubscription,
  hasSubscribed,
  listReturnedPaymentIds,
  resolveCountry,
  setSubscriptionDisputed,
} from '../domains/plans/plans.service.ts';
import { endQuotesOfUser } from '../domains/quotes/quotes.service.ts';
import {
  approveReferralOfPayer,
  convertReferral,
  endReferralsOfUser,
  giveAwaitedReward,
  type ReferralHooks,
  type ReferralPaymentHooks,
  voidReferralEarnings,
  createReferralOnSignUp,
} from '../domains/referrals/referrals.service.ts';
import type { RegisterHooks } from '../domains/registers/registers.service.ts';
import type { ReviewHooks } from '../domains/reviews/reviews.service.ts';
import { deleteAllSaved } from '../domains/saved/saved.service.ts';
import {
  type SellingHooks,
  emailListingLive,
  endListings,
  endReturnedPlan,
  fulfilPlanChange,
  fulfilReactivation,
  moveListings,
  noteListingsEnded,
} from '../domains/selling/selling.service.ts';
import { deleteChallenges, deleteCredentials } from '../domains/sign-in/sign-in.service.ts';
import { anonymizeSender } from '../domains/site/site.service.ts';
import { voidTicketsOfDeletedUser } from '../domains/tickets/tickets.service.ts';
import { planReminders } from '../domains/unanswered/unanswered.service.ts';
import { endVisitsOfUser } from '../domains/visits/visits.service.ts';
import type { StripeSettings } from '../kit/integrations/stripe.ts';
import type { AppContext } from './app-context.ts';
import { listOwnData } from './own-data.ts';

// Connects domains that do not import each other: what each needs from the domains above it. A hook named after an event runs within its transaction,
// and commits or rolls back with it. A domain that reacts to another gets its line here.

export const planHooks: PlanHooks = {
  timeZonesOf: getTimeZonesOfSubscriptions,
  moveListings,
  listListings: listUnhiddenListings,
  noteListingsEnded,
};

/** What each purpose of a payment buys. */
const openFulfilments = (context: AppContext): Record<Payment['purpose'], PaymentHooks['onPaid']> => ({
  listing: (tx, payment) => fulfilPurchase(tx, payment, context.clock.now()),
  plan_change: (tx, payment) => fulfilPlanChange(context, tx, payment),
  reactivation: (tx, payment) => fulfilReactivation(tx, payment, context.clock.now()),
  renewal: (tx, payment) => fulfilRenewal(tx, planHooks, payment, context.clock.now()),
});

/** The effects of refunds and disputes on plans, listings and rewards. */
export const openRefundHooks = (context: AppContext): RefundHooks => ({
  ended: (tx, payment, reason) => endReturnedPlan(context, tx, payment, reason),
  gifted: async (tx, payment) => void (await giftSubscription(tx, payment.id)),
  disputed: async (tx, payment, isOpen) => void (await setSubscriptionDisputed(tx, payment.id, isOpen ? context.clock.now() : null)),
  fraud: (tx, payment) => voidReferralEarnings(context, tx, payment.user_id, payment.succeeded_at ?? payment.created_at),
});

/** Payments, with the fulfilment of each purpose. */
export function openPayments({ context, stripe }: { context: AppContext; stripe: StripeSettings }): Payments {
  const referrals = { context, hooks: referralHooks };
  const fulfilments = openFulfilments(context);
  const onPaid: PaymentHooks['onPaid'] = async (tx, payment) => {
    const fulfilment = await fulfilments[payment.purpose](tx, payment);
    if (!('refund' in fulfilment)) {
      await approveReferralOfPayer(referrals, tx, payment.user_id);
      await giveAwaitedReward(referrals, tx, payment.user_id);
    }
    return fulfilment;
  };
  return connectPayments({
    context,
    stripe,
    onPaid,
    onCardSaved: (tx, userId) => giveAwaitedReward(referrals, tx, userId),
    refundHooks: openRefundHooks(context),
  });
}

export function openReviewHooks(context: AppContext): ReviewHooks {
  const flagBurst = flagReviewBurst(context);
  return {
    hasReported,
    hasOpenAppeal,
    onReviewed: async (tx, review) => {
      await flagSamePerson(tx, review);
      await flagBurst(tx, review);
    },
  };
}

export const referralHooks: ReferralHooks = {
  hasHadPlan: hasSubscribed,
  listCardSharers,
  findMeans,
  findFirstListing: async (db, userId) => (await listSummaries(db, { sellerId: userId }))[0]?.id,
  listTitles: async (db, ids) => new Map((await listSummaries(db, { ids })).map(({ id, title }) => [id, title])),
  getWinnerStatus: async (db, userId) => {
    const { isWinner, draw } = await checkWinner(db, userId);
    return { isWinner, winningDraw: draw };
  },
};

export const registerHooks: RegisterHooks = {
  lockBusiness,
  setVerified,
  setLicenceHidden,
  listBusinesses: listClaimingBusinesses,
  onSharedNumber: flagSharedNumber,
  onLicenceRefused: hideLicence,
};

/** The hooks that need the context of the process. */
export function openHooks(context: AppContext, payments: Payments) {
  const referrals = { context, hooks: referralHooks };
  const accountHooks: AccountHooks = {
    onRegistered: (tx, user, form, from) => createReferralOnSignUp(referrals, tx, user, form, from),
    onPasswordChanged: deleteChallenges,
    onAccountDeleted: {
      before: (userId) => cancelOpenPayments(payments, userId),
      within: async (tx, userId) => {
        const now = context.clock.now();
        await deletePayer(payments, tx, userId);
        // Locks the account that gets it next, so before anything for which others wait while they hold theirs.
        await passOnPrizesOfUser(tx, context, userId);
        await endListings(tx, userId, await endSubscriptions(tx, userId, now));
        await endRenewalsOfUser(tx, userId);
        await endQuotesOfUser(tx, userId, now);
        await endVisitsOfUser(tx, context, userId);
        await deleteConversationData(tx, userId);
        await deleteAllSaved(tx, userId);
        await deleteAlertsOfUser(tx, userId);
        await deleteClaimedDrafts(tx, userId);
        await anonymizeSender(tx, userId);
        await deleteCredentials(tx, userId);
        await endReferralsOfUser(tx, userId);
        await voidTicketsOfDeletedUser(tx, context, userId);
      },
    },
    timeZoneOf: findSellerTimeZone,
    listOwnData,
  };
  const sellingHooks: SellingHooks = {
    onPublished: async (tx, published) => {
      await emailListingLive(context, tx, published);
      await recordNewListing(tx, published.id, context.clock.now());
      await convertReferral(referrals, tx, published.sellerId, published.id);
    },
  };
  const messageHooks: MessageHooks = { onSameText: flagSameText, onContacted: planReminders };
  const referralPaymentHooks: ReferralPaymentHooks = {
    checkPlan: (planId) => getPlan(context.db, planId),
    begin: (userId, { planId, country: chosenCountry, businessNumber }, market) => {
      const country = resolveCountry(chosenCountry, market);
      return createPlanIntent(context, payments, userId, {
        planId,
        country,
        businessNumber: parseBusinessNumber(businessNumber ?? '', country),
      });
    },
  };
  return { accountHooks, sellingHooks, messageHooks, referralPaymentHooks };
}

export const paymentHooks: Pick<PaymentHooks, 'findEnded'> = { findEnded: listReturnedPaymentIds };

export const drawHooks: DrawHooks = { listAudited: listPublicEntries };
