import { count, counted } from '@handwise/contract/numbers';
import type { ReferralDashboard } from '@handwise/contract/referrals';
import { paths } from '@handwise/contract/paths';
import { prizeText } from '@handwise/contract/prize';
import { drawTimeZone } from '@handwise/contract/tickets';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { ownReferralCodeKey, readStored, writeStored } from '../../lib/browser-storage.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { useSession } from '../../lib/session/session.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { useFirstRows } from './first-rows.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { NewsList } from './notifications/news-list.tsx';
import { useSeeNews } from './notifications/use-see-news.ts';
import styles from './older-referral.module.css';
import { OwnCode } from './own-code.tsx';
import { referralDashboard, useLiveReferrals, useOwnCode } from './referral-queries.ts';
import { drawDateText, entryLabel, referralState } from './referral-view.ts';
import { ShareCode } from './share-code.tsx';
import { StateChip } from './state-chip.tsx';

const loadFailed = 'Failed to load referral data';
const firstEntries = 5;

/** One's code, who came by it, one's first entries and the next draw, on one page. Needs `Queries` around it. */
export function OlderReferral() {
  const { user } = useSession();
  const { data, error, isPending } = useQuery(referralDashboard(user?._id));
  useLiveReferrals();
  useSeeNews(data !== undefined);
  const failed = error !== null && data === undefined;
  useEffect(() => {
    if (failed) toast(loadFailed, 'error');
  }, [failed]);
  if (isPending) return <LoadingView />;
  return (
    <div className={styles.page}>
      <h1>Refer a friend</h1>
      {failed && (
        <Notice>
          {loadFailed}. You can still get your code below; <Link to={paths.contact}>tell us</Link> if this keeps happening.
        </Notice>
      )}
      <NewsList />
      <div className={styles.columns}>
        <div className={styles.column}>
          <YourCode known={data?.referralCode ?? ''} link={data?.referralLink} />
          <ReferredUsers referrals={data?.referrals ?? []} />
          <YourEntries entries={data?.drawEntries.entries ?? []} />
        </div>
        <div className={styles.column}>
          <section className={`card ${styles.part} ${styles.prize}`} aria-labelledby="monthly-draw">
            <h2 id="monthly-draw">Monthly Draw</h2>
            <p className={styles.amount}>{prizeText}</p>
            <p>{drawDateText(data?.currentDraw ?? {}, drawTimeZone)}</p>
            <p>
              <Link to={`${paths.referralDashboard}?tab=draws`}>See how long is left</Link>
            </p>
          </section>
          <section className={`card ${styles.part}`} aria-labelledby="how-it-works">
            <h2 id="how-it-works">How It Works</h2>
            <HowItWorks />
          </section>
        </div>
      </div>
    </div>
  );
}

function YourCode({ known, link }: { known: string; link: string | undefined }) {
  const { user } = useSession();
  const own = useOwnCode();
  const code = known || (own.data?.code ?? '');
  const get = () =>
    own.mutate(undefined, {
      onSuccess: ({ code: got }) => {
        const had = got === user?.referralCode || got === readStored(ownReferralCodeKey);
        writeStored(ownReferralCodeKey, got);
        toast(had ? 'Referral code retrieved!' : 'Referral code generated!');
      },
      onError: () => toast('Failed to retrieve referral code', 'error'),
    });
  return (
    <section className={`card ${styles.part}`} aria-labelledby="your-referral-code">
      <h2 id="your-referral-code">Your Referral Code</h2>
      {code ? (
        <>
          <OwnCode code={code} />
          <ShareCode
            code={code}
            senderName={user?.fullName || user?.name || ''}
            ways={['email', 'text', 'whatsapp']}
            {...(link && { link })}
          />
        </>
      ) : (
        <div>
          <Button busy={own.isPending} onClick={get}>
            Generate Referral Code
          </Button>
        </div>
      )}
    </section>
  );
}

function ReferredUsers({ referrals }: Pick<ReferralDashboard, 'referrals'>) {
  const { shown, more } = useFirstRows(referrals, 'referrals');
  return (
    <section className={`card ${styles.part}`} aria-labelledby="referred-users">
      <h2 id="referred-users">
        Your Referred Users <span className="muted">({count(referrals.length)})</span>
      </h2>
      {referrals.length === 0 ? (
        <p className="muted">You don't have any referred users yet.</p>
      ) : (
        <ul className={styles.rows}>
          {shown.map((one) => (
            <li key={one.id}>
              <span className={styles.name}>
                <strong>{one.referredUser.name}</strong>
                <span className="muted">{one.referredUser.username}</span>
              </span>
              <StateChip state={referralState(one.status)} />
            </li>
          ))}
        </ul>
      )}
      {more}
    </section>
  );
}

const YourEntries = ({ entries }: Pick<ReferralDashboard['drawEntries'], 'entries'>) => (
  <section className={`card ${styles.part}`} aria-labelledby="your-entries">
    <h2 id="your-entries">Your Draw Entries</h2>
    {entries.length === 0 ? (
      <p className="muted">You have no draw entries yet. Share your code to get the first one.</p>
    ) : (
      <ul className={styles.rows}>
        {entries.slice(0, firstEntries).map((entry) => (
          <li key={entry.id}>
            <span>{entryLabel(entry.source)}</span>
            <strong>{counted(entry.tickets, 'ticket')}</strong>
          </li>
        ))}
      </ul>
    )}
    <p>
      <Link to={paths.referralDashboard}>See all of it on the dashboard</Link>
    </p>
  </section>
);
