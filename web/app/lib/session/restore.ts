import type { OutputOf } from '@handwise/contract/calls';
import type { SessionUser } from '@handwise/contract/accounts/calls';

type Stored = {
  read: () => SessionUser | null;
  store: (user: SessionUser) => void;
  /** There is nothing to restore, or the next page tries again. */
  giveUp: () => void;
};

async function fetchUser(): Promise<SessionUser> {
  const answer = await fetch('/api/auth/restore', { method: 'POST', headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error('The session is over');
  return ((await answer.json()) as OutputOf<'POST /auth/restore'>).data;
}

/**
 * Restores the session of a browser that has deleted the stored user, by the cookie that only the server reads. One tab at a time, because the
 * cookie works once: the others find the user stored.
 */
export async function restoreSession({ read, store, giveUp }: Stored): Promise<void> {
  try {
    await navigator.locks.request('restore-session', async () => {
      const user = read() ?? (await fetchUser());
      // Whoever has signed in meanwhile stays signed in.
      store(read() ?? user);
    });
  } catch {
    giveUp();
  }
}
