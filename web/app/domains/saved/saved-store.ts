import { call } from '../../lib/api.ts';
import { onSessionChange, readUser } from '../../lib/session/stored-user.ts';

// The hearts on the screen: loaded once per user, overlaid by later presses.
type Saved = { userId: string; ids: Set<string>; pressed: Map<string, boolean> };

const retryMs = 5_000;

let saved: Saved | undefined;
let reading = '';
// The last press of each heart.
const underWay = new Map<string, Promise<unknown>>();
const listeners = new Set<() => void>();

const notify = () => {
  for (const listener of listeners) listener();
};

/** For the current user; the previous user's are discarded. */
function own(userId: string): Saved {
  if (saved?.userId !== userId) saved = { userId, ids: new Set(), pressed: new Map() };
  return saved;
}

function read() {
  const userId = readUser()?._id ?? '';
  // Nothing is loaded until a heart is on the screen.
  if (userId === reading || listeners.size === 0) return;
  reading = userId;
  if (!userId) return notify();
  void readIds(userId);
}

async function readIds(userId: string) {
  try {
    const { ids } = await call('GET /listing/saved/ids', {});
    if (reading !== userId) return;
    own(userId).ids = new Set(ids);
    notify();
  } catch (error) {
    // Pressing a heart still works. An empty one would be wrong for as long as the page is open, so they are loaded again.
    console.warn('Your saved listings could not be loaded.', error);
    if (reading !== userId) return;
    reading = '';
    setTimeout(read, retryMs);
  }
}

/** Calls the listener whenever a heart may have changed. The first subscriber of a page loads all hearts with one call. */
export function onSavedChange(listener: () => void): () => void {
  listeners.add(listener);
  // Registered once and never removed, because other hearts may remain.
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
 * Saves or removes a listing: shown at once, and reverted if the server rejects it. Presses of one heart are sent in order. Throws
 * `ApiError`.
 */
export async function setSaved(listingId: string, shouldSave: boolean): Promise<void> {
  const userId = readUser()?._id;
  if (!userId) return;
  const mine = own(userId);
  mine.pressed.set(listingId, shouldSave);
  notify();
  const before = underWay.get(listingId);
  const sent = (async () => {
    await before?.catch(() => {});
    await (shouldSave
      ? call('POST /listing/saved/:id', { params: { id: listingId } })
      : call('DELETE /listing/saved/delete/:id', { params: { id: listingId } }));
  })();
  underWay.set(listingId, sent);
  try {
    await sent;
    mine.ids[shouldSave ? 'add' : 'delete'](listingId);
  } catch (error) {
    // A later press wins; without one, what was saved before is.
    if (underWay.get(listingId) === sent) mine.pressed.delete(listingId);
    notify();
    throw error;
  }
}
