import type { ReactNode } from 'react';
import styles from './hero-text.module.css';

type HeroTextProps = {
  title: string;
  lead: string;
  /** A large button, and a link for those who are somebody else. */
  actions: ReactNode;
  /** What makes the promise believable. */
  children: ReactNode;
};

/** The words that a page for newcomers begins with. Its section is named by `hero-heading`. */
export const HeroText = ({ title, lead, actions, children }: HeroTextProps) => (
  <div className={styles.text}>
    <h1 id="hero-heading">{title}</h1>
    <p className={styles.lead}>{lead}</p>
    <div className={styles.actions}>{actions}</div>
    {children}
  </div>
);
