import { addDays, getDay, getMoment, siteTimeZone } from '@handwise/contract/dates';
import { complaintDays } from '@handwise/contract/periods';
import type { TrustMetrics } from '@handwise/contract/site/calls';
import type { Context } from '../../kit/context.ts';
import { countModeration } from '../admin/admin.service.ts';
import { countChecks } from '../registers/registers.service.ts';
import { countReviewsIn } from '../reviews/reviews.service.ts';
import { countReminders } from '../unanswered/unanswered.service.ts';

/** The last full month of New Zealand. */
function getLastMonth(now: Date) {
  const first = `${getDay(now, siteTimeZone).slice(0, 7)}-01`;
  const month = addDays(first, -1).slice(0, 7);
  return { month, from: getMoment(`${month}-01`, '00:00', siteTimeZone), until: getMoment(first, '00:00', siteTimeZone) };
}

/** What the pages about complaints and standards show, from the records themselves. */
export async function countTrustMetrics({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<TrustMetrics> {
  const now = clock.now();
  const { month, ...period } = getLastMonth(now);
  const [moderation, checks, reviews, unanswered] = await Promise.all([
    countModeration(db, period, { days: complaintDays.decide, now }),
    countChecks(db, period),
    countReviewsIn(db, period),
    countReminders(db, period),
  ]);
  const { received, decided, in_time: inTime, overdue, objections, upheld, kinds } = moderation;
  return {
    month,
    checks,
    reports: { received, decided, inTime, overdue },
    decisions: {
      hiddenListings: kinds['hide_listing'] ?? 0,
      removedReviews: kinds['remove_review'] ?? 0,
      warnings: kinds['warn'] ?? 0,
      suspensions: kinds['suspend_account'] ?? 0,
      dismissed: kinds['dismiss'] ?? 0,
    },
    objections: { received: objections, upheld },
    reviews,
    unanswered: { reminders: unanswered.reminders, passedOn: unanswered.passed_on },
  };
}
