import { periodName } from '@handwise/contract/dates';
import { count, counted, inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { appealMonths, complaintDays, registerCheckDays } from '@handwise/contract/periods';
import { site } from '@handwise/contract/site/site';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { getTrustData } from '../../domains/site/trust-data.server.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { Prose } from '../../ui/page/page.tsx';
import type { Route } from './+types/standards';

export const loader = ({ context }: Route.LoaderArgs) => getTrustData(context.get(serverContext));

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Our standards',
    description: `What ${site.name} claims about businesses, checks, does about complaints and misconduct, and how it treats reviews, with last month’s numbers.`,
    path: paths.standards,
  });

const sourcePage = 'https://www.gov.uk/government/organisations/competition-and-markets-authority';

export default function StandardsPage({ loaderData }: Route.ComponentProps) {
  const { checks, reports, decisions, objections, reviews, unanswered } = loaderData;
  const month = periodName(loaderData.month);
  return (
    <Prose title="Our standards" updated="Nov 29, 2026">
      <p>
        Sites that recommend traders should do six things, says the United Kingdom’s{' '}
        <a href={sourcePage} rel="noopener" target="_blank">
          Competition and Markets Authority<span className="visually-hidden"> (opens in a new tab)</span>
        </a>
        . Its advice is not law here, but it is good advice. This is what we do for each, with the numbers of {month}, counted from our
        records.
      </p>

      <h2>1. What we claim</h2>
      <p>
        We recommend nobody. A place in a list that was paid for says so, stars are the plain average of all reviews, and “Verified” means
        one thing only: a public register has this business under this name. <Link to={paths.howWeCheck}>How we check</Link> says what that
        does not mean.
      </p>

      <h2>2. Whom we let in</h2>
      <p>
        Anyone can list. We check business numbers against public registers and ask again every {registerCheckDays} days; what we do not
        check is shown as the business’s own word.
      </p>
      <Metrics month={month}>
        registers answered for {counted(checks.asked, 'listing')} and did not confirm {count(checks.refused)}.{' '}
        {counted(checks.verified, 'listing')} {checks.verified === 1 ? 'is' : 'are'} verified now.
      </Metrics>

      <h2>3. Complaints</h2>
      <p>
        <Link to={paths.complaints}>How to complain</Link>: confirmed within {inWords(complaintDays.confirm)} working days, decided within{' '}
        {inWords(complaintDays.decide)}.
      </p>
      <Metrics month={month}>
        {counted(reports.received, 'report')} from members, {count(reports.decided)} decided since, {count(reports.inTime)} of them within{' '}
        {inWords(complaintDays.decide)} working days. {counted(reports.overdue, 'report')} {reports.overdue === 1 ? 'has' : 'have'} waited
        longer than that now.
      </Metrics>

      <h2>4. What we watch</h2>
      <p>
        Businesses that leave customers without an answer are reminded after four of their opening hours and again after a day, and their
        customers can ask others. Listings and cards say how many of the last twenty messages a business answered.
      </p>
      <Metrics month={month}>
        {counted(unanswered.reminders, 'reminder')} to businesses, and {counted(unanswered.passedOn, 'message')} that customers sent on to
        others.
      </Metrics>

      <h2>5. What happens to those who break the rules</h2>
      <p>
        A warning, a listing taken off the site, or the end of the account, each with a reason. Anyone concerned can object for{' '}
        {inWords(appealMonths)} months, and another person decides.
      </p>
      <Metrics month={month}>
        {counted(decisions.warnings, 'warning')}, {counted(decisions.hiddenListings, 'listing')} hidden,{' '}
        {counted(decisions.suspensions, 'account')} suspended, {counted(decisions.dismissed, 'report')} dismissed.{' '}
        {counted(objections.received, 'objection')}, {count(objections.upheld)} of them upheld so far.
      </Metrics>

      <h2>6. Reviews</h2>
      <p>
        All customers are asked, nobody is paid, nothing is left out, and a removed review leaves a note.{' '}
        <Link to={paths.reviewsPolicy}>How reviews work</Link> has every month. A business can take its reviews with it as a signed file.
      </p>
      <Metrics month={month}>
        {counted(reviews.invited, 'customer')} asked, {counted(reviews.written, 'review')} written, {count(reviews.removed)} removed by us.
      </Metrics>
    </Prose>
  );
}

const Metrics = ({ month, children }: { month: string; children: ReactNode }) => (
  <p>
    <strong>{month}:</strong> {children}
  </p>
);
