import { count } from '@handwise/contract/numbers';
import type { ReferralDashboard as Dashboard } from '@handwise/contract/referrals/calls';
import { prizeText } from '@handwise/contract/draws/prize';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useSession } from '../../../lib/session/session.ts';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { Avatar } from '../../../ui/pictures/avatar.tsx';
import { HowItWorks } from '../how-it-works.tsx';
import { NewsList } from '../notifications/news-list.tsx';
import { TestPanel } from '../notifications/test-panel.tsx';
import { useSeeNews } from '../notifications/use-see-news.ts';
import { referralDashboard, useLiveReferrals } from '../referral-queries.ts';
import { DrawEntries } from './draw-entries.tsx';
import { MonthlyDraws } from './monthly-draws.tsx';
import { OwnNotices } from './own-notices.tsx';
import styles from './referral-dashboard.module.css';
import { ShareAndEarn } from './share-and-earn.tsx';
import { WinnerBanner } from './winner-banner.tsx';

const tabIds = ['entries', 'draws', 'share'] as const;
type TabId = (typeof tabIds)[number];

/** One's referrals, one's tickets, the draw, and how to get more. Needs `Queries` around it. */
export function ReferralDashboard() {
  const { user } = useSession();
  const { data, error } = useQuery(referralDashboard(user?._id));
  useLiveReferrals();
  useSeeNews(data !== undefined);
  if (data) return <Loaded data={data} />;
  if (error) return <Failed error={error} />;
  return (
    <div className="loading-view" role="status">
      <span className="spinner" aria-hidden="true" />
      <p>Loading your referral dashboard...</p>
    </div>
  );
}

function Failed({ error }: { error: Error }) {
  useEffect(() => toast('Failed to load referral data', 'error'), []);
  return (
    <div role="alert">
      <EmptyState title="Error Loading Dashboard" drawing="plug" level={1} action={<ButtonLink to={paths.browse}>Go Home</ButtonLink>}>
        <p>We couldn't load your referral dashboard. Please try again later.</p>
        <p>{error.message || 'Unknown error'}</p>
      </EmptyState>
    </div>
  );
}

function Loaded({ data }: { data: Dashboard }) {
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const chosen: TabId = tabIds.find((id) => id === search.get('tab')) ?? 'entries';
  const choose = (id: TabId) => setSearch(id === 'entries' ? {} : { tab: id }, { replace: true, preventScrollReset: true });
  const { fullName, username, email } = data.user;
  const tiles = [
    { name: 'Active Tickets', value: count(data.referralStats.activeDrawTickets) },
    { name: 'Referrals', value: count(data.referralStats.referralsCount) },
    { name: 'Prize Pool', value: prizeText, prize: true },
  ];
  return (
    <div className={styles.page}>
      <h1>Referral Dashboard</h1>
      <WinnerBanner status={data.winnerStatus} />
      <OwnNotices data={data} />
      <div className={styles.top}>
        <section className={`card ${styles.who}`} aria-label="You">
          <Avatar name={fullName || username} src={user?.avatar} size={56} />
          <div className={styles.whoText}>
            <strong>{fullName}</strong>
            <span className="muted">{username}</span>
            <span className="muted">{email}</span>
          </div>
        </section>
        <dl className={styles.tiles}>
          {tiles.map(({ name, value, prize }) => (
            <div key={name} className={`card ${styles.tile}`} data-prize={prize}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <NewsList />
      <section className={`card ${styles.how}`} aria-labelledby="how-it-works">
        <h2 id="how-it-works">How It Works</h2>
        <HowItWorks beside />
      </section>
      <Tabs
        label="Referral Dashboard"
        tabs={[
          { id: 'entries', name: 'Draw Entries', disabled: !user },
          { id: 'draws', name: 'Monthly Draws' },
          { id: 'share', name: 'Share & Earn', disabled: !user },
        ]}
        chosen={chosen}
        onChoose={choose}
      >
        {chosen === 'draws' ? (
          <MonthlyDraws data={data} />
        ) : chosen === 'share' ? (
          <ShareAndEarn data={data} />
        ) : (
          <DrawEntries data={data} />
        )}
      </Tabs>
      <TestPanel />
    </div>
  );
}
