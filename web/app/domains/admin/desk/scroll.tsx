import type { ReactNode } from 'react';
import styles from './admin.module.css';

/** Content wider than a phone scrolls in its own box. */
export const Scroll = ({ label, children }: { label: string; children: ReactNode }) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- needed to scroll by keyboard
  <section className={styles.scroll} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
