import { ownDataOf as ofAccounts } from './domains/accounts/accounts.service.ts';
import { ownDataOf as ofAlerts } from './domains/alerts/alerts.service.ts';
import { ownDataOf as ofAdmin } from './domains/admin/admin.service.ts';
import { ownDataOf as ofDraws } from './domains/draws/draws.service.ts';
import { ownDataOf as ofAnalytics } from './domains/analytics/analytics.service.ts';
import { ownDataOf as ofListings } from './domains/listings/listings.service.ts';
import { ownDataOf as ofMessages } from './domains/messages/messages.service.ts';
import { ownDataOf as ofPayments } from './domains/payments/payments.service.ts';
import { ownDataOf as ofPlans } from './domains/plans/plans.service.ts';
import { ownDataOf as ofReferrals } from './domains/referrals/referrals.service.ts';
import { ownDataOf as ofReviews } from './domains/reviews/reviews.service.ts';
import { ownDataOf as ofSaved } from './domains/saved/saved.service.ts';
import { ownDataOf as ofSignIn } from './domains/sign-in/sign-in.service.ts';
import { ownDataOf as ofSite } from './domains/site/site.service.ts';
import { ownDataOf as ofTickets } from './domains/tickets/tickets.service.ts';
import type { Reader } from './kit/database/database.ts';
import type { OwnData } from './kit/own-data.ts';

/** Collects a user's data from every domain. A domain that stores personal data gets a line here. */
export const listOwnData = (db: Reader, userId: string): Promise<OwnData[]> =>
  Promise.all(
    [
      ofAccounts,
      ofSignIn,
      ofTickets,
      ofReferrals,
      ofPayments,
      ofPlans,
      ofListings,
      ofMessages,
      ofReviews,
      ofSaved,
      ofAlerts,
      ofAnalytics,
      ofDraws,
      ofAdmin,
      ofSite,
    ].map(async (ownDataOf) => ownDataOf(db, userId)),
  );
