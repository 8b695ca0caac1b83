import type { ReactNode } from 'react';
import styles from './hero-text.module.css';

type HeroTextProps = {
  title: string;
  lead: string;
  /** What one came for, first. */
  form?: ReactNode;
  /** A large button, and a link for those who are somebody else. */
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
