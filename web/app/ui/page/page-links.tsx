import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import styles from './page-links.module.css';
import { pageItems } from './pagination.ts';

type PageLinksProps = {
  current: number;
  total: number;
  /** The address of a page, as a link takes it. */
  to: (page: number) => string;
  /** Where the page itself says what to show after a press: nothing scrolls by itself. */
  onChoose?: (() => void) | undefined;
};

/** Real links, so that they can be opened in a tab and followed without script. */
export function PageLinks({ current, total, to, onChoose }: PageLinksProps) {
  if (total <= 1) return null;
  const press = onChoose ? { onClick: onChoose, preventScrollReset: true } : {};
  // Behind the end, "previous" leads to the last page that there is.
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
        {pageItems(current, total).map((item, index) => (
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
