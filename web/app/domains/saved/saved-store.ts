import type { listSavedIds, saveListing, unsaveListing } from '@handwise/contract/saved/calls';
import { call } from '../../lib/api.ts';
import { onSessionChange, readUser } from '../../lib/session/stored-user.ts';

// The hearts of everything on the screen: read once for each user, and what was pressed since lies over it.
type Saved = { userId: string; ids: ReadonlySet<string>; pressed: Map<string, boolean> };

let saved: Saved | undefined;
let reading = '';
const underWay = new Map<string, Promise<unknown>>();
const listeners = new Set<() => void>();

const notify = () => {
  for (const listener of listeners) listener();
};

/** For the user who is signed in now; nothing of the one before is kept. */
function own(userId: string): Saved {
  if (saved?.userId !== userId) saved = { userId, ids: new Set(), pressed: new Map() };
  return saved;
}

function read() {
  const userId = readUser()?._id ?? '';
  // Without a heart on the screen nobody asks: the next one will.
  if (userId === reading || listeners.size === 0) return;
  reading = userId;
  if (!userId) return notify();
  void readIds(userId);
}

async function readIds(userId: string) {
  try {
    const { ids } = await call<typeof listSavedIds>({ method: 'GET', url: '/listing/saved/ids' }, {});
    if (reading !== userId) return;
    saved = { ...own(userId), ids: new Set(ids) };
    notify();
  } catch (error) {
    // The hearts stay empty, and pressing one still works.
    console.warn('Your saved listings could not be loaded.', error);
    if (reading === userId) reading = '';
  }
}

/** Calls the listener whenever a heart may have changed. The first one on a page makes all hearts known, by one call. */
export function onSavedChange(listener: () => void): () => void {
  listeners.add(listener);
  // Once for all hearts, and for good: one that goes must not take it from those that stay.
  onSessionChange(read);
  read();
  return () => void listeners.delete(listener);
}

/** Whether the signed-in user has saved a listing, as far as is known now. */
export function isSaved(listingId: string): boolean {
  if (!saved || saved.userId !== readUser()?._id) return false;
  return saved.pressed.get(listingId) ?? saved.ids.has(listingId);
}

/**
 * Saves a listing or takes it out: shown at once, and shown as before where the server refuses. Presses of one heart reach the
 * server in their order. Throws `ApiError`.
 */
export async function setSaved(listingId: string, wanted: boolean): Promise<void> {
  const userId = readUser()?._id;
  if (!userId) return;
  own(userId).pressed.set(listingId, wanted);
  notify();
  const before = underWay.get(listingId);
  const sent = (async () => {
    await before?.catch(() => {});
    await (wanted
      ? call<typeof saveListing>({ method: 'POST', url: '/listing/saved/:id' }, { params: { id: listingId } })
      : call<typeof unsaveListing>({ method: 'DELETE', url: '/listing/saved/delete/:id' }, { params: { id: listingId } }));
  })();
  underWay.set(listingId, sent);
  try {
    await sent;
  } catch (error) {
    // A later press has the last word.
    if (underWay.get(listingId) === sent) own(userId).pressed.set(listingId, !wanted);
    notify();
    throw error;
  } finally {
    if (underWay.get(listingId) === sent) underWay.delete(listingId);
  }
}
