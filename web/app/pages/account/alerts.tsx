import type { InputOf } from '@handwise/contract/calls';
import { paths } from '@handwise/contract/paths';
import { UnconfirmedBar } from '../../domains/accounts/unconfirmed-bar.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/alerts';
import { type Alert, alertNameForm, alertNameLength } from '@handwise/contract/alerts/calls';
import { useMutation, useQuery, useQueryClient, queryOptions } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../ui/feedback/reload-problem.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import styles from './alerts.module.css';
import { formatDate, ownTimeZone } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import { Link } from 'react-router';
import { FrequencySelect } from '../../domains/search/alerts/save-alert-button.tsx';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';
import { call } from '../../lib/api.ts';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Your alerts',
    description: 'The searches you keep, and what they found.',
    path: paths.alerts,
    noIndex: true,
  });

export default function AlertsPage() {
  return (
    <>
      <UnconfirmedBar />
      <AlertList />
    </>
  );
}

const failed = (error: Error) => toast(error.message, 'error');

/** The member's alerts, to rename, reschedule, pause or delete; a deleted one can be restored. */
function AlertList() {
  const queries = useQueryClient();
  const query = useQuery(ownAlerts);
  const heading = useRef<HTMLHeadingElement>(null);
  const [deleted, setDeleted] = useState<ReadonlyMap<string, Alert>>(new Map());
  const [named, setNamed] = useState<Alert | null>(null);
  const put = (alert: Alert) => queries.setQueryData(ownAlerts.queryKey, (all) => all?.map((one) => (one._id === alert._id ? alert : one)));
  const changing = useMutation({
    // Requests run one after the other, in the order of the presses.
    scope: { id: 'alerts' },
    mutationFn: ({ id, body }: { id: string; body: AlertChange }) => change(id, body),
    onSuccess: put,
    onError: failed,
  });
  const removing = useMutation({
    scope: { id: 'alerts' },
    mutationFn: ({ _id }: Alert) => remove(_id),
    onSuccess: (_, alert) => setDeleted((all) => new Map([...all, [alert._id, alert]])),
    onError: failed,
  });
  const restoring = useMutation({
    scope: { id: 'alerts' },
    mutationFn: ({ _id }: Alert) => restore(_id),
    onSuccess: (alert) => {
      setDeleted((all) => new Map([...all].filter(([id]) => id !== alert._id)));
      put(alert);
    },
    onError: failed,
  });

  if (query.isError && !query.data) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton width="100%" height={96} />;
  // A reloaded list no longer has the deleted alert.
  const loadedIds = new Set(query.data.map((one) => one._id));
  const alerts = [...query.data, ...[...deleted.values()].filter((one) => !loadedIds.has(one._id))].toSorted((a, b) =>
    b.createdAt.localeCompare(a.createdAt),
  );
  return (
    <section className={styles.section} aria-labelledby="alerts">
      <h2 id="alerts" ref={heading} tabIndex={-1}>
        Alerts
      </h2>
      <p className={styles.intro}>We email you new listings that match a search you keep. When there is nothing new, we send nothing.</p>
      <ReloadProblem query={query} />
      {alerts.length === 0 ? (
        <EmptyState title="No alerts yet" action={<ButtonLink to={paths.browse}>Browse services</ButtonLink>}>
          Search for what you need, and press “Email me new listings”.
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {alerts.map((alert) => (
            <li key={alert._id} className={`card ${styles.row}`}>
              {deleted.has(alert._id) ? (
                <div className={styles.deleted} role="status">
                  <p>
                    <strong>{alert.name}</strong> has been deleted.
                  </p>
                  <Button kind="secondary" size="sm" busy={restoring.isPending} onClick={() => restoring.mutate(alert)}>
                    Undo<span className="visually-hidden"> the deletion of {alert.name}</span>
                  </Button>
                </div>
              ) : (
                <AlertRow
                  alert={alert}
                  onChange={(body) => changing.mutate({ id: alert._id, body })}
                  onRename={() => setNamed(alert)}
                  onDelete={() => {
                    removing.mutate(alert);
                    heading.current?.focus({ preventScroll: true });
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <Dialog open={named !== null} onClose={() => setNamed(null)} title="Name your alert">
        {named && (
          <AlertName
            alert={named}
            onNamed={(alert) => {
              setNamed(null);
              put(alert);
            }}
          />
        )}
      </Dialog>
    </section>
  );
}

type AlertRowProps = { alert: Alert; onChange: (body: AlertChange) => void; onRename: () => void; onDelete: () => void };

/** One alert: its search, its frequency, and its last email. */
const AlertRow = ({ alert, onChange, onRename, onDelete }: AlertRowProps) => {
  const { name, query, frequency, isPaused, lastMail } = alert;
  const more = lastMail ? lastMail.total - lastMail.listings.length : 0;
  return (
    <>
      <div className={styles.head}>
        <h3>
          <Link to={`${paths.search}?${query}`}>{name}</Link>
        </h3>
        {isPaused ? (
          <span className={styles.paused}>Paused</span>
        ) : (
          <span className={styles.often}>
            By email
            <FrequencySelect
              value={frequency}
              label={`How often to email you about ${name}`}
              onChange={(next) => onChange({ frequency: next })}
            />
          </span>
        )}
      </div>
      {lastMail ? (
        <details className={styles.last}>
          <summary>
            Last email on <time dateTime={lastMail.sentAt}>{formatDate(lastMail.sentAt, ownTimeZone())}</time>:{' '}
            {counted(lastMail.total, 'new listing')}
          </summary>
          <ul>
            {lastMail.listings.map(({ _id, title }) => (
              <li key={_id}>
                <Link to={paths.listing(_id)}>{title}</Link>
              </li>
            ))}
            {more > 0 && <li>{lastMail.listings.length > 0 ? `And ${more} more` : 'No longer on the site'}</li>}
          </ul>
        </details>
      ) : (
        <p className={styles.none}>No email yet: nothing new has matched.</p>
      )}
      <div className={styles.buttons}>
        <Button kind="quiet" size="sm" onClick={onRename}>
          Rename<span className="visually-hidden"> {name}</span>
        </Button>
        <Button kind="quiet" size="sm" onClick={() => onChange({ isPaused: !isPaused })}>
          {isPaused ? 'Resume' : 'Pause'}
          <span className="visually-hidden"> {isPaused ? `with ${name}` : name}</span>
        </Button>
        <Button kind="quiet" size="sm" onClick={onDelete}>
          Delete<span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    </>
  );
};

function AlertName({ alert, onNamed }: { alert: Alert; onNamed: (alert: Alert) => void }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'alert-name',
    schema: alertNameForm,
    start: { name: alert.name },
    send: async (body) => onNamed(await change(alert._id, body)),
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <TextField label="Name" autoComplete="off" maxLength={alertNameLength} {...field('name')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Saving...' : 'Save'}
      </Button>
    </form>
  );
}

/** The member's saved searches. */
const ownAlerts = queryOptions({
  queryKey: ['alerts'],
  queryFn: async ({ signal }) => (await call('GET /alerts', {}, signal)).alerts,
  // Always refetched, because alerts are saved on other pages.
  staleTime: 0,
});

type AlertChange = InputOf<'PUT /alerts/:id'>['body'];

const change = (id: string, body: AlertChange) => call('PUT /alerts/:id', { params: { id }, body });
const remove = (id: string) => call('DELETE /alerts/:id', { params: { id } });
const restore = (id: string) => call('POST /alerts/:id/restore', { params: { id } });
