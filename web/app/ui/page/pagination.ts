const shownInFull = 5;

/** The page that an address asks for: the first where it asks for none, null where what it says is no page. */
export function askedPage(text: string | null): number | null {
  if (text === null) return 1;
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}

/** The links of a pagination: up to five pages in full, otherwise the first, the last, and the current with its neighbours. */
export function pageItems(current: number, total: number): (number | 'gap')[] {
  if (total <= shownInFull) return Array.from({ length: total }, (_, index) => index + 1);
  const pages = [...new Set([1, current - 1, current, current + 1, total])]
    .filter((page) => page >= 1 && page <= total)
    .toSorted((a, b) => a - b);
  return pages.flatMap((page, index) => {
    const before = pages[index - 1];
    return before !== undefined && page - before > 1 ? ['gap' as const, page] : [page];
  });
}
