import { adminPaths } from '@handwise/contract/admin/paths';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-user';
import { type AdminDecision, createDecisionCall } from '@handwise/contract/admin/reports';
import { decisionKinds, type Measure, opposites } from '@handwise/contract/admin/report-words';
import { useQuery } from '@tanstack/react-query';
import { startTransition, useState } from 'react';
import { Link } from 'react-router';
import { ListSkeleton } from '../../ui/feedback/skeleton.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import styles from '../../domains/admin/desk/admin.module.css';
import { decisions, userPage, useDecision } from '../../domains/admin/desk/admin-queries.ts';
import { aboutListing, DecideDialog, type DecidedAbout, UndoForm, Preview } from '../../domains/admin/desk/decision-form.tsx';
import { ListingTable, PaymentTable } from '../../domains/admin/desk/tables.tsx';
import { Loaded, Scroll, StateLabel, formatTime } from '../../domains/admin/desk/list-parts.tsx';
import { type FoundUser, startLookCall } from '@handwise/contract/admin/search';
import { lookMinutes } from '@handwise/contract/periods';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { beginLook } from '../../lib/session/stored-user.ts';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextArea, TextField } from '../../ui/forms/form-field.tsx';
import caseStyles from '../../domains/admin/desk/case.module.css';
import { giveEntryCall, maxGivenTickets } from '@handwise/contract/tickets/calls';
import { z } from 'zod';
import { toast } from '../../ui/feedback/toast.tsx';
import { useGiving } from '../../domains/admin/draws/draw-queries.ts';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'An account',
    description: 'One account and what belongs to it.',
    path: adminPaths.user(params.id),
    noIndex: true,
  });

export default function AdminUserPage({ params }: Route.ComponentProps) {
  return <UserPage key={params.id} id={params.id} />;
}

/** One account: its data, decisions about it, and actions. */
function UserPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(userPage(id));
  const pastDecisions = useQuery(decisions({ concerned: id, limit: '100' }));
  const [about, setAbout] = useState<DecidedAbout | null>(null);
  const [open, setOpen] = useState<'look' | 'restore' | 'tickets' | null>(null);
  if (!data) return error ? <ErrorDisplay error={error} onRetry={() => void refetch()} /> : <ListSkeleton />;
  const { user } = data;
  const isGone = user.deletedAt !== null;
  return (
    <div className={styles.stack}>
      {error && <ErrorDisplay error={error} onRetry={() => void refetch()} />}
      <header className={styles.stack}>
        <h1>{user.fullName}</h1>
        <dl className={styles.facts}>
          <Fact name="Username">@{user.username}</Fact>
          <Fact name="Email">{user.email}</Fact>
          <Fact name="State">
            <StateLabel user={user} />
          </Fact>
          <Fact name="Since">{formatTime(user.createdAt)}</Fact>
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
                  onClick={() => startTransition(() => setAbout({ kind: 'user', id, title: `@${user.username}`, concernedId: id }))}
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
            <Link to={`${adminPaths.audit}?subject=${id}`}>In the audit log</Link>
          </div>
        )}
      </header>
      <section className={styles.section}>
        <h2>Decisions</h2>
        <Loaded query={pastDecisions}>
          {({ decisions: past }) =>
            past.length > 0 ? past.map((one) => <Decision key={one._id} decision={one} />) : <p className="muted">None so far.</p>
          }
        </Loaded>
      </section>
      <section className={styles.section}>
        <h2>Listings</h2>
        {data.listings.length > 0 ? (
          <Scroll label="Listings of the account">
            <ListingTable listings={data.listings} onDecide={(listing) => startTransition(() => setAbout(aboutListing(listing)))} />
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
              {session.browser || 'An unknown browser'}, last used {formatTime(session.lastUsedAt)}
            </li>
          ))}
        </ul>
        {data.looks.length > 0 && (
          <>
            <h3>Viewed by our staff</h3>
            <ul className={styles.lines}>
              {data.looks.map((look) => (
                <li key={look.begunAt}>
                  {look.by}, {formatTime(look.begunAt)}: {look.reason}
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
      {decision.by?.name ?? 'A register’s answer'}, {formatTime(decision.createdAt)}
    </p>
    {decision.decision in opposites && !decision.undone && (
      <UndoForm id={decision._id} decision={decision.decision as Measure} title={decision.about.title} />
    )}
  </article>
);

type LookDialogProps = { user: FoundUser; open: boolean; onClose: () => void };

/** Starts viewing the site as another user. */
const LookDialog = ({ user, open, onClose }: LookDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`View the site as ${user.fullName}`}>
    <LookForm user={user} />
  </Dialog>
);

function LookForm({ user }: { user: FoundUser }) {
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'look',
    schema: startLookCall.body,
    start: { reason: '' },
    send: async (body) => {
      const { data, endsAt } = await call('POST /admin/users/:id/look', { params: { id: user._id }, body });
      beginLook(data, { endsAt });
      // A full page load, so that no administrator's data stays in memory.
      location.assign(paths.browse);
    },
  });
  return (
    <form {...form} className={caseStyles.form}>
      <ErrorSummary {...summary} />
      <p>
        For {lookMinutes} minutes you see what {user.fullName} sees. You cannot change anything, and nothing is marked as seen. They will
        find this visit and its reason among their sessions, and it is recorded in the audit log.
      </p>
      <TextArea label="Reason" rows={3} hint={`${user.fullName} will read this, word for word.`} {...field('reason')} />
      <Button type="submit" busy={busy}>
        {busy ? 'One moment…' : 'Start viewing'}
      </Button>
    </form>
  );
}

type RestoreDialogProps = { user: FoundUser; open: boolean; onClose: () => void };

/** Restores a suspended account. */
const RestoreDialog = ({ user, open, onClose }: RestoreDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`Restore the account of ${user.fullName}`}>
    <RestoreForm user={user} onDone={onClose} />
  </Dialog>
);

function RestoreForm({ user, onDone }: { user: FoundUser; onDone: () => void }) {
  const [reason, setReason] = useState('');
  const decision = useDecision();
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'restore',
    schema: createDecisionCall.body.pick({ reason: true }),
    start: { reason: '' },
    send: async (values) => {
      await decision.mutateAsync({ body: { ...values, decision: 'restore_account', kind: 'user', id: user._id } });
      onDone();
    },
    onChange: (values) => setReason(values.reason),
  });
  return (
    <form {...form} className={caseStyles.form}>
      <ErrorSummary {...summary} />
      <TextArea label="Reason" rows={3} hint="The person concerned will read this, word for word." {...field('reason')} />
      <Preview by="The person concerned" notice={decisionKinds.restore_account.notice} title={`@${user.username}`} reason={reason} />
      <Button type="submit" busy={busy}>
        {busy ? 'Sending…' : 'Restore the account'}
      </Button>
    </form>
  );
}

type GiveTicketsDialogProps = { user: FoundUser; open: boolean; onClose: () => void };

// The field is text; the contract's schema checks the number.
const schema = z.object({ tickets: z.string(), reason: z.string() }).check((context) => {
  const { tickets, reason } = context.value;
  const checked = giveEntryCall.body
    .pick({ tickets: true, reason: true })
    .safeParse({ tickets: /^\d+$/.test(tickets.trim()) ? Number(tickets) : tickets, reason });
  for (const issue of checked.error?.issues ?? [])
    context.issues.push({ code: 'custom', input: context.value, path: [...issue.path], message: issue.message });
});

/** Gives a user tickets for this month's draw, as entries of the kind "other". */
const GiveTicketsDialog = ({ user, open, onClose }: GiveTicketsDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`Give ${user.fullName} tickets`}>
    <GiveForm user={user} onDone={onClose} />
  </Dialog>
);

function GiveForm({ user, onDone }: { user: FoundUser; onDone: () => void }) {
  const giving = useGiving();
  const { form, field, summary, busy } = useCheckedForm<z.infer<typeof schema>>({
    name: 'give-tickets',
    schema,
    start: { tickets: '', reason: '' },
    send: async ({ tickets, reason }) => {
      const { message } = await giving.mutateAsync({ body: { userId: user._id, tickets: Number(tickets), reason } });
      toast(message);
      onDone();
    },
  });
  return (
    <form {...form} className={caseStyles.form}>
      <ErrorSummary {...summary} />
      <p>They take part in this month’s draw like any others. This cannot be undone here.</p>
      <TextField label="Tickets" inputMode="numeric" autoComplete="off" hint={`1 to ${maxGivenTickets}`} {...field('tickets')} />
      <TextArea label="Reason" rows={3} hint={`${user.fullName} will read this, word for word.`} {...field('reason')} />
      <Button type="submit" busy={busy}>
        {busy ? 'Sending…' : 'Give the tickets'}
      </Button>
    </form>
  );
}
