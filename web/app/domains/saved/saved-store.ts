import type { listSavedIds, saveListing, unsaveListing } from '@handwise/contract/saved';
import { useSyncExternalStore } from 'react';
import { call } from '../../lib/api.ts';
import { onSessionChange, readUser } from '../../lib/stored-user.ts';

/** The hearts of everything on the screen: read once for each visit and user, then kept in step with what is pressed. */
type Saved = { userId: string; ids: ReadonlySet<string> };

let saved: Saved | undefined;
let reading: string | undefined;
const listeners = new Set<() => void>();

function change(next: Saved | undefined) {
  saved = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  const ignoreSession = onSessionChange(read);
  read();
  return () => {
    listeners.delete(listener);
    ignoreSession();
  };
}

function read() {
  const user = readUser();
  if (saved && saved.userId !== user?._id) change(undefined);
  if (!user || saved || reading === user._id) return;
  reading = user._id;
  call<typeof listSavedIds>({ method: 'GET', url: '/listing/saved/ids' }, {})
    .then(({ ids }) => {
      if (readUser()?._id === user._id && !saved) change({ userId: user._id, ids: new Set(ids) });
    })
    // The hearts stay empty, and pressing one still works.
    .catch((error: unknown) => console.warn('The saved listings could not be read.', error))
    .finally(() => {
      reading = undefined;
    });
}

const mark = (userId: string, listingId: string, isSaved: boolean) => {
  const ids = new Set(saved?.userId === userId ? saved.ids : []);
  if (isSaved) ids.add(listingId);
  else ids.delete(listingId);
  change({ userId, ids });
};

/** Saves a listing or takes it out: shown at once, and shown as before where the server refuses. Throws `ApiError` then. */
export async function setSaved(listingId: string, isSaved: boolean): Promise<void> {
  const user = readUser();
  if (!user) return;
  mark(user._id, listingId, isSaved);
  try {
    await (isSaved
      ? call<typeof saveListing>({ method: 'POST', url: '/listing/saved/:id' }, { params: { id: listingId } })
      : call<typeof unsaveListing>({ method: 'DELETE', url: '/listing/saved/delete/:id' }, { params: { id: listingId } }));
  } catch (error) {
    mark(user._id, listingId, !isSaved);
    throw error;
  }
}

/** Whether the signed-in user has saved a listing; false until that is known. */
export const useIsSaved = (listingId: string): boolean =>
  useSyncExternalStore(
    subscribe,
    () => saved?.ids.has(listingId) ?? false,
    () => false,
  );
