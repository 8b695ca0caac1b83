import type { ReactNode } from 'react';
import styles from './page.module.css';

/** Content width: 1,200 px and the gutters. */
export const Container = ({ children }: { children: ReactNode }) => <div className={styles.container}>{children}</div>;

type SectionProps = {
  children: ReactNode;
  /** Names the section: the heading, and the landmark after it. */
  title?: string;
  id?: string;
  intro?: ReactNode;
  ground?: 'paper' | 'card' | 'band';
};

/** A band of a page over the whole width, with its heading. */
export function Section({ children, title, id, intro, ground = 'paper' }: SectionProps) {
  const headingId = title && `${id ?? title.toLowerCase().replace(/[^a-z]+/g, '-')}-heading`;
  return (
    <section className={`${styles.section} ${styles[ground] ?? ''}`} id={id} aria-labelledby={headingId}>
      <Container>
        {title && (
          <div className={styles.head}>
            <h2 id={headingId}>{title}</h2>
            {intro && <p className={styles.intro}>{intro}</p>}
          </div>
        )}
        {children}
      </Container>
    </section>
  );
}
