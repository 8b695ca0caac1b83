import type { ReactNode } from 'react';
import styles from './page.module.css';
import { Link } from 'react-router';

/** Content width: 1,200 px and the gutters. */
export const Container = ({ children }: { children: ReactNode }) => <div className={styles.container}>{children}</div>;

type SectionProps = {
  children: ReactNode;
  /** The heading, which also labels the section as a landmark. */
  title?: string;
  id?: string;
  intro?: ReactNode;
  ground?: 'paper' | 'card' | 'band';
};

/** A full-width band of a page, with its heading. */
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

/** A page of text: 68 characters wide, plain headings. */
export const Prose = ({ title, updated, children }: { title: string; updated: string; children: ReactNode }) => (
  <Container>
    <article className={styles.prose}>
      <h1>{title}</h1>
      <p className={styles.updated}>Last changed on {updated}</p>
      {children}
    </article>
  </Container>
);

/** The path from the front page; the last item is the page itself. */
export const Breadcrumbs = ({ trail }: { trail: readonly { name: string; path: string }[] }) => (
  <nav className={styles.nav} aria-label="Breadcrumb">
    <ol className={styles.trail}>
      {trail.map(({ name, path }, index) => (
        <li key={path}>{index < trail.length - 1 ? <Link to={path}>{name}</Link> : <span aria-current="page">{name}</span>}</li>
      ))}
    </ol>
  </nav>
);
