import type { ReactNode } from 'react';
import styles from './site-sections.module.css';

type HeroTextProps = {
  title: string;
  lead: string;
  /** The main action. */
  form?: ReactNode;
  /** A large button, and a link for other visitors. */
  actions: ReactNode;
  /** Facts that support the promise. */
  children: ReactNode;
};

/** The introduction of a page for newcomers. `hero-heading` labels its section. */
export const HeroText = ({ title, lead, form, actions, children }: HeroTextProps) => (
  <div className={styles.text}>
    <h1 id="hero-heading">{title}</h1>
    {form && <div className={styles.form}>{form}</div>}
    <p className={styles.lead}>{lead}</p>
    <div className={styles.actions}>{actions}</div>
    {children}
  </div>
);

/** Numbered steps with large numerals. */
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
