import { adminPaths } from '@handwise/contract/admin/paths';
import { DrawOpening } from '../../ui/page/draw-opening.tsx';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-draw';
import type { AdminDraw } from '@handwise/contract/draws/admin';
import { count } from '@handwise/contract/numbers';
import type { UnmetRule } from '@handwise/contract/tickets/calls';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ListSkeleton } from '../../ui/feedback/skeleton.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { placeName } from '@handwise/contract/draws/permits';
import styles from '../../domains/admin/desk/admin.module.css';
import { drawManagement, describeFailure, useRunDraw } from '../../domains/admin/draws/draw-queries.ts';
import { Scroll, formatTime } from '../../domains/admin/desk/list-parts.tsx';
import { formatDrawMonth, formatDrawPeriod, formatDrawPrize, winnerName, formatDrawStatus } from '../../domains/admin/draws/draw-words.ts';
import { PaymentState, WinnerDeeds, WinnerCard } from '../../domains/admin/draws/winner-card.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Button } from '../../ui/forms/button.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Draw management',
    description: 'The monthly draw and its payments.',
    path: adminPaths.drawManagement,
    noIndex: true,
  });

export default function AdminDrawPage() {
  return (
    <>
      <h1>Draw management</h1>
      <DrawManagement />
    </>
  );
}

/** This month's draw, past draws, and prizes to be paid. */
function DrawManagement() {
  const { data, error, refetch } = useQuery(drawManagement);
  useCompletion(data?.currentDraw);
  useEffect(() => {
    if (error) toast(describeFailure(error, 'Error fetching draw data'), 'error');
  }, [error]);
  if (error && !data) return <ErrorDisplay error="Error fetching draw data" onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const tiles = [
    { name: 'Participants', number: data.totalParticipants },
    { name: 'Entries', number: data.totalEntries },
    { name: 'Pending Payments', number: data.pendingPayments },
  ];
  return (
    <div className={styles.stack}>
      <ul className={styles.tiles}>
        {tiles.map(({ name, number }) => (
          <li key={name} className={`card ${styles.tile}`}>
            <span className={styles.number}>{count(number)}</span>
            <span>{name}</span>
          </li>
        ))}
      </ul>
      <CurrentDraw draw={data.currentDraw} />
      <DrawOpening />
      <UnmetRules rules={data.unmetRules} />
      <PastDraws draws={data.pastDraws} />
      <section className={styles.section}>
        <h2>Tickets by hand</h2>
        <p>
          Tickets for other reasons, such as a mistake of ours, are given on the page of an <Link to={adminPaths.users}>account</Link>. The
          person is told, and the audit log records who gave them and why.
        </p>
      </section>
    </div>
  );
}

/** Promotion rules that this month's draw does not meet; not part of its published terms. */
const UnmetRules = ({ rules }: { rules: readonly UnmetRule[] }) =>
  rules.length > 0 && (
    <section className={styles.section} aria-labelledby="unmet-rules">
      <h2 id="unmet-rules">Promotion rules not met</h2>
      <p>Found when this month began, by the rules listed in the terms. Ask a lawyer whether the draw can run as it is.</p>
      <ul className={styles.bullets}>
        {rules.map(({ place, what }) => (
          <li key={`${place} ${what}`}>
            {placeName(place)}: {what}
          </li>
        ))}
      </ul>
    </section>
  );

/** Announces the result of the draw. */
function useCompletion(draw: AdminDraw | undefined) {
  const waitedFor = useRef<string>(null);
  const [id, status] = [draw?._id ?? null, draw?.status];
  useEffect(() => {
    if (status === 'completed' && waitedFor.current === id) toast('Draw completed successfully');
    waitedFor.current = status === 'waiting' ? id : null;
  }, [id, status]);
}

const PastDraws = ({ draws }: { draws: readonly AdminDraw[] }) => (
  <section className={styles.section} aria-labelledby="past-draws">
    <h2 id="past-draws">Past Draws</h2>
    {draws.length === 0 ? (
      <p className="muted">No past draws yet</p>
    ) : (
      <Scroll label="Table of past draws">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Winner</th>
              <th scope="col">Prize</th>
              <th scope="col" data-number>
                Entries
              </th>
              <th scope="col">Payment Status</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {draws.map((draw) => (
              <tr key={draw._id}>
                <th scope="row">
                  <Link to={paths.draw(formatDrawPeriod(draw))}>{formatDrawMonth(draw)}</Link>
                  <span className={styles.aside}>{formatTime(draw.drawDate)}</span>
                </th>
                <td>
                  {winnerName(draw) ?? '–'}
                  {draw.winner?.userId && <span className={styles.aside}>{draw.winner.userId.email}</span>}
                </td>
                <td>{formatDrawPrize(draw)}</td>
                <td data-number>{count(draw.totalEntries)}</td>
                <td>
                  <PaymentState draw={draw} />
                </td>
                <td>
                  <WinnerDeeds draw={draw} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    )}
  </section>
);

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** This month's draw: entries, winner, and the button that runs it early. */
const CurrentDraw = ({ draw }: { draw: AdminDraw }) => (
  <section className={styles.section} aria-labelledby="current-draw">
    <h2 id="current-draw">Current Draw</h2>
    <dl className={styles.facts}>
      <Fact name="Month">{formatDrawMonth(draw)}</Fact>
      <Fact name="Status">
        <span role={draw.status === 'waiting' ? 'timer' : 'status'}>{formatDrawStatus(draw)}</span>
      </Fact>
      <Fact name="Prize">{formatDrawPrize(draw)}</Fact>
      <Fact name="Entries">{count(draw.totalEntries)}</Fact>
      <Fact name="Participants">{count(draw.totalParticipants)}</Fact>
      <Fact name="For everybody">
        <Link to={paths.draw(formatDrawPeriod(draw))}>Its public page</Link>
      </Fact>
    </dl>
    {draw.status === 'completed' && <WinnerCard draw={draw} />}
    {draw.status === 'pending' && <RunDraw />}
    {draw.status === 'waiting' && <p className="muted">This page updates by itself. Nobody can choose another round.</p>}
  </section>
);

function RunDraw() {
  const [asking, setAsking] = useState(false);
  const run = useRunDraw();
  async function confirmed() {
    setAsking(false);
    try {
      await run.mutateAsync({ body: {} });
    } catch (error) {
      toast(describeFailure(error, 'Error running draw'), 'error');
    }
  }
  return (
    <>
      <p>The draw runs automatically on the last day of the month. It can also be run manually.</p>
      <div className={styles.actions}>
        <Button kind="danger" size="sm" busy={run.isPending} onClick={() => setAsking(true)}>
          {run.isPending ? 'Running Draw...' : 'Run Draw Now'}
        </Button>
      </div>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Run Draw Now"
        actions={
          <>
            <Button kind="secondary" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button kind="danger" onClick={() => void confirmed()}>
              Run the draw
            </Button>
          </>
        }
      >
        <p>Are you sure you want to run the monthly draw? This will select a winner and cannot be undone.</p>
        <p>
          Its tickets are published straight away, with a round of public randomness that comes out about half a minute later. Tickets given
          after that are next month’s.
        </p>
      </Dialog>
    </>
  );
}
