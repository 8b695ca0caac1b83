import { adminPaths } from '@handwise/contract/admin/paths';
import { paths } from '@handwise/contract/paths';
import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

const page = (path: string, file: string, id = `pages/${file}`.replace(/\.tsx$/, '')) => route(path.slice(1), `pages/${file}`, { id });

// Pages without a layout are public and server-rendered: the root has header and footer.
export default [
  index('pages/site/landing.tsx'),
  page(paths.browse, 'search/home.tsx'),
  page(paths.search, 'search/search.tsx'),
  page(paths.getQuotes, 'messages/get-quotes.tsx'),
  page(paths.pros, 'site/pros.tsx'),
  page(paths.services, 'search/services.tsx'),
  page(paths.servicesIn(':category', ':region?', ':town?'), 'search/services-category.tsx'),
  page(paths.costs, 'costs/costs.tsx'),
  page(paths.costsOf(':category', ':subCategory'), 'costs/costs-of.tsx'),
  page(paths.listing(':id'), 'listings/listing.tsx'),
  page(paths.contact, 'site/contact.tsx'),
  page(paths.help, 'site/help.tsx'),
  page(paths.howToStop, 'site/how-to-stop.tsx'),
  page(paths.reviewsPolicy, 'site/reviews-policy.tsx'),
  page(paths.howWeCheck, 'site/how-we-check.tsx'),
  page(paths.complaints, 'site/complaints.tsx'),
  page(paths.standards, 'site/standards.tsx'),
  page(paths.draws, 'draws/draws.tsx'),
  page(paths.draw(':period'), 'draws/draw.tsx'),
  page(paths.drawRules, 'draws/draw-rules.tsx'),
  page(paths.privacy, 'site/privacy.tsx'),
  page(paths.terms, 'site/terms.tsx'),
  page(paths.ownListingsIndex, 'selling/my-listings-index.tsx'),
  page(paths.oldReferral, 'referrals/old-referral.tsx'),

  layout('pages/layouts/visitors.tsx', [page(paths.login, 'auth/login.tsx'), page(paths.register, 'auth/register.tsx')]),
  page(paths.verifyEmail, 'auth/verify-email.tsx'),
  page(paths.forgotPassword, 'auth/forgot-password.tsx'),
  page(paths.resetPassword, 'auth/reset-password.tsx'),
  page(paths.providerReturn, 'auth/provider-return.tsx'),
  page(paths.goodbye, 'auth/goodbye.tsx'),
  page(paths.endMails, 'account/end-mails.tsx'),
  page(paths.endAlert, 'account/end-alert.tsx'),
  page(paths.invitation, 'selling/invitation.tsx'),
  page(paths.endInvitations, 'account/end-invitations.tsx'),

  layout('pages/layouts/queries.tsx', [
    page(paths.linkedDecision, 'account/linked-decision.tsx'),
    page(paths.addListing, 'selling/add-list.tsx'),
    page(paths.addListingAlias, 'selling/add-list.tsx', 'addListing'),

    layout('pages/layouts/members.tsx', [
      page(paths.signupSuccess, 'auth/signup-success.tsx'),
      page(paths.registerSuccess, 'auth/register-success.tsx'),
      page(paths.paymentSuccess, 'selling/payment-success.tsx'),
      page(paths.paymentReturn, 'selling/payment-return.tsx'),
      page(paths.addCard, 'account/account-billing.tsx'),

      layout('pages/messages/inbox.tsx', [
        page(paths.messages, 'messages/no-conversation.tsx'),
        page(paths.conversation(':id'), 'messages/conversation.tsx'),
        page(paths.writeQuote(':id'), 'messages/write-quote.tsx'),
      ]),

      layout('pages/layouts/frame.tsx', [
        page(paths.ownListings, 'selling/my-listings.tsx'),
        page(paths.savedListings, 'saved/saved-listings.tsx'),
        page(paths.compareListings, 'saved/compare-listings.tsx'),
        page(paths.quoteRequests, 'messages/quote-requests.tsx'),
        page(paths.editListing(':listingId'), 'selling/edit-listing.tsx'),
        page(paths.updatePlan(':listingId'), 'selling/update-plan.tsx'),
        page(paths.reactivateListing(':listingId'), 'selling/reactivate-listing.tsx'),
        page(paths.listingAnalytics(':listingId'), 'selling/listing-analytics.tsx'),
        page(paths.receipt(':receiptId'), 'account/receipt.tsx'),
        page(paths.referral, 'referrals/referral.tsx'),
        page(paths.claimPrize, 'draws/claim-prize.tsx'),

        layout('pages/layouts/account.tsx', [
          page(paths.account, 'account/account-settings.tsx'),
          page(paths.security, 'account/account-security.tsx'),
          page(paths.alerts, 'account/alerts.tsx'),
          page(paths.cards, 'account/account-payment.tsx'),
          page(paths.receipts, 'account/account-receipts.tsx'),
          page(paths.decisions, 'account/decisions.tsx'),
        ]),
      ]),
    ]),

    layout('pages/layouts/administration.tsx', [
      page(paths.admin, 'admin/admin-overview.tsx'),
      page(adminPaths.reports, 'admin/admin-reports.tsx'),
      page(adminPaths.appeals, 'admin/admin-appeals.tsx'),
      page(adminPaths.referrals, 'admin/admin-referrals.tsx'),
      page(adminPaths.import, 'admin/admin-import.tsx'),
      page(adminPaths.funnel, 'admin/admin-funnel.tsx'),
      page(adminPaths.users, 'admin/admin-users.tsx'),
      page(adminPaths.user(':id'), 'admin/admin-user.tsx'),
      page(adminPaths.listings, 'admin/admin-listings.tsx'),
      page(adminPaths.reviews, 'admin/admin-reviews.tsx'),
      page(adminPaths.payments, 'admin/admin-payments.tsx'),
      page(adminPaths.disputes, 'admin/admin-disputes.tsx'),
      page(adminPaths.payment(':id'), 'admin/admin-payment.tsx'),
      page(adminPaths.licences, 'admin/admin-licences.tsx'),
      page(adminPaths.settings, 'admin/admin-settings.tsx'),
      page(adminPaths.health, 'admin/admin-health.tsx'),
      page(adminPaths.audit, 'admin/admin-audit.tsx'),
      page(adminPaths.drawManagement, 'admin/admin-draw.tsx'),
    ]),
  ]),

  route('*', 'pages/site/not-found.tsx'),
] satisfies RouteConfig;
