import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import styles from './page-links.module.css';
import { type ReactNode, type RefObject, useRef } from 'react';

/** For a paged list: the focus target when another page is chosen. */
export function useListStart() {
  const start = useRef<HTMLParagraphElement>(null);
  const focus = () => start.current?.focus({ preventScroll: true });
  const show = () => {
    focus();
    scrollTo({ top: 0 });
  };
  return { start, focus, show };
}

/** The number of results, at the start of a list. */
export const ListCount = ({ start, children }: { start: RefObject<HTMLParagraphElement | null>; children: ReactNode }) => (
  <p className={styles.count} ref={start} role="status" tabIndex={-1}>
    {children}
  </p>
);

/** A list, dimmed while its next page loads. */
export const ListPage = ({ busy, children }: { busy: boolean; children: ReactNode }) => (
  <div className={styles.page} aria-busy={busy}>
    {children}
  </div>
);

type FilterLinksProps = {
  label: string;
  links: readonly { to: string; name: string; isCurrent: boolean }[];
  /** Whether a choice replaces the history entry. */
  replace?: boolean;
};

/** Links to the views of one page, each with its own URL. */
export const FilterLinks = ({ label, links, replace = false }: FilterLinksProps) => (
  <nav className={styles.links} aria-label={label}>
    {links.map(({ to, name, isCurrent }) => (
      <Link key={to} to={to} className={styles.link} aria-current={isCurrent ? 'page' : undefined} preventScrollReset replace={replace}>
        {name}
      </Link>
    ))}
  </nav>
);

const shownInFull = 5;

/** The page number in a URL: 1 if there is none, null if it is invalid. */
export function getRequestedPage(text: string | null): number | null {
  if (text === null) return 1;
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}

/** The links of a pagination: up to five pages in full, otherwise the first, the last, and the current with its neighbours. */
export function listPageItems(current: number, total: number): (number | 'gap')[] {
  if (total <= shownInFull) return Array.from({ length: total }, (_, index) => index + 1);
  const pages = [...new Set([1, current - 1, current, current + 1, total])]
    .filter((page) => page >= 1 && page <= total)
    .toSorted((a, b) => a - b);
  return pages.flatMap((page, index) => {
    const before = pages[index - 1];
    return before !== undefined && page - before > 1 ? ['gap' as const, page] : [page];
  });
}

type PageLinksProps = {
  current: number;
  total: number;
  /** The URL of a page. */
  to: (page: number) => string;
  /** Called on a press, which then does not scroll. */
  onChoose?: (() => void) | undefined;
};

/** Page links, which open in new tabs and work without script. */
export function PageLinks({ current, total, to, onChoose }: PageLinksProps) {
  if (total <= 1) return null;
  const press = onChoose ? { onClick: onChoose, preventScrollReset: true } : {};
  // Beyond the end, "previous" leads to the last page.
  const previous = Math.min(current - 1, total);
  return (
    <nav className={styles.pages} aria-label="Pages">
      {previous >= 1 && (
        <Link {...press} to={to(previous)} rel="prev" className={styles.step} aria-label="Previous page">
          <IconChevronLeft size={20} stroke={1.75} aria-hidden="true" />
          <span>Previous</span>
        </Link>
      )}
      <ol className={styles.numbers}>
        {listPageItems(current, total).map((item, index) => (
          <li key={item === 'gap' ? `gap-${index}` : item}>
            {item === 'gap' ? (
              <span className={styles.gap}>
                <span aria-hidden="true">…</span>
                <span className="visually-hidden">Some pages left out</span>
              </span>
            ) : (
              <Link
                {...press}
                to={to(item)}
                className={styles.number}
                aria-current={item === current ? 'page' : undefined}
                aria-label={`Page ${item}`}
              >
                {item}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {current < total && (
        <Link {...press} to={to(current + 1)} rel="next" className={styles.step} aria-label="Next page">
          <span>Next</span>
          <IconChevronRight size={20} stroke={1.75} aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}
