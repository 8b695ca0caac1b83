import { paths } from '@handwise/contract/paths';
import type { logout as logoutCall } from '@handwise/contract/sign-in/calls';
import { useSyncExternalStore } from 'react';
import { call } from '../api.ts';
import { quotePhotoPrefix } from '../browser-storage.ts';
import { beforeStart, endLook, eraseStoredUser, onSessionChange, readSession, storeUser } from './stored-user.ts';

/**
 * Who is signed in. `initialized` is false on the server and in the first render, because only the browser knows:
 * decide nothing about visitors before it is true.
 */
export const useSession = () => useSyncExternalStore(onSessionChange, readSession, () => beforeStart);

export const setUser = storeUser;

const longestWaitMs = 2000;

/** What was to be shown to businesses is nobody else's. Its store is loaded only here. */
const forgetPhotos = async () => {
  const { dropFilesOf } = await import('../file-store.ts');
  await dropFilesOf(quotePhotoPrefix);
};

/** Ends the session on the server and here, and leaves for /home with a fresh page, so that nothing of the account stays in memory. */
export async function logout() {
  // Whoever looks as somebody else is not signed out, but themselves again.
  if (endLook()) {
    location.assign(paths.admin);
    return;
  }
  const ended = call<typeof logoutCall>({ method: 'POST', url: '/auth/logout' }, {}).catch(() => undefined);
  await Promise.race([Promise.all([ended, forgetPhotos()]), new Promise((resolve) => setTimeout(resolve, longestWaitMs))]);
  eraseStoredUser();
  location.assign(paths.browse);
}
