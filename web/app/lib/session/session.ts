import { paths } from '@handwise/contract/paths';
import { useSyncExternalStore } from 'react';
import { call } from '../api.ts';
import { messageFilePrefix, quoteRequestPhotoPrefix } from '../browser-storage.ts';
import { beforeStart, deleteRestoreHint, endLook, eraseStoredUser, onSessionChange, readSession, storeUser } from './stored-user.ts';

/**
 * The signed-in user. `initialized` is false on the server and in the first render, because only the browser knows the user; until then
 * treat no one as a visitor.
 */
export const useSession = () => useSyncExternalStore(onSessionChange, readSession, () => beforeStart);

export const setUser = storeUser;

const longestWaitMs = 2000;

/** Files of an unsent message or quote request must not outlive the session. */
const deleteUnsentFiles = async () => {
  const { deleteFilesByPrefix } = await import('../file-store.ts');
  await Promise.all([messageFilePrefix, quoteRequestPhotoPrefix].map(deleteFilesByPrefix));
};

/** The server ends its side with the session. */
const endNotifications = async () =>
  (await (await navigator.serviceWorker?.getRegistration())?.pushManager?.getSubscription())?.unsubscribe();

/** Ends the session on the server and here, then loads /home as a new page, so that nothing of the account stays in memory. */
export async function logout() {
  // Staff viewing the site as a user return to their own account.
  if (endLook()) {
    location.assign(paths.admin);
    return;
  }
  const ended = call('POST /auth/logout', {}).catch(() => undefined);
  await Promise.race([
    Promise.allSettled([ended, deleteUnsentFiles(), endNotifications()]),
    new Promise((resolve) => setTimeout(resolve, longestWaitMs)),
  ]);
  eraseStoredUser();
  // The server could not be reached, perhaps.
  deleteRestoreHint();
  location.assign(paths.browse);
}
