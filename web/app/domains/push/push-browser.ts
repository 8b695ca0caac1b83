import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { toast } from '../../ui/feedback/toast.tsx';

/** Whether this browser can show notifications. An iPhone can once the site is on its home screen. */
export const canPush = () => !import.meta.env.SSR && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

export const isPushBlocked = () => canPush() && Notification.permission === 'denied';

export const ownPushDevices = queryOptions({
  queryKey: ['push-devices'],
  queryFn: async ({ signal }) => {
    const { subscriptions } = await call('GET /push/subscriptions', {}, signal);
    return subscriptions;
  },
  staleTime: 60_000,
});

const getWorker = async () => {
  const registration = (await navigator.serviceWorker.getRegistration()) ?? (await navigator.serviceWorker.register('/service-worker.js'));
  return registration.active ? registration : navigator.serviceWorker.ready;
};

/** Asks for permission, so call it from a press, and subscribes this browser. Throws with a sentence for the user. */
async function subscribeBrowser() {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted')
    throw new Error('Your browser does not allow notifications from this site. You can change that in its settings.');
  const [worker, { key }] = await Promise.all([getWorker(), call('GET /push/key', {})]);
  // A subscription with an earlier key cannot be used.
  await (await worker.pushManager.getSubscription())?.unsubscribe();
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return call('POST /push/subscriptions', { body: { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } } });
}

/** The server's side ends by itself with the session, or is ended by the caller. */
export async function unsubscribeBrowser() {
  if (!canPush()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Whether to offer notifications: never where they are on, blocked or impossible. */
export function useIsPushOffered(): boolean {
  const isPossible = canPush() && !isPushBlocked();
  const { data: devices } = useQuery({ ...ownPushDevices, enabled: isPossible });
  return isPossible && devices !== undefined && !devices.some(({ current }) => current);
}

export function useSubscribeBrowser() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: subscribeBrowser,
    onSuccess: async () => {
      toast('Notifications are on for this device');
      await queries.invalidateQueries({ queryKey: ownPushDevices.queryKey });
    },
    onError: (error) => toast(error.message, 'error'),
  });
}
