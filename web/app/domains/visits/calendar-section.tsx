import { formatDate, ownTimeZone } from '@handwise/contract/dates';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy-button.tsx';
import styles from './visits.module.css';

const feedState = queryOptions({
  queryKey: ['visit-feed'],
  queryFn: ({ signal }) => call('GET /visits/feed', {}, signal),
});

/** The secret address under which a calendar reads one's visits. */
export function CalendarSection({ className }: { className: string | undefined }) {
  const client = useQueryClient();
  const { data, isError, refetch } = useQuery(feedState);
  const [url, setUrl] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  const onError = (problem: Error) => toast(problem.message, 'error');
  const show = useMutation({
    mutationFn: (renew: boolean) => call('POST /visits/feed', { body: { renew } }),
    onSuccess: (feed, renew) => {
      client.setQueryData(feedState.queryKey, { createdAt: feed.createdAt });
      setUrl(feed.url);
      if (renew) toast('There is a new address. The old one has ended.');
      heading.current?.focus();
    },
    onError,
  });
  const end = useMutation({
    mutationFn: () => call('DELETE /visits/feed', {}),
    onSuccess: (state) => {
      client.setQueryData(feedState.queryKey, state);
      setUrl(undefined);
      toast('The address has ended');
      heading.current?.focus();
    },
    onError,
  });
  return (
    <section className={className} aria-labelledby="calendar">
      <h2 id="calendar" ref={heading} tabIndex={-1}>
        Visits in your calendar
      </h2>
      <p>
        A calendar that reads this address shows the visits you have agreed on, and what is moved or cancelled. Anyone who has the address
        can read them, so keep it to yourself.
      </p>
      {!data && isError && <LoadProblem text="Your calendar address could not be loaded." onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton width="100%" height={28} />}
      {data && data.createdAt === null && (
        <div>
          <Button kind="secondary" busy={show.isPending} onClick={() => show.mutate(false)}>
            Create an address
          </Button>
        </div>
      )}
      {data && data.createdAt !== null && (
        <>
          <p className={styles.small}>There is one since {formatDate(data.createdAt, ownTimeZone())}.</p>
          {url !== undefined && (
            <>
              <p className={styles.address}>{url}</p>
              <p>
                <a href={url.replace(/^https?:/, 'webcal:')}>Open in your calendar app</a>
              </p>
            </>
          )}
          <div className={styles.actions}>
            {url === undefined ? (
              <Button kind="secondary" busy={show.isPending} onClick={() => show.mutate(false)}>
                Show the address
              </Button>
            ) : (
              <CopyButton
                text={url}
                label="Copy the address"
                copiedMessage="The address is copied"
                failedMessage="The address could not be copied. Select it and copy it yourself."
              />
            )}
            <Button kind="quiet" busy={show.isPending} onClick={() => show.mutate(true)}>
              Get a new one
            </Button>
            <Button kind="quiet" busy={end.isPending} onClick={() => end.mutate()}>
              End it
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
