import { type ReactNode, type RefObject, useRef } from 'react';
import styles from './list-count.module.css';

/** For a list that comes in pages: where reading goes on when another page is chosen. `show` brings it there. */
export function useListStart() {
  const start = useRef<HTMLParagraphElement>(null);
  const focus = () => start.current?.focus({ preventScroll: true });
  const show = () => {
    focus();
    scrollTo({ top: 0 });
  };
  return { start, focus, show };
}

/** How many there are, at the start of a list. */
export const ListCount = ({ start, children }: { start: RefObject<HTMLParagraphElement | null>; children: ReactNode }) => (
  <p className={styles.count} ref={start} role="status" tabIndex={-1}>
    {children}
  </p>
);

/** A list, paler while another page of it is on its way. */
export const ListPage = ({ busy, children }: { busy: boolean; children: ReactNode }) => (
  <div className={styles.page} aria-busy={busy}>
    {children}
  </div>
);
