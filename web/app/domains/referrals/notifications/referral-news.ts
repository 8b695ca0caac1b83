import { paths } from '@handwise/contract/paths';
import { call } from '../../../lib/api.ts';
import { newTicketKey, readStored, removeStored } from '../../../lib/browser-storage.ts';
import { onLive } from '../../../lib/live/live-events.ts';
import { createSharedSubscription } from '../../../lib/live/shared-subscription.ts';
import { onSessionChange, readUser } from '../../../lib/session/stored-user.ts';
import { dismissToast, toast } from '../../../ui/feedback/toast.tsx';
import { type ReferralNotice, formatNotice, noticeTitle, withNotice, withoutSeen, withRead } from './notice-list.ts';

// The signed-in user's notifications: those not seen yet, and in `recent` those seen while the page is open.
type News = { unseen: readonly ReferralNotice[]; recent: readonly ReferralNotice[]; newTicket: boolean };

const nothing: News = { unseen: [], recent: [], newTicket: false };

let cached: { userId: string; news: News } | undefined;
// Seen in this tab: their toasts stay for their full time.
const seenHere = new Set<string>();

export const referralNews = (): News => (cached && cached.userId === readUser()?._id ? cached.news : nothing);
export const noNews = (): News => nothing;

/** The number on the badge: unseen notifications, plus the ticket of a registration just made. */
export const newsCount = ({ unseen, newTicket }: News): number => unseen.length + (newTicket ? 1 : 0);

function change(part: Partial<News>) {
  const userId = readUser()?._id;
  if (!userId) return;
  cached = { userId, news: { ...referralNews(), ...part } };
  subscription.notify();
}

async function reload(userId = readUser()?._id) {
  if (!userId) return;
  const before = referralNews().unseen;
  try {
    const { notifications } = await call('GET /referral/notifications', {});
    if (readUser()?._id !== userId) return;
    const arrivedMeanwhile = withoutSeen(
      referralNews().unseen,
      before.map(({ id }) => id),
    );
    change({ unseen: withRead(arrivedMeanwhile, notifications) });
  } catch {
    // The badge stays as it is until the next page or event.
  }
}

function begin() {
  const userId = readUser()?._id;
  if (!userId || cached?.userId === userId) return;
  change({ newTicket: readStored(newTicketKey) === 'true' });
  void reload(userId);
}

function announce(notice: ReferralNotice, onClose: () => void) {
  const link = { to: paths.referral, name: 'View Referral Dashboard' };
  toast({ id: notice.id, title: noticeTitle, text: formatNotice(notice), link, onClose }, 'prize');
}

function start() {
  const stops = [
    onLive('referral', (notice) => {
      change({ unseen: withNotice(referralNews().unseen, notice), recent: withNotice(referralNews().recent, notice) });
      announce(notice, () => void seeNews([notice.id]));
    }),
    onLive('referral-seen', ({ ids }) => {
      change({ unseen: withoutSeen(referralNews().unseen, ids) });
      for (const id of ids) if (!seenHere.has(id)) dismissToast(id);
    }),
    onLive('reset', () => void reload()),
    onSessionChange(begin),
  ];
  begin();
  return () => {
    for (const one of stops) one();
  };
}

const subscription = createSharedSubscription(start);

/** Calls the listener whenever the news changes, here or on the server. */
export const onNewsChange = subscription.subscribe;

/** Marks these as seen here and in every other tab. */
async function seeNews(ids: string[]) {
  for (const id of ids) seenHere.add(id);
  change({ unseen: withoutSeen(referralNews().unseen, ids) });
  // If this fails they appear again on the next page.
  await call('POST /referral/notifications/seen', { body: { ids } }).catch(() => {});
}

/** Marks everything as seen; called on pages that show the user's referrals. */
export function seeAllNews() {
  const { unseen, recent, newTicket } = referralNews();
  if (newTicket) {
    removeStored(newTicketKey);
    change({ newTicket: false });
  }
  if (unseen.length === 0) return;
  change({ recent: withRead(unseen, recent) });
  void seeNews(unseen.map(({ id }) => id));
}

/** Empties the list of recent notifications. */
export const clearNews = () => change({ recent: [] });

/** Shows a notification in this tab only. */
export function simulateNews(type: ReferralNotice['type'], now: Date) {
  const notice: ReferralNotice = {
    id: `simulated-${now.getTime()}`,
    type,
    timestamp: now.toISOString(),
    tickets: type === 'signup' ? 1 : 5,
  };
  change({ recent: withNotice(referralNews().recent, notice) });
  announce(notice, () => {});
}
