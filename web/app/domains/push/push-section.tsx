import type { PushDevice } from '@handwise/contract/push/calls';
import { formatMoment, ownTimeZone } from '@handwise/contract/dates';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../lib/api.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { canPush, isPushBlocked, ownPushDevices, unsubscribeBrowser, useSubscribeBrowser } from './push-browser.ts';
import styles from './push-section.module.css';

/** The devices that get notifications, each with its choices. */
export function PushSection({ className }: { className: string | undefined }) {
  const { data: devices, error, refetch } = useQuery(ownPushDevices);
  const queries = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const subscribing = useSubscribeBrowser();
  const setDevices = (change: (all: PushDevice[]) => PushDevice[]) =>
    queries.setQueryData(ownPushDevices.queryKey, (all: PushDevice[] | undefined) => change(all ?? []));
  const onError = (problem: Error) => {
    toast(problem.message, 'error');
    void refetch();
  };
  const update = useMutation({
    // Presses are sent one after the other, so that the last one counts.
    scope: { id: 'push' },
    mutationFn: ({ _id: id, showsText }: PushDevice) => call('PUT /push/subscriptions/:id', { params: { id }, body: { showsText } }),
    onSuccess: (saved) => {
      setDevices((all) => all.map((one) => (one._id === saved._id ? saved : one)));
      toast('Your choice is saved');
    },
    onError,
  });
  const end = useMutation({
    mutationFn: async ({ _id: id, current }: PushDevice) => {
      const answer = await call('DELETE /push/subscriptions/:id', { params: { id } });
      if (current) await unsubscribeBrowser().catch(() => {});
      return answer;
    },
    onSuccess: ({ message }, { _id: id }) => {
      setDevices((all) => all.filter((one) => one._id !== id));
      toast(message);
      // The pressed button is gone.
      heading.current?.focus();
    },
    onError,
  });
  const isOn = devices?.some(({ current }) => current) ?? false;
  return (
    <section className={className} aria-labelledby="notifications">
      <h2 id="notifications" ref={heading} tabIndex={-1}>
        Notifications on your devices
      </h2>
      <p>Get a notification for messages, quotes and draw results. Signing out turns it off.</p>
      {error && !devices && <ErrorDisplay error={error} onRetry={() => void refetch()} />}
      {!devices && !error && <Skeleton width="100%" height={28} />}
      {devices && devices.length > 0 && (
        <ul className={styles.devices}>
          {devices.map((one) => (
            <li key={one._id} className={styles.device}>
              <p>
                <strong>{one.browser}</strong>
                {one.current && <span className={styles.badge}>This device</span>}
              </p>
              <p className={styles.detail}>
                On since <Moment iso={one.createdAt} />
                {one.lastUsedAt && (
                  <>
                    , last notification <Moment iso={one.lastUsedAt} />
                  </>
                )}
              </p>
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  checked={update.isPending && update.variables._id === one._id ? update.variables.showsText : one.showsText}
                  onChange={({ target }) => update.mutate({ ...one, showsText: target.checked })}
                />
                Show who wrote and what, also on a locked screen
              </label>
              <div>
                <Button kind="quiet" size="sm" busy={end.isPending && end.variables._id === one._id} onClick={() => end.mutate(one)}>
                  Turn off<span className="visually-hidden"> on {one.browser}</span>
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {devices && !isOn && canPush() && !isPushBlocked() && (
        <div>
          <Button kind="secondary" busy={subscribing.isPending} onClick={() => subscribing.mutate()}>
            {subscribing.isPending ? 'Turning on...' : 'Turn on for this device'}
          </Button>
        </div>
      )}
      {devices && !isOn && isPushBlocked() && (
        <p className={styles.detail}>This browser blocks notifications from us. You can allow them in its settings for this site.</p>
      )}
      {devices && !isOn && !canPush() && (
        <p className={styles.detail}>
          This browser cannot show notifications. On an iPhone or iPad, add this site to the home screen first.
        </p>
      )}
    </section>
  );
}

const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{formatMoment(iso, ownTimeZone())}</time>;
