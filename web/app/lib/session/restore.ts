import type { restoreSession as restoreCall } from '@handwise/contract/sign-in/calls';
import { call } from '../api.ts';
import { changeUser, readStoredUser, storeUser } from './stored-user.ts';

/**
 * Restores the session of a browser that has deleted the stored user, by the cookie that only the server reads. One tab at a time, because the
 * cookie works once: the others find the user stored.
 */
export async function restoreSession(): Promise<void> {
  try {
    await navigator.locks.request('restore-session', async () => {
      storeUser(readStoredUser() ?? (await call<typeof restoreCall>({ method: 'POST', url: '/auth/restore' }, {})).data);
    });
  } catch {
    // The session is over, or the next page tries again.
    changeUser(null);
  }
}
