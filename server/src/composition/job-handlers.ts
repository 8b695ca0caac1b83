import { accountJobs } from '../domains/accounts/accounts.jobs.ts';
import { adminJobs } from '../domains/admin/admin.jobs.ts';
import { alertJobs } from '../domains/alerts/alerts.jobs.ts';
import { analyticsJobs } from '../domains/analytics/analytics.jobs.ts';
import { costJobs } from '../domains/costs/costs.jobs.ts';
import { drawJobs } from '../domains/draws/draws.jobs.ts';
import { funnelJobs } from '../domains/funnel/funnel.jobs.ts';
import { invitationJobs } from '../domains/invitations/invitations.jobs.ts';
import { isInvitationOpen } from '../domains/invitations/invitations.service.ts';
import { messageJobs } from '../domains/messages/messages.jobs.ts';
import { paymentJobs } from '../domains/payments/payments.jobs.ts';
import type { Payments } from '../domains/payments/payments.service.ts';
import { planJobs, renewalMails } from '../domains/plans/plans.jobs.ts';
import { pushJobs } from '../domains/push/push.service.ts';
import { quoteJobs } from '../domains/quotes/quotes.jobs.ts';
import { referralJobs } from '../domains/referrals/referrals.jobs.ts';
import { registerJobs } from '../domains/registers/registers.jobs.ts';
import { reviewJobs } from '../domains/reviews/reviews.jobs.ts';
import { isReviewWanted } from '../domains/reviews/reviews.service.ts';
import { searchJobs } from '../domains/search/search.jobs.ts';
import { isWeekAhead, sellingJobs } from '../domains/selling/selling.jobs.ts';
import { tellOfLicences } from '../domains/selling/selling.service.ts';
import { signInJobs } from '../domains/sign-in/sign-in.jobs.ts';
import { siteJobs } from '../domains/site/site.jobs.ts';
import { ticketJobs } from '../domains/tickets/tickets.jobs.ts';
import { unansweredJobs } from '../domains/unanswered/unanswered.jobs.ts';
import { visitJobs } from '../domains/visits/visits.jobs.ts';
import { isVisitAhead } from '../domains/visits/visits.service.ts';
import { deleteOldChanges } from '../kit/events/changes.ts';
import { deleteOldLiveEvents } from '../kit/events/live-events.ts';
import { deleteOrphanedFiles } from '../kit/files/stored-files.ts';
import type { MailChecks, MailSources } from '../kit/mail/mail.ts';
import type { AppContext } from './app-context.ts';
import { formerJobNames } from './former-job-names.ts';
import { registerHooks, openReviewHooks, planHooks, referralHooks } from './hooks.ts';

/** Registers all jobs and schedules except `sendMail`, which needs the mailer. To be called before `jobs.start`. */
export function handleJobs(context: AppContext, payments: Payments): void {
  const { db, jobs, store } = context;
  accountJobs(context);
  signInJobs(context);
  pushJobs(context);
  ticketJobs(context);
  referralJobs(context, referralHooks);
  paymentJobs(jobs, payments);
  planJobs(context, payments, planHooks);
  registerJobs(context, registerHooks);
  costJobs(context);
  searchJobs(context);
  alertJobs(context);
  sellingJobs(context);
  jobs.every('selling.send-licence-notices', '37 * * * *', () => tellOfLicences(context));
  messageJobs(context);
  quoteJobs(context);
  visitJobs(context);
  reviewJobs(context, openReviewHooks(context));
  unansweredJobs(context);
  invitationJobs(context);
  funnelJobs(context);
  analyticsJobs(context);
  drawJobs(context);
  adminJobs(context);
  siteJobs(context);
  jobs.every('events.delete-old-changes', '*/5 * * * *', () => deleteOldChanges(db));
  jobs.every('events.delete-old-events', '29 * * * *', async () => {
    await deleteOldLiveEvents(db, context.clock.now());
  });
  jobs.every('files.delete-orphans', '17 * * * *', async () => {
    await deleteOrphanedFiles(db, store);
  });
  jobs.acceptFormerNames(formerJobNames);
}

/** The checks of mails that may be out of date by the time they are sent. */
export const createMailChecks = (context: Pick<AppContext, 'db' | 'clock'>): MailChecks => ({
  invitation_open: (mailboxKey) => isInvitationOpen(context, mailboxKey),
  review_wanted: (conversationId) => isReviewWanted(context, conversationId),
  visit_ahead: (key) => isVisitAhead(context, key),
  week_ahead: async (key) => isWeekAhead(key, context.clock.now()),
});

/** The mails that are composed when they are sent. */
export const createMailSources = (context: AppContext): MailSources => ({ renewal: renewalMails({ context, hooks: planHooks }) });
