import type { ReactNode } from 'react';
import { Container } from './page.tsx';
import styles from './prose.module.css';

/** A page to read: 68 characters wide, plain headings. */
export const Prose = ({ title, updated, children }: { title: string; updated: string; children: ReactNode }) => (
  <Container>
    <article className={styles.prose}>
      <h1>{title}</h1>
      <p className={styles.updated}>Last changed on {updated}</p>
      {children}
    </article>
  </Container>
);
