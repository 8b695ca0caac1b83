import type { OneSession } from '@handwise/contract/sign-in/calls';
import { useMutation, useQuery, queryOptions } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import styles from './security.module.css';
import { formatMoment, ownTimeZone } from '@handwise/contract/dates';

const ended = (error: Error) => error instanceof ApiError && error.code === 'session_not_found';

/** The member's sessions, each of which can be ended. */
export function Sessions() {
  const sessions = useQuery(ownSessions);
  const heading = useRef<HTMLHeadingElement>(null);
  const done = async (text: string) => {
    toast(text);
    // The pressed button is gone.
    heading.current?.focus();
    await sessions.refetch();
  };
  const endOne = useMutation({
    mutationFn: (id: string) => call('DELETE /auth/sessions/:id', { params: { id } }),
    onError: (error) => (ended(error) ? void sessions.refetch() : toast(error.message, 'error')),
    onSuccess: ({ message }) => done(message),
  });
  const endOthers = useMutation({
    mutationFn: () => call('DELETE /auth/sessions', {}),
    onError: (error) => toast(error.message, 'error'),
    onSuccess: ({ message }) => done(message),
  });

  if (sessions.isError && !sessions.data) return <ErrorDisplay error={sessions.error} onRetry={() => void sessions.refetch()} />;
  const running = sessions.data?.filter((one) => !one.look?.ended) ?? [];
  const looks = sessions.data?.filter((one) => one.look?.ended) ?? [];
  return (
    <section className={styles.section} aria-labelledby="sessions">
      <div className={styles.head}>
        <h2 id="sessions" ref={heading} tabIndex={-1}>
          Where you are signed in
        </h2>
        {running.length > 1 && (
          <Button kind="secondary" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out elsewhere
          </Button>
        )}
      </div>
      {!sessions.data && <Skeleton width="100%" height={84} radius="var(--radius)" />}
      <ul className={styles.list}>
        {running.map((one) => (
          <li key={one._id} className={`card ${styles.row}`}>
            <div className={styles.facts}>
              <p className={styles.name}>
                {one.look ? 'Our staff are viewing the site as you' : one.browser}
                {one.current && <span className={styles.badge}>This device</span>}
              </p>
              {one.look && <p>They cannot change anything. The reason: “{one.look.reason}”</p>}
              <p className={styles.detail}>
                Signed in on <Moment iso={one.createdAt} />, last used <Moment iso={one.lastUsedAt} />
              </p>
            </div>
            {!one.current && (
              <Button kind="quiet" size="sm" busy={endOne.isPending && endOne.variables === one._id} onClick={() => endOne.mutate(one._id)}>
                Sign out<span className="visually-hidden"> {one.look ? 'our staff' : one.browser}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {looks.length > 0 && <Looks looks={looks} />}
    </section>
  );
}

const Looks = ({ looks }: { looks: OneSession[] }) => (
  <>
    <h3>When our staff viewed the site as you</h3>
    <ul className={styles.plain}>
      {looks.map((one) => (
        <li key={one._id}>
          <Moment iso={one.createdAt} />: “{one.look?.reason}”. They could not change anything.
        </li>
      ))}
    </ul>
  </>
);

/** A moment in the reader's time zone, because it is about their own devices. */
export const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{formatMoment(iso, ownTimeZone())}</time>;

const ownSessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => {
    const { sessions } = await call('GET /auth/sessions', {}, signal);
    return sessions;
  },
  staleTime: 0,
});

export const ownSecurity = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => call('GET /auth/security', {}, signal),
  staleTime: 0,
});
