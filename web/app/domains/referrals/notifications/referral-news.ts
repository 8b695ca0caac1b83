import type { listReferralNotifications, seeReferralNotifications } from '@handwise/contract/referrals/notifications';
import { paths } from '@handwise/contract/paths';
import { call } from '../../../lib/api.ts';
import { newTicketKey, readStored, removeStored } from '../../../lib/browser-storage.ts';
import { followers } from '../../../lib/live/followers.ts';
import { onLive } from '../../../lib/live/live-events.ts';
import { onSessionChange, readUser } from '../../../lib/session/stored-user.ts';
import { dismissToast, toast } from '../../../ui/feedback/toast.tsx';
import { type Notice, noticeText, noticeTitle, withNotice, withoutSeen, withRead } from './notice-list.ts';

// What came of one's code and was not seen yet, of the user who is signed in now. `recent` keeps what was seen while the page is open.
type News = { unseen: readonly Notice[]; recent: readonly Notice[]; newTicket: boolean };

const nothing: News = { unseen: [], recent: [], newTicket: false };

let known: { userId: string; news: News } | undefined;
// What was seen in this tab: its toast stays for its time.
const seenHere = new Set<string>();

export const referralNews = (): News => (known && known.userId === readUser()?._id ? known.news : nothing);
export const noNews = (): News => nothing;

/** The number on the badge: what was not seen, and the ticket of the registration just now. */
export const newsCount = ({ unseen, newTicket }: News): number => unseen.length + (newTicket ? 1 : 0);

function change(part: Partial<News>) {
  const userId = readUser()?._id;
  if (!userId) return;
  known = { userId, news: { ...referralNews(), ...part } };
  followed.tell();
}

async function readAnew(userId = readUser()?._id) {
  if (!userId) return;
  const before = referralNews().unseen;
  try {
    const { notifications } = await call<typeof listReferralNotifications>({ method: 'GET', url: '/referral/notifications' }, {});
    if (readUser()?._id !== userId) return;
    const toldMeanwhile = withoutSeen(
      referralNews().unseen,
      before.map(({ id }) => id),
    );
    change({ unseen: withRead(toldMeanwhile, notifications) });
  } catch {
    // The badge stays as it is; the next page or event brings it.
  }
}

function begin() {
  const userId = readUser()?._id;
  if (!userId || known?.userId === userId) return;
  change({ newTicket: readStored(newTicketKey) === 'true' });
  void readAnew(userId);
}

function tell(notice: Notice, onClose: () => void) {
  const link = { to: paths.referral, name: 'View Referral Dashboard' };
  toast({ id: notice.id, title: noticeTitle, text: noticeText(notice), link, onClose }, 'prize');
}

function start() {
  const stops = [
    onLive('referral', (notice) => {
      change({ unseen: withNotice(referralNews().unseen, notice), recent: withNotice(referralNews().recent, notice) });
      tell(notice, () => void seeNews([notice.id]));
    }),
    onLive('referral-seen', ({ ids }) => {
      change({ unseen: withoutSeen(referralNews().unseen, ids) });
      for (const id of ids) if (!seenHere.has(id)) dismissToast(id);
    }),
    onLive('reset', () => void readAnew()),
    onSessionChange(begin),
  ];
  begin();
  return () => {
    for (const one of stops) one();
  };
}

const followed = followers(start);

/** Calls the listener whenever the news change, also by what happens on the server. */
export const onNewsChange = followed.add;

/** Says that these were seen, here and in every other tab. */
async function seeNews(ids: string[]) {
  for (const id of ids) seenHere.add(id);
  change({ unseen: withoutSeen(referralNews().unseen, ids) });
  // They come again with the next page where this does not get through.
  await call<typeof seeReferralNotifications>({ method: 'POST', url: '/referral/notifications/seen' }, { body: { ids } }).catch(() => {});
}

/** On pages that show one's referrals: all of it has been seen, and the red badge has done its work. */
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

/** Empties the list of what was seen. */
export const clearNews = () => change({ recent: [] });

/** As if something had come, in this tab only. */
export function simulateNews(type: Notice['type'], now: Date) {
  const notice: Notice = { id: `simulated-${now.getTime()}`, type, timestamp: now.toISOString(), tickets: type === 'signup' ? 1 : 5 };
  change({ recent: withNotice(referralNews().recent, notice) });
  tell(notice, () => {});
}
