import { Link } from 'react-router';
import styles from './breadcrumbs.module.css';

/** The way from the front page to here; the last one is the page itself. */
export const Breadcrumbs = ({ trail }: { trail: readonly { name: string; path: string }[] }) => (
  <nav className={styles.nav} aria-label="Breadcrumb">
    <ol className={styles.trail}>
      {trail.map(({ name, path }, index) => (
        <li key={path}>{index < trail.length - 1 ? <Link to={path}>{name}</Link> : <span aria-current="page">{name}</span>}</li>
      ))}
    </ol>
  </nav>
);
