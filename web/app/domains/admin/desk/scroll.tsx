import type { ReactNode } from 'react';
import styles from './admin.module.css';

/** What is wider than a phone scrolls for itself. */
export const Scroll = ({ label, children }: { label: string; children: ReactNode }) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without it nobody could scroll by keyboard
  <section className={styles.scroll} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
