import { parseBusinessNumber } from '@handwise/contract/evidence/business-number';
import type { OnAccountDeleted, OnRegistered } from '../domains/accounts/accounts.service.ts';
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
import { checkWinner, passOnPrizesOfUser } from '../domains/draws/draws.service.ts';
import type { EvidenceHooks } from '../domains/evidence/evidence.service.ts';
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
import { deleteConversationData } from '../domains/messages/messages.service.ts';
import {
  type OnPaid,
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
  type RenewalPort,
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
import type { PaymentStep } from '../domains/referrals/referrals.routes.ts';
import {
  approveReferralOfPayer,
  convertReferral,
  endReferralsOfUser,
  giveAwaitedReward,
  type ReferralPort,
  voidReferralEarnings,
  createReferralOnSignUp,
} from '../domains/referrals/referrals.service.ts';
import type { InvitationPort, OnReviewed, RemovalPort } from '../domains/reviews/reviews.service.ts';
import { deleteAllSaved } from '../domains/saved/saved.service.ts';
import {
  type OnPublished,
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

// Connects domains that do not import each other. Each hook runs within the transaction of the event that it is named after, and commits or rolls
// back with it. A domain that reacts to another gets its line here.

/** What renewals need from the domains above plans. */
export const renewalPort: RenewalPort = {
  timeZonesOf: getTimeZonesOfSubscriptions,
  moveListings,
  listListings: listUnhiddenListings,
  noteListingsEnded,
};

/** What each purpose of a payment buys. */
const openFulfilments = (context: AppContext): Record<Payment['purpose'], OnPaid> => ({
  listing: (tx, payment) => fulfilPurchase(tx, payment, context.clock.now()),
  plan_change: (tx, payment) => fulfilPlanChange(context, tx, payment),
  reactivation: (tx, payment) => fulfilReactivation(tx, payment, context.clock.now()),
  renewal: (tx, payment) => fulfilRenewal(tx, renewalPort, payment, context.clock.now()),
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
  const referrals = { context, port: referralPort };
  const fulfilments = openFulfilments(context);
  const onPaid: OnPaid = async (tx, payment) => {
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

/** What invitations to review need from the domains above reviews. */
export const reviewPort: InvitationPort & RemovalPort = { hasReported, hasOpenAppeal };

/** Queries that referrals need from the domains above them. */
export const referralPort: ReferralPort = {
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

/** What the checks of business numbers and licences ask of the domains above them. */
export const evidenceHooks: EvidenceHooks = {
  lockBusiness,
  setVerified,
  setLicenceHidden,
  listBusinesses: listClaimingBusinesses,
  onSharedNumber: flagSharedNumber,
  onLicenceRefused: hideLicence,
};

/** Hooks of registering, publishing, reviewing and account deletion, and what domains need from each other. */
export function openHooks(context: AppContext, payments: Payments) {
  const referrals = { context, port: referralPort };
  const onRegistered: OnRegistered = (tx, user, form, from) => createReferralOnSignUp(referrals, tx, user, form, from);
  const onPublished: OnPublished = async (tx, published) => {
    await emailListingLive(context, tx, published);
    await recordNewListing(tx, published.id, context.clock.now());
    await convertReferral(referrals, tx, published.sellerId, published.id);
  };
  const flagBurst = flagReviewBurst(context);
  const onReviewed: OnReviewed = async (tx, review) => {
    await flagSamePerson(tx, review);
    await flagBurst(tx, review);
  };
  const paymentStep: PaymentStep = {
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
  const onAccountDeleted: OnAccountDeleted = {
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
  };
  return {
    onRegistered,
    onPublished,
    onReviewed,
    contactHooks: { onSameText: flagSameText, onContacted: planReminders },
    onAccountDeleted,
    paymentStep,
    timeZoneOf: findSellerTimeZone,
    onPasswordChanged: deleteChallenges,
    findEnded: listReturnedPaymentIds,
    listAudited: listPublicEntries,
  };
}
