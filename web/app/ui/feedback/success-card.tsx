import type { ReactNode } from 'react';
import { Container } from '../page/page.tsx';
import styles from './success-card.module.css';

/** A completed flow: a tick, the result, the next steps. */
export const SuccessCard = ({ title, intro, children }: { title: string; intro: string; children: ReactNode }) => (
  <Container>
    <div className={styles.frame}>
      <svg className={styles.tick} viewBox="0 0 80 80" width="88" height="88" aria-hidden="true" focusable="false">
        <circle className={styles.glow} cx="40" cy="40" r="40" />
        <circle className={styles.disc} cx="40" cy="40" r="28" />
        <path className={styles.mark} d="M28 41l9 9 16-18" />
      </svg>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.intro}>{intro}</p>
      <div className={`card ${styles.card}`}>{children}</div>
    </div>
  </Container>
);
