import type { ReactNode } from 'react';
import styles from './site-sections.module.css';

type HeroTextProps = {
  title: string;
  lead: string;
  /** The main action. */
  form?: ReactNode;
  /** A large button, and a link for other visitors. */
  actions: ReactNode;
  /** What makes the promise believable. */
  children: ReactNode;
};

/** The words that a page for newcomers begins with. Its section is named by `hero-heading`. */
export const HeroText = ({ title, lead, form, actions, children }: HeroTextProps) => (
  <div className={styles.text}>
    <h1 id="hero-heading">{title}</h1>
    {form && <div className={styles.form}>{form}</div>}
    <p className={styles.lead}>{lead}</p>
    <div className={styles.actions}>{actions}</div>
    {children}
  </div>
);

/** What happens one after the other, with large numerals. */
export const Steps = ({ steps }: { steps: readonly { title: string; text: string }[] }) => (
  <ol className={styles.steps}>
    {steps.map(({ title, text }, index) => (
      <li key={title}>
        <span className={styles.numeral} aria-hidden="true">
          {index + 1}
        </span>
        <div>
          <h3>{title}</h3>
          <p className="muted">{text}</p>
        </div>
      </li>
    ))}
  </ol>
);
