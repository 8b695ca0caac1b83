import type { WonDraw } from '@handwise/contract/draws/calls';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Navigate } from 'react-router';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { formatDrawDay } from '../draw-times.ts';
import { ClaimForm } from './claim-form.tsx';
import styles from './claim-prize.module.css';
import { winnerCheck } from './claim-queries.ts';
import { formatWonDate, formatWonPrize } from './claim-view.ts';

/** How a winner claims the prize. Others are redirected with a message. */
export function ClaimPrize() {
  const { data, error } = useQuery(winnerCheck);
  if (error) return <SentOn text="Error checking winner status" kind="error" />;
  if (!data) return <LoadingView />;
  if (!data.isWinner || !data.draw) return <SentOn text="You are not currently a draw winner" kind="info" />;
  return <Won draw={data.draw} />;
}

function SentOn({ text, kind }: { text: string; kind: 'info' | 'error' }) {
  useEffect(() => toast(text, kind), [text, kind]);
  return <Navigate to={paths.referral} replace />;
}

const Won = ({ draw }: { draw: WonDraw }) => (
  <div className={styles.page}>
    <header className={styles.head}>
      <h1>Congratulations! You've won the monthly draw</h1>
      <p className={styles.prize}>{formatWonPrize(draw)}</p>
      <p>Draw of {formatWonDate(draw)}</p>
    </header>
    <section className={`card ${styles.card}`} aria-live="polite">
      {draw.paymentStatus === 'pending' ? (
        <>
          <h2>Enter Your Payment Details</h2>
          <p className="muted">Please do so by {formatDrawDay(draw.claimBy)}. After that day, the prize goes to a reserve.</p>
          <ClaimForm draw={draw} />
        </>
      ) : (
        <>
          <h2>Payment Details Submitted</h2>
          <p>We'll process your payment within 3-5 business days.</p>
          {draw.paymentStatus === 'paid' && <p>Yours has been processed.</p>}
        </>
      )}
    </section>
    <section className={styles.notes}>
      <h2>Please note</h2>
      <ul>
        <li>Please check your banking details carefully: they can be submitted once.</li>
        <li>Processing takes 3-5 business days.</li>
        <li>
          If there is an issue with your payment, <Link to={paths.contact}>contact support</Link>.
        </li>
      </ul>
    </section>
  </div>
);
