import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Session from '../../../lib/session/stored-user.ts';
import type { ReferralNotice } from './notice-list.ts';
import type * as News from './referral-news.ts';
import { stubLocalStorage } from '../../../lib/testing/local-storage.ts';
import { until } from '../../../lib/testing/until.ts';

type Listeners = { referral: (notice: ReferralNotice) => void; 'referral-seen': (seen: { ids: string[] }) => void; reset: () => void };
type Toasted = { id: string; title: string; text: string; link: { to: string; name: string }; onClose: () => void };

let news: typeof News;
let session: typeof Session;
let listeners: Listeners;
let toasted: Toasted[];
let dismissed: string[];
let stored: Map<string, string>;
/** The notices that the server has as unseen. */
let unseen: ReferralNotice[];
let requests: string[];
/** What the next answers wait for. */
let loading: Promise<void> | undefined;

const notice = (id: string, type: ReferralNotice['type'] = 'signup'): ReferralNotice => ({
  id,
  type,
  timestamp: '2026-11-22T01:00:00.000Z',
  tickets: type === 'signup' ? 1 : 5,
});
const signIn = (id: string) => session.storeUser({ _id: id, token: `token-of-${id}` } as Parameters<typeof session.storeUser>[0]);
const ids = (notices: readonly ReferralNotice[]) => notices.map(({ id }) => id);

beforeEach(async () => {
  vi.resetModules();
  listeners = { referral: () => {}, 'referral-seen': () => {}, reset: () => {} };
  toasted = [];
  dismissed = [];
  stored = new Map();
  unseen = [];
  requests = [];
  loading = undefined;
  vi.doMock('../../../lib/live/live-events.ts', () => ({
    onLive: (kind: keyof Listeners, listener: never) => {
      listeners[kind] = listener;
      return () => {};
    },
  }));
  vi.doMock('../../../ui/feedback/toast.tsx', () => ({
    toast: (words: Toasted) => toasted.push(words),
    dismissToast: (id: string) => dismissed.push(id),
  }));
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  stubLocalStorage(stored);
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string }) => {
    requests.push(url);
    if (!url.endsWith('/seen')) {
      const notifications = unseen;
      await loading;
      return new Response(JSON.stringify({ notifications }));
    }
    const seen = (JSON.parse(body ?? '{}') as { ids: string[] }).ids;
    unseen = unseen.filter(({ id }) => !seen.includes(id));
    return new Response(JSON.stringify({ seen: seen.length }));
  });
  session = await import('../../../lib/session/stored-user.ts');
  news = await import('./referral-news.ts');
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock('../../../lib/live/live-events.ts');
  vi.doUnmock('../../../ui/feedback/toast.tsx');
});

/** Lets the next answers wait until they are given. */
function holdUp() {
  let give = () => {};
  loading = new Promise((resolve) => (give = resolve));
  return () => give();
}
const shown = () => news.newsCount(news.referralNews());

test('counts notices from earlier on the badge, without a toast', async () => {
  unseen = [notice('two'), notice('one')];
  signIn('mere');
  news.onNewsChange(() => {});
  await until(() => expect(shown()).toBe(2));
  expect(toasted).toEqual([]);
  expect(requests).toHaveLength(1);
});

test('shows a live notice as a toast with a link to the dashboard, and counts it', async () => {
  signIn('mere');
  news.onNewsChange(() => {});
  await until(() => expect(requests).toHaveLength(1));
  listeners.referral(notice('one', 'listing'));
  expect(toasted[0]).toMatchObject({
    id: 'one',
    title: 'New Referral!',
    text: "Someone just created a listing using your referral code! You've earned 5 tickets for the $1,000 monthly draw.",
    link: { to: '/referral', name: 'View Referral Dashboard' },
  });
  expect(shown()).toBe(1);
});

test('marks a notice as seen when its toast is closed', async () => {
  unseen = [notice('one')];
  signIn('mere');
  news.onNewsChange(() => {});
  await until(() => expect(shown()).toBe(1));
  listeners.referral(notice('one'));
  toasted[0]?.onClose();
  expect(shown()).toBe(0);
  await until(() => expect(unseen).toEqual([]));
});

test('clears the badge on the referrals page, and lists the news until it is cleared', async () => {
  unseen = [notice('one')];
  stored.set('hasNewReferralTicket', 'true');
  signIn('mere');
  news.onNewsChange(() => {});
  await until(() => expect(shown()).toBe(2));
  news.seeAllNews();
  expect(shown()).toBe(0);
  expect(ids(news.referralNews().recent)).toEqual(['one']);
  expect(stored.has('hasNewReferralTicket')).toBe(false);
  await until(() => expect(unseen).toEqual([]));
  news.clearNews();
  expect(news.referralNews().recent).toEqual([]);
});

test('dismisses the toast of a notice seen in another tab, and keeps one seen here', async () => {
  signIn('mere');
  news.onNewsChange(() => {});
  await until(() => expect(requests).toHaveLength(1));
  listeners.referral(notice('elsewhere'));
  listeners['referral-seen']({ ids: ['elsewhere'] });
  expect([shown(), dismissed]).toEqual([0, ['elsewhere']]);
  listeners.referral(notice('here'));
  news.seeAllNews();
  listeners['referral-seen']({ ids: ['here'] });
  expect(dismissed).toEqual(['elsewhere']);
});

test('refetches after a reconnect, and keeps notices that arrive meanwhile', async () => {
  unseen = [notice('one')];
  signIn('mere');
  news.onNewsChange(() => {});
  await until(() => expect(shown()).toBe(1));
  unseen = [notice('two')];
  listeners.reset();
  listeners.referral(notice('three'));
  await until(() => expect(ids(news.referralNews().unseen)).toEqual(['three', 'two']));
});

test("shows the next user nothing of the previous one's", async () => {
  unseen = [notice('one')];
  signIn('mere');
  news.onNewsChange(() => {});
  await until(() => expect(shown()).toBe(1));
  unseen = [];
  signIn('tama');
  expect(shown()).toBe(0);
  await until(() => expect(requests).toHaveLength(2));
  expect(shown()).toBe(0);
});

test('shows the next user nothing that was still loading for the previous one, but all of their own', async () => {
  unseen = [notice('of-mere')];
  const giveFirst = holdUp();
  signIn('mere');
  const shownIds = new Set<string>();
  news.onNewsChange(() => {
    for (const id of ids(news.referralNews().unseen)) shownIds.add(id);
  });
  await until(() => expect(requests).toHaveLength(1));
  unseen = [notice('of-tama')];
  const giveSecond = holdUp();
  signIn('tama');
  await until(() => expect(requests).toHaveLength(2));
  giveFirst();
  giveSecond();
  await until(() => expect(shown()).toBeGreaterThan(0));
  expect(shownIds).toEqual(new Set(['of-tama']));
});

test('simulates a notice without requests', async () => {
  signIn('mere');
  news.onNewsChange(() => {});
  await until(() => expect(requests).toHaveLength(1));
  news.simulateNews('signup', new Date('2026-11-22T01:00:00.000Z'));
  toasted[0]?.onClose();
  expect(toasted[0]?.title).toBe('New Referral!');
  expect(ids(news.referralNews().recent)).toEqual(['simulated-1795309200000']);
  expect([shown(), requests.length]).toEqual([0, 1]);
});
