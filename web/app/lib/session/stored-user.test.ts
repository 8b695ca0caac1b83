import { beforeEach, describe, expect, test, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';

const user = { token: 't1', username: 'mere' };
let storage = new Map<string, string>();
/** Each update of the document's member mark. */
let marks: boolean[] = [];

/** A new page in the same browser. */
async function openPage() {
  vi.resetModules();
  return import('./stored-user.ts');
}

beforeEach(() => {
  storage = new Map();
  stubLocalStorage(storage);
  marks = [];
  const toggleAttribute = (name: string, isMember: boolean) => marks.push(name === 'data-member' && isMember);
  vi.stubGlobal('document', { documentElement: { toggleAttribute } });
  return () => vi.unstubAllGlobals();
});

test('keeps the user signed in on the next page until signed out', async () => {
  const first = await openPage();
  expect(first.readSession()).toEqual({ user: null, initialized: true });
  first.storeUser(user as never);
  const next = await openPage();
  expect(next.readUser()).toEqual(user);
  next.forgetUser();
  expect(next.readUser()).toBeNull();
  expect((await openPage()).readUser()).toBeNull();
});

test('stores updates of a user only while they are signed in', async () => {
  const page = await openPage();
  page.storeUser(user as never);
  page.updateUser({ ...user, emailConfirmed: true } as never);
  expect((await openPage()).readUser()).toMatchObject({ token: 't1', emailConfirmed: true });
  // Another tab signs out before this one is notified.
  storage.delete('user');
  page.updateUser({ ...user, emailConfirmed: false } as never);
  expect(storage.has('user')).toBe(false);
  storage.set('user', JSON.stringify({ ...user, token: 't2' }));
  page.updateUser(user as never);
  expect((await openPage()).readUser()).toMatchObject({ token: 't2' });
  page.storeUser(user as never);
  page.forgetUser();
  page.updateUser(user as never);
  expect(storage.has('user')).toBe(false);
});

test("erases the user's own stored data on sign-out, and nothing else", async () => {
  const page = await openPage();
  page.storeUser(user as never);
  storage.set('hasNewReferralTicket', 'true').set('userReferralCode', 'REF-MER-1').set('listingFormData', '{}');
  storage.set('messageDrafts', '{}').set('messageWish', '{}').set('unsentMessages', '{}').set('recentSearches', '[]');
  storage.set('quoteDraft', '{}').set('quoteWish', '1').set('offerDrafts', '{}');
  page.eraseStoredUser();
  expect([...storage.keys()]).toEqual(['listingFormData']);
});

test('does not sign out another user who has signed in since', async () => {
  const page = await openPage();
  page.storeUser({ ...user, token: 't2' } as never);
  page.forgetUser('t1');
  expect(page.readUser()).toMatchObject({ token: 't2' });
  page.forgetUser('t2');
  expect(page.readUser()).toBeNull();
});

test.each(['{', 'null', '{}', '{"token":""}', '{"token":7}', '7'])('treats stored %s as signed out', async (text) => {
  storage.set('user', text);
  expect((await openPage()).readUser()).toBeNull();
});

test('notifies listeners of signing in and out', async () => {
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  const page = await openPage();
  const changes: unknown[] = [];
  const stop = page.onSessionChange(() => changes.push(page.readUser()?.token));
  page.storeUser(user as never);
  page.forgetUser();
  stop();
  page.storeUser(user as never);
  expect(changes).toEqual(['t1', undefined]);
  expect(marks).toEqual([true, false, true]);
});

test('follows sign-in and sign-out in other tabs while there are listeners', async () => {
  const tab = new EventTarget();
  vi.stubGlobal('addEventListener', tab.addEventListener.bind(tab));
  vi.stubGlobal('removeEventListener', tab.removeEventListener.bind(tab));
  const dispatchStorage = (key: string | null) => tab.dispatchEvent(Object.assign(new Event('storage'), { key }));
  const page = await openPage();
  const changes: unknown[] = [];
  const stops = ['one', 'other'].map((name) => page.onSessionChange(() => changes.push([name, page.readUser()?.token])));
  storage.set('user', JSON.stringify(user));
  dispatchStorage('listingFormData');
  expect(changes).toEqual([]);
  dispatchStorage('user');
  stops[0]?.();
  storage.clear();
  dispatchStorage(null);
  expect(changes).toEqual([
    ['one', 't1'],
    ['other', 't1'],
    ['other', undefined],
  ]);
  stops[1]?.();
  storage.set('user', JSON.stringify(user));
  dispatchStorage('user');
  expect(page.readUser()).toBeNull();
});

test('keeps the user signed in until the page is left without storage', async () => {
  const refuse = () => {
    throw new Error('storage is off');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  const page = await openPage();
  page.storeUser(user as never);
  expect(page.readUser()).toEqual(user);
  page.updateUser({ ...user, emailConfirmed: true } as never);
  expect(page.readUser()).toMatchObject({ emailConfirmed: true });
  page.forgetUser();
  page.updateUser(user as never);
  expect(page.readUser()).toBeNull();
});

test('returns to the own account after viewing as a user, also when that session expires', async () => {
  const page = await openPage();
  page.storeUser({ token: 'own', username: 'admin' } as never);
  page.beginLook(user as never, { endsAt: '2026-11-22T03:00:00.000Z' });
  const next = await openPage();
  expect(next.readUser()).toEqual({ ...user, look: { endsAt: '2026-11-22T03:00:00.000Z' } });
  expect([next.endLook(), next.readUser()]).toEqual([true, { token: 'own', username: 'admin' }]);
  expect([next.endLook(), next.readUser()?.token]).toEqual([false, 'own']);

  next.beginLook(user as never, { endsAt: '2026-11-22T03:00:00.000Z' });
  next.forgetUser('another');
  expect(next.readUser()?.token).toBe('t1');
  const reload = vi.fn<() => void>();
  vi.stubGlobal('location', { reload });
  next.forgetUser('t1');
  expect(next.readUser()?.token).toBe('own');
  expect(reload).toHaveBeenCalledOnce();
  expect([...storage.keys()]).toEqual(['user']);
});

test('signs out after viewing as a user if the own account is lost', async () => {
  const page = await openPage();
  page.beginLook(user as never, { endsAt: '2026-11-22T03:00:00.000Z' });
  storage.delete('user-behind-look');
  expect([page.endLook(), page.readUser()]).toEqual([true, null]);
});

describe('with the cookie of a session', () => {
  let answers: (Response | Error | Promise<Response>)[] = [];
  let requests: string[] = [];
  let lock: Promise<unknown> = Promise.resolve();
  beforeEach(() => {
    answers = [];
    requests = [];
    lock = Promise.resolve();
    vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} }, cookie: 'x=1; signed-in=1' });
    vi.stubGlobal('navigator', { locks: { request: (_: string, work: () => Promise<unknown>) => (lock = lock.then(work, work)) } });
    vi.stubGlobal('fetch', async (url: string, { method }: { method: string }) => {
      requests.push(`${method} ${url}`);
      const answer = answers.shift() ?? new Error('no answer');
      if (answer instanceof Error) throw answer;
      return answer;
    });
  });
  const settled = (page: Awaited<ReturnType<typeof openPage>>) => vi.waitUntil(() => page.readSession().initialized);

  test('restores the user that the browser has deleted, and takes no one for a visitor meanwhile', async () => {
    answers = [Response.json({ data: user })];
    const page = await openPage();
    expect(page.readSession()).toEqual({ user: null, initialized: false });
    await settled(page);
    expect(page.readUser()).toEqual(user);
    expect(requests).toEqual(['POST /api/auth/restore']);
    expect((await openPage()).readSession()).toEqual({ user, initialized: true });
    expect(requests).toHaveLength(1);
  });

  test('two tabs ask once', async () => {
    let answer: (response: Response) => void = () => {};
    answers = [new Promise<Response>((resolve) => (answer = resolve))];
    const first = await openPage();
    first.readSession();
    await vi.waitUntil(() => requests.length === 1);
    const second = await openPage();
    second.readSession();
    answer(Response.json({ data: user }));
    await settled(first);
    await settled(second);
    expect([first.readUser(), second.readUser()]).toEqual([user, user]);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['an ended session', Response.json({ code: 'session_over', message: 'Over' }, { status: 401 })],
    ['no answer', new Error('offline')],
  ])('shows a visitor after %s', async (_, answer) => {
    answers = [answer];
    const page = await openPage();
    page.readSession();
    await settled(page);
    expect(page.readUser()).toBeNull();
  });

  test('the page is a member’s while the session is restored, and a visitor’s once that has failed', async () => {
    const shown: boolean[] = [];
    const toggleAttribute = (_: string, isMember: boolean) => shown.push(isMember);
    vi.stubGlobal('document', { documentElement: { toggleAttribute }, cookie: 'signed-in=1' });
    const page = await openPage();
    page.readSession();
    expect(shown).toEqual([]);
    await settled(page);
    expect(shown).toEqual([false]);
  });

  test('what failed for want of a connection is tried again by the next page', async () => {
    answers = [new Error('offline'), Response.json({ data: user })];
    const first = await openPage();
    first.readSession();
    await settled(first);
    const next = await openPage();
    next.readSession();
    await settled(next);
    expect([first.readUser(), next.readUser()]).toEqual([null, user]);
  });

  test('a browser without locks, on an insecure page, shows a visitor', async () => {
    vi.stubGlobal('navigator', {});
    const page = await openPage();
    page.readSession();
    await settled(page);
    expect([page.readUser(), requests]).toEqual([null, []]);
  });

  test.each([
    ['fails', () => Response.json({ code: 'session_over', message: 'Over' }, { status: 401 })],
    ['succeeds', () => Response.json({ data: user })],
  ])('whoever signs in in another tab meanwhile stays signed in if restoring %s', async (_, given) => {
    let answer: (response: Response) => void = () => {};
    answers = [new Promise<Response>((resolve) => (answer = resolve))];
    const tab = new EventTarget();
    vi.stubGlobal('addEventListener', tab.addEventListener.bind(tab));
    vi.stubGlobal('removeEventListener', tab.removeEventListener.bind(tab));
    const page = await openPage();
    const stop = page.onSessionChange(() => {});
    page.readSession();
    await vi.waitUntil(() => requests.length === 1);
    storage.set('user', JSON.stringify({ ...user, token: 't2' }));
    tab.dispatchEvent(Object.assign(new Event('storage'), { key: 'user' }));
    expect(page.readUser()).toMatchObject({ token: 't2' });
    answer(given());
    await lock.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve));
    expect([page.readUser()?.token, JSON.parse(storage.get('user') ?? '').token]).toEqual(['t2', 't2']);
    stop();
  });
});

test('asks for nothing to be restored without the cookie', async () => {
  const fetched = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', fetched);
  expect((await openPage()).readSession()).toEqual({ user: null, initialized: true });
  expect(fetched).not.toHaveBeenCalled();
});
