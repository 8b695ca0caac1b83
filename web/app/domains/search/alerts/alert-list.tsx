import { paths } from '@handwise/contract/paths';
import type { Alert } from '@handwise/contract/alerts/calls';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Button, ButtonLink } from '../../../ui/forms/button.tsx';
import styles from './alert-list.module.css';
import { AlertName } from './alert-name.tsx';
import { type AlertChange, change, ownAlerts, remove, restore } from './alert-queries.ts';
import { AlertRow } from './alert-row.tsx';

const failed = (error: Error) => toast(error.message, 'error');

/** One's alerts: name them, change how often they mail, pause and delete them. A deleted one stays in its place to be taken back. */
export function AlertList() {
  const queries = useQueryClient();
  const query = useQuery(ownAlerts);
  const heading = useRef<HTMLHeadingElement>(null);
  const [deleted, setDeleted] = useState<ReadonlyMap<string, Alert>>(new Map());
  const [named, setNamed] = useState<Alert | null>(null);
  const put = (alert: Alert) => queries.setQueryData(ownAlerts.queryKey, (all) => all?.map((one) => (one._id === alert._id ? alert : one)));
  const changing = useMutation({
    // Pressed twice, the second wish follows the first.
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

  if (query.isError) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton width="100%" height={96} />;
  // Read anew meanwhile, the list no longer has what was deleted here.
  const known = new Set(query.data.map((one) => one._id));
  const alerts = [...query.data, ...[...deleted.values()].filter((one) => !known.has(one._id))].toSorted((a, b) =>
    b.createdAt.localeCompare(a.createdAt),
  );
  return (
    <section className={styles.section} aria-labelledby="alerts">
      <h2 id="alerts" ref={heading} tabIndex={-1}>
        Alerts
      </h2>
      <p className={styles.intro}>We email you new listings that match a search you keep. When there is nothing new, we send nothing.</p>
      {alerts.length === 0 ? (
        <EmptyState title="No alerts yet" action={<ButtonLink to={paths.browse}>Browse services</ButtonLink>}>
          Search for what you need, and press “Tell me about new ones”.
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
