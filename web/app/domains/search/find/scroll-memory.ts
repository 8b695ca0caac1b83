import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

const key = 'browse-scroll';

// For this visit only, and for the tab: two tabs browse two lists.
function rememberScroll(search: string) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ search, y: Math.round(scrollY) }));
  } catch {}
}

/** Where the list of this address was left for a listing; null where it was not, or has been returned to since. */
function takeRememberedScroll(search: string): number | null {
  try {
    const left = JSON.parse(sessionStorage.getItem(key) ?? 'null') as { search: string; y: number } | null;
    sessionStorage.removeItem(key);
    return left?.search === search ? left.y : null;
  } catch {
    return null;
  }
}

/** Brings a list back to where it was left for a listing, whichever way one returns to it. Gives what to call on leaving. */
export function useScrollMemory() {
  const { pathname, search } = useLocation();
  const address = useRef(pathname + search);
  useEffect(() => {
    const y = takeRememberedScroll(address.current);
    if (y !== null) scrollTo({ top: y, behavior: 'instant' });
  }, []);
  return () => rememberScroll(pathname + search);
}
