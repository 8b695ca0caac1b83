const key = 'browse-scroll';

// For this visit only, and for the tab: two tabs browse two lists.
export function rememberScroll(search: string) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ search, y: Math.round(scrollY) }));
  } catch {}
}

/** Where the list of this address was left for a listing; null where it was not, or has been returned to since. */
export function takeRememberedScroll(search: string): number | null {
  try {
    const left = JSON.parse(sessionStorage.getItem(key) ?? 'null') as { search: string; y: number } | null;
    sessionStorage.removeItem(key);
    return left?.search === search ? left.y : null;
  } catch {
    return null;
  }
}
