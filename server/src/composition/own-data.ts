import { getOwnAccountData } from '../domains/accounts/accounts.service.ts';
import { getOwnModerationData } from '../domains/admin/admin.service.ts';
import { getOwnAlertData } from '../domains/alerts/alerts.service.ts';
import { getOwnAnalyticsData } from '../domains/analytics/analytics.service.ts';
import { getOwnDrawData } from '../domains/draws/draws.service.ts';
import { getOwnInvitationData } from '../domains/invitations/invitations.service.ts';
import { getOwnListingData } from '../domains/listings/listings.service.ts';
import { getOwnMessageData } from '../domains/messages/messages.service.ts';
import { getOwnPaymentData } from '../domains/payments/payments.service.ts';
import { getOwnPlanData } from '../domains/plans/plans.service.ts';
import { getOwnPushData } from '../domains/push/push.service.ts';
import { getOwnQuoteData } from '../domains/quotes/quotes.service.ts';
import { getOwnReferralData } from '../domains/referrals/referrals.service.ts';
import { getOwnReviewData } from '../domains/reviews/reviews.service.ts';
import { getOwnSavedData } from '../domains/saved/saved.service.ts';
import { getOwnSignInData } from '../domains/sign-in/sign-in.service.ts';
import { getOwnContactData } from '../domains/site/site.service.ts';
import { getOwnTicketData } from '../domains/tickets/tickets.service.ts';
import { getOwnVisitData } from '../domains/visits/visits.service.ts';
import type { Reader } from '../kit/database/database.ts';
import type { OwnData } from '../kit/own-data.ts';

/** Collects a user's data from every domain. A domain that stores personal data gets a line here. */
export const listOwnData = (db: Reader, userId: string, now: Date): Promise<OwnData[]> =>
  Promise.all(
    [
      getOwnAccountData,
      getOwnSignInData,
      getOwnPushData,
      getOwnTicketData,
      getOwnReferralData,
      getOwnPaymentData,
      getOwnPlanData,
      getOwnListingData,
      getOwnMessageData,
      getOwnQuoteData,
      getOwnVisitData,
      getOwnReviewData,
      getOwnSavedData,
      getOwnAlertData,
      getOwnInvitationData,
      getOwnAnalyticsData,
      getOwnDrawData,
      getOwnModerationData,
      getOwnContactData,
    ].map(async (getData) => getData(db, userId, now)),
  );
