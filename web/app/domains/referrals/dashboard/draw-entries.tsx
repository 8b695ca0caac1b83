import { count, counted } from '@handwise/contract/numbers';
import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import styles from './draw-entries.module.css';
import { EntriesTable } from './entries-table.tsx';
import { ReferralCharts } from './referral-charts.tsx';
import { formatReferralMonth, formatReferralPeriod } from '../referral-view.ts';
import { ReferralsTable } from './referrals-table.tsx';
import { paths } from '@handwise/contract/paths';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useSession } from '../../../lib/session/session.ts';
import { LoadProblem } from '../../../ui/feedback/load-problem.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ownCredits } from '../referral-queries.ts';

/** "15 % (3 of 20)" */
const formatSuccess = ({ conversionRate, successfulConversions, referralsCount }: ReferralDashboard['referralStats']) =>
  referralsCount === 0 ? 'No referrals yet' : `${conversionRate} % (${count(successfulConversions)} of ${count(referralsCount)})`;

/** The user's tickets, their sources, and the people referred. */
export function DrawEntries({ data }: { data: ReferralDashboard }) {
  const { referralStats, referralCode, drawEntries, currentDraw } = data;
  const details = [
    { name: 'Active tickets', value: count(referralStats.activeDrawTickets) },
    { name: 'Referrals', value: count(referralStats.referralsCount) },
    { name: 'Referral code', value: referralCode },
    { name: 'Pending referrals', value: count(referralStats.pendingReferrals) },
    { name: 'Draw entries earned', value: count(referralStats.drawEntriesEarned) },
    { name: 'Success rate', value: formatSuccess(referralStats) },
  ];
  return (
    <div className={styles.tab}>
      <div className={styles.beside}>
        <section className={`card ${styles.part}`} aria-labelledby="total-tickets">
          <h2 id="total-tickets">Total tickets</h2>
          <p className={styles.total}>{count(drawEntries.total)}</p>
          <p className="muted">In the draw of {formatReferralMonth(currentDraw.year, currentDraw.month)}. More tickets, better chances.</p>
          <Credits />
        </section>
        <section className={`card ${styles.part}`} aria-labelledby="entry-details">
          <h2 id="entry-details">Entry details</h2>
          <dl className={styles.details}>
            {details.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <ReferralCharts analytics={data.analytics} />
      <section className={`card ${styles.part}`} aria-labelledby="referred-users">
        <h2 id="referred-users">
          Your Referred Users <span className="muted">({count(referralStats.referralsCount)})</span>
        </h2>
        <ReferralsTable referrals={data.referrals} />
      </section>
      <section className={`card ${styles.part}`} aria-labelledby="own-entries">
        <h2 id="own-entries">Your Draw Entries</h2>
        <EntriesTable entries={drawEntries.entries} running={formatReferralPeriod(currentDraw)} />
      </section>
    </div>
  );
}

/** The user's free months, if any, and what they pay for. */
function Credits() {
  const { user } = useSession();
  const { data, isError, refetch } = useQuery(ownCredits(user?._id));
  if (!data && isError) return <LoadProblem text="Your free months could not be loaded." onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  return (
    <Notice kind="success">
      <strong>You have {counted(data.length, 'free month')}.</strong> {data.length === 1 ? 'It pays' : 'Each pays'} for {subscriptionDays}{' '}
      days on any plan, for a new listing or to bring one back, before any card is charged.{' '}
      <Link to={paths.addListing}>Use it for a listing.</Link>
    </Notice>
  );
}
