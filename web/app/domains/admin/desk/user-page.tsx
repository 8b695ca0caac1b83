import type { AdminDecision } from '@handwise/contract/admin/reports';
import { paths } from '@handwise/contract/paths';
import { decisionKinds, type Measure, opposites } from '@handwise/contract/admin/report-words';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { GiveTicketsDialog } from '../draws/give-tickets-dialog.tsx';
import styles from './admin.module.css';
import { decisions, userPage } from './admin-queries.ts';
import { aboutListing, DecideDialog, type DecidedAbout } from './decide-dialog.tsx';
import { ListingTable } from './search/listing-table.tsx';
import { LookDialog } from './look-dialog.tsx';
import { PaymentTable } from './search/payment-table.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { Scroll } from './scroll.tsx';
import { StateLabel } from './state-label.tsx';
import { timeText } from './time-text.ts';
import { UndoForm } from './undo-form.tsx';

/** One account: who it is, what it has, what was decided about it, and what can be done. */
export function UserPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(userPage(id));
  const told = useQuery(decisions({ concerned: id, limit: '100' }));
  const [about, setAbout] = useState<DecidedAbout | null>(null);
  const [open, setOpen] = useState<'look' | 'restore' | 'tickets' | null>(null);
  if (error) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingView />;
  const { user } = data;
  const isGone = user.deletedAt !== null;
  return (
    <div className={styles.stack}>
      <header className={styles.stack}>
        <h1>{user.fullName}</h1>
        <dl className={styles.facts}>
          <Fact name="Username">@{user.username}</Fact>
          <Fact name="Email">{user.email}</Fact>
          <Fact name="State">
            <StateLabel user={user} />
          </Fact>
          <Fact name="Since">{timeText(user.createdAt)}</Fact>
        </dl>
        {!isGone && (
          <div className={styles.actions}>
            {user.suspendedAt ? (
              <Button kind="secondary" size="sm" onClick={() => setOpen('restore')}>
                Restore the account
              </Button>
            ) : (
              <>
                <Button
                  kind="secondary"
                  size="sm"
                  onClick={() => setAbout({ kind: 'user', id, title: `@${user.username}`, concernedId: id })}
                >
                  Warn or suspend
                </Button>
                <Button kind="secondary" size="sm" onClick={() => setOpen('look')}>
                  View the site as {user.fullName}
                </Button>
                <Button kind="secondary" size="sm" onClick={() => setOpen('tickets')}>
                  Give tickets
                </Button>
              </>
            )}
            <Link to={`${paths.adminAudit}?subject=${id}`}>In the audit log</Link>
          </div>
        )}
      </header>
      <section className={styles.section}>
        <h2>Decisions</h2>
        {told.data && told.data.decisions.length > 0 ? (
          told.data.decisions.map((one) => <Decision key={one._id} decision={one} />)
        ) : (
          <p className="muted">None so far.</p>
        )}
      </section>
      <section className={styles.section}>
        <h2>Listings</h2>
        {data.listings.length > 0 ? (
          <Scroll label="Listings of the account">
            <ListingTable listings={data.listings} onDecide={(listing) => setAbout(aboutListing(listing))} />
          </Scroll>
        ) : (
          <p className="muted">None.</p>
        )}
      </section>
      <section className={styles.section}>
        <h2>Payments</h2>
        {data.payments.length > 0 ? (
          <Scroll label="Payments of the account">
            <PaymentTable payments={data.payments} />
          </Scroll>
        ) : (
          <p className="muted">None.</p>
        )}
      </section>
      <section className={styles.section}>
        <h2>Signed in on</h2>
        {data.sessions.length === 0 && <p className="muted">Nowhere.</p>}
        <ul className={styles.lines}>
          {data.sessions.map((session) => (
            <li key={session.createdAt}>
              {session.browser || 'An unknown browser'}, last used {timeText(session.lastUsedAt)}
            </li>
          ))}
        </ul>
        {data.looks.length > 0 && (
          <>
            <h3>Viewed by our staff</h3>
            <ul className={styles.lines}>
              {data.looks.map((look) => (
                <li key={look.begunAt}>
                  {look.by}, {timeText(look.begunAt)}: {look.reason}
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      <DecideDialog about={about} onClose={() => setAbout(null)} />
      <LookDialog user={user} open={open === 'look'} onClose={() => setOpen(null)} />
      <RestoreDialog user={user} open={open === 'restore'} onClose={() => setOpen(null)} />
      <GiveTicketsDialog user={user} open={open === 'tickets'} onClose={() => setOpen(null)} />
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Decision = ({ decision }: { decision: AdminDecision }) => (
  <article>
    <p>
      <strong>{decisionKinds[decision.decision].name}</strong>
      {decision.undone && ' (reversed)'}: {decision.about.title}
    </p>
    <p>{decision.reason}</p>
    <p className="muted">
      {decision.by.name}, {timeText(decision.createdAt)}
    </p>
    {decision.decision in opposites && !decision.undone && (
      <UndoForm id={decision._id} decision={decision.decision as Measure} title={decision.about.title} />
    )}
  </article>
);
