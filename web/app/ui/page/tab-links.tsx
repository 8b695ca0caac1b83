import { NavLink } from 'react-router';
import styles from './tab-links.module.css';

/** Pages that belong together, side by side. Each is a page of its own, so these are links. */
export const TabLinks = ({ label, tabs }: { label: string; tabs: readonly { to: string; name: string }[] }) => (
  <nav className={styles.nav} aria-label={label}>
    <ul className={styles.tabs}>
      {tabs.map(({ to, name }) => (
        <li key={to}>
          <NavLink to={to} end className={styles.tab ?? ''}>
            {name}
          </NavLink>
        </li>
      ))}
    </ul>
  </nav>
);
