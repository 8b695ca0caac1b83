import type { ReactNode } from 'react';
import styles from './form-card.module.css';
import { Container } from '../page/page.tsx';

/** A page with one form: its heading, its introduction with links, and the form in one column. */
export const FormCard = ({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) => (
  <Container>
    <div className={styles.frame}>
      <h1 className={styles.title}>{title}</h1>
      {intro && <div className={styles.intro}>{intro}</div>}
      <noscript>
        <p className={styles.needsScript}>This form needs JavaScript. Please switch it on in your browser and load the page again.</p>
      </noscript>
      <div className={`card ${styles.card}`}>{children}</div>
    </div>
  </Container>
);
