import { count, counted } from '@handwise/contract/numbers';
import type { ReferralDashboard as Dashboard, WinnerStatus } from '@handwise/contract/referrals/calls';
import { drawTimeZone, prizeText, referralTickets } from '@handwise/contract/draws/prize';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useSession } from '../../../lib/session/session.ts';
import { ButtonLink, Button } from '../../../ui/forms/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { DrawOpening } from '../../../ui/page/draw-opening.tsx';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { Avatar } from '../../../ui/pictures/avatar.tsx';
import { useSeeNews, useReferralNews } from '../notifications/use-see-news.ts';
import { referralDashboard, useLiveReferrals } from '../referral-queries.ts';
import { DrawEntries } from './draw-entries.tsx';
import { MonthlyDraws } from './monthly-draws.tsx';
import { OwnNotices } from './own-notices.tsx';
import styles from './referral-dashboard.module.css';
import { ShareAndEarn } from './share-and-earn.tsx';
import { formatDate, formatMoment, ownTimeZone } from '@handwise/contract/dates';
import { formatReferralMonth } from '../referral-view.ts';
import { useFirstRows } from '../first-rows.tsx';
import { formatNotice, mayTestNotices } from '../notifications/notice-list.ts';
import { clearNews, simulateNews } from '../notifications/referral-news.ts';
import { useRootData } from '../../../lib/root-data.ts';

const tabIds = ['entries', 'draws', 'share'] as const;
type TabId = (typeof tabIds)[number];

/** The user's referrals and tickets, the draw, and how to get more. Needs `Queries` around it. */
export function ReferralDashboard() {
  const { user } = useSession();
  const { data, error, refetch } = useQuery(referralDashboard(user?._id));
  useLiveReferrals();
  useSeeNews(data !== undefined);
  if (data) return <Loaded data={data} />;
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <div className="loading-view" role="status">
      <span className="spinner" aria-hidden="true" />
      <p>Loading your referral dashboard...</p>
    </div>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  useEffect(() => toast('Failed to load referral data', 'error'), []);
  return (
    <div role="alert">
      <EmptyState
        title="Error Loading Dashboard"
        drawing="plug"
        level={1}
        action={
          <>
            <Button onClick={onRetry}>Try Again</Button>
            <ButtonLink to={paths.browse} kind="secondary">
              Go Home
            </ButtonLink>
          </>
        }
      >
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
    { name: 'Prize Pool', value: prizeText(), prize: true },
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
        <DrawOpening />
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

/** For winners: the prize, and by when to claim it. Hidden once it is paid. */
export function WinnerBanner({ status: { isWinner, winningDraw } }: { status: WinnerStatus }) {
  if (!isWinner || !winningDraw || winningDraw.paymentStatus === 'paid') return null;
  const { prizeAmount, month, year, claimBy, paymentStatus } = winningDraw;
  const claimed = paymentStatus === 'claimed';
  return (
    <section className={styles.banner} aria-labelledby="winner">
      <div className={styles.words}>
        <h2 id="winner">
          You won ${count(prizeAmount)} in the draw of {formatReferralMonth(year, month)}
        </h2>
        <p>
          {claimed
            ? 'We have your bank details. The payment is on its way.'
            : `Claim it by ${formatDate(claimBy, drawTimeZone)}, or it goes to a reserve.`}
        </p>
      </div>
      <ButtonLink to={paths.claimPrize}>{claimed ? 'See your claim' : 'Claim your prize'}</ButtonLink>
    </section>
  );
}

const getSteps = () => [
  { title: 'Share Your Code', text: 'Send it to anyone with a trade, or a leaking tap.' },
  {
    title: 'Earn Tickets',
    text: `${counted(referralTickets.signup, 'ticket')} when someone signs up with it, and ${referralTickets.listing} when their first listing is live.`,
  },
  { title: 'Win Prizes', text: `Each ticket is one chance in the ${prizeText()} draw on the last day of the month.` },
];

/** Three steps from a code to a prize. */
const HowItWorks = ({ beside = false }: { beside?: boolean }) => (
  <ol className={styles.steps} data-beside={beside || undefined}>
    {getSteps().map(({ title, text }) => (
      <li key={title}>
        <strong>{title}</strong>
        <span className="muted">{text}</span>
      </li>
    ))}
  </ol>
);

/** New notifications, until the page is left or they are cleared. */
function NewsList() {
  const { recent } = useReferralNews();
  const { shown, more } = useFirstRows(recent, 'news', 4);
  if (recent.length === 0) return null;
  return (
    <section className={`card ${styles.news}`} aria-labelledby="referral-news">
      <div className={styles.head}>
        <h2 id="referral-news">New since your last visit</h2>
        <Button kind="quiet" size="sm" onClick={clearNews}>
          Clear these
        </Button>
      </div>
      <ul className={styles.list}>
        {shown.map((notice) => (
          <li key={notice.id}>
            <span>{formatNotice(notice)}</span>
            <span className={styles.when}>{formatMoment(notice.timestamp, ownTimeZone())}</span>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

/** Simulates a notification in this tab, for the sandbox and administrators. */
function TestPanel() {
  const { sandbox } = useRootData();
  const { user } = useSession();
  if (!mayTestNotices(sandbox, user?.role)) return null;
  return (
    <section className={styles.panel} aria-labelledby="test-notifications">
      <h2 className={styles.title} id="test-notifications">
        Test Referral Notifications
      </h2>
      <Button kind="secondary" size="sm" onClick={() => simulateNews('signup', new Date())}>
        Signup (1 Ticket)
      </Button>
      <Button kind="secondary" size="sm" onClick={() => simulateNews('listing', new Date())}>
        Listing (5 Tickets)
      </Button>
    </section>
  );
}
