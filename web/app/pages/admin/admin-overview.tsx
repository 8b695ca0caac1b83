import type { OutputOf } from '@handwise/contract/calls';
import { adminPaths } from '@handwise/contract/admin/paths';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-overview';
import { count, counted } from '@handwise/contract/numbers';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { LoadingWords } from '../../lib/loading-view.tsx';
import { ListSkeleton, Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../ui/feedback/reload-problem.tsx';
import styles from '../../domains/admin/desk/admin.module.css';
import { overview, referrals, work } from '../../domains/admin/desk/admin-queries.ts';
import { WorkList } from '../../domains/admin/desk/work-list.tsx';
import { health } from '../../domains/site/health-queries.ts';
import { formatTime, Scroll, TableHead } from '../../domains/admin/desk/list-parts.tsx';
import { money } from '@handwise/contract/money';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Administration', description: 'What is waiting for administrators.', path: paths.admin, noIndex: true });

export default function AdminOverviewPage() {
  return (
    <>
      <h1>Administration</h1>
      <Work />
      <Overview />
    </>
  );
}

// The doctor takes seconds and makes test objects, so an answer counts for a while.
const healthMs = 10 * 60_000;

function Work() {
  const query = useQuery(work);
  const { data, error, refetch, dataUpdatedAt } = query;
  const checked = useQuery({ ...health, staleTime: healthMs });
  if (!data) return error ? <ErrorDisplay error={error} onRetry={() => void refetch()} /> : <ListSkeleton />;
  return (
    <>
      <ReloadProblem query={query} />
      <WorkList work={data} findings={checked.isError ? null : checked.data?.findings} now={dataUpdatedAt} />
    </>
  );
}

/** The sizes of the queues, with links, and the head of the audit log. */
function Overview() {
  const query = useQuery(overview);
  const { data, error, refetch } = query;
  // What is above comes first, so that nothing moves under a press.
  const { isPending } = useQuery(work);
  // Loaded separately, so that the other numbers neither wait for these nor move when they arrive.
  const held = useQuery(referrals({ status: 'held', page: '1' })).data?.counts;
  if (error && !data) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  if (!data || isPending) return <TilesSkeleton />;
  const tiles = [
    { to: adminPaths.reports, number: data.openReports, name: 'Open reports' },
    { to: adminPaths.appeals, number: data.openAppeals, name: 'Open objections' },
    { to: adminPaths.referrals, number: held?.held, name: 'Held referrals' },
    { to: `${adminPaths.referrals}?status=refused`, number: held?.refused, name: 'Refused referrals' },
    { to: `${adminPaths.users}?status=suspended`, number: data.suspendedAccounts, name: 'Suspended accounts' },
    { to: `${adminPaths.listings}?status=hidden`, number: data.hiddenListings, name: 'Hidden listings' },
    { to: `${adminPaths.payments}?status=refunded`, number: data.pendingRefunds, name: 'Refunds in progress' },
    { to: `${adminPaths.payments}?status=owed`, number: data.owedPayments, name: 'Failed refunds' },
    { to: `${adminPaths.disputes}?status=open`, number: data.openDisputes, name: 'Open disputes' },
  ];
  return (
    <div className={styles.stack}>
      <ReloadProblem query={query} />
      {data.refusedEvents > 0 && (
        <p role="status">
          Rejected in the last hour because the signature did not match: {counted(data.refusedEvents, 'message')} of the payment provider.{' '}
          {data.lastEventAt ? `The last one accepted came ${formatTime(data.lastEventAt)}.` : 'None has been accepted so far.'} If none
          comes, set STRIPE_WEBHOOK_SECRET to the secret of the provider’s endpoint.
        </p>
      )}
      <ul className={styles.tiles}>
        {tiles.map((tile) => (
          <li key={tile.to}>
            <Link to={tile.to} className={`card card-lift ${styles.tile}`}>
              <span className={styles.number}>{tile.number === undefined ? <NotKnown /> : count(tile.number)}</span>
              <span>{tile.name}</span>
            </Link>
          </li>
        ))}
      </ul>
      {data.foundPayments.length > 0 && <FoundPayments payments={data.foundPayments} />}
      <section className={styles.section}>
        <h2>Head of the audit log</h2>
        <p>
          Entry {count(data.head.number)}: <span className={styles.hash}>{data.head.hash}</span>
        </p>
        <p className="muted">
          It is also written to the server’s log each day. Keep a copy elsewhere, and it shows whether the log was ever rewritten.
        </p>
      </section>
      {held && held.everHeld > 0 && (
        <p className="muted">
          {counted(held.everHeld, 'referral')} held so far, {held.wronglyHeld} of them wrongly: they counted in the end.
        </p>
      )}
    </div>
  );
}

const TilesSkeleton = () => (
  <>
    <div role="status">
      <LoadingWords />
    </div>
    <div className={styles.tiles} aria-hidden="true">
      {Array.from({ length: 9 }, (_, index) => (
        <Skeleton key={index} width="100%" height={102} radius="var(--radius)" />
      ))}
    </div>
  </>
);

const NotKnown = () => (
  <>
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">Not known yet: </span>
  </>
);

type Found = OutputOf<'GET /admin/overview'>['foundPayments'][number];

const returns = {
  pending: 'Refund in progress',
  succeeded: 'Refunded',
  failed: 'Refund failed: send it by hand',
  canceled: 'Refund cancelled: send it by hand',
} as const;
const isUnsent = ({ refundStatus }: Found) => refundStatus === 'failed' || refundStatus === 'canceled';

/** Payments recovered after the database lost them, such as by a restore, with their outcomes. */
const FoundPayments = ({ payments }: { payments: readonly Found[] }) => (
  <section className={styles.section}>
    <h2>Payments found at the provider</h2>
    <p>Our database did not know these payments, as after a restore from a backup. Each was restored or refunded.</p>
    <Scroll label="Payments found at the provider">
      <table className={styles.table}>
        <TableHead columns={['At the provider', { number: 'Amount' }, 'What happened', 'Why', 'Found']} />
        <tbody>
          {payments.map((found) => (
            <tr key={found.intentId}>
              <th scope="row" className={styles.hash}>
                {found.outcome === 'rebuilt' ? <Link to={adminPaths.payment(found.paymentId)}>{found.intentId}</Link> : found.intentId}
              </th>
              <td data-number>{money(found.amountMinor, found.currency)}</td>
              <td>
                <span className={styles.state} data-bad={isUnsent(found) || undefined}>
                  {found.refundStatus ? returns[found.refundStatus] : 'Restored'}
                </span>
              </td>
              <td className={styles.words}>{found.reason}</td>
              <td data-time>{formatTime(found.foundAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </section>
);
