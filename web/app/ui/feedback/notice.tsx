import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A remark that belongs to the page, not to a field. */
export const Notice = ({ children, kind = 'info' }: { children: ReactNode; kind?: 'info' | 'success' | 'prize' }) => (
  <div className={styles.notice} data-kind={kind}>
    {children}
  </div>
);
