import { Link } from 'react-router';
import styles from './filter-links.module.css';

type FilterLinksProps = {
  label: string;
  links: readonly { to: string; name: string; isCurrent: boolean }[];
  /** Choosing one leaves no trace among the pages that one can go back to. */
  replace?: boolean;
};

/** What the same page can show, one at a time: each has an address of its own. */
export const FilterLinks = ({ label, links, replace = false }: FilterLinksProps) => (
  <nav className={styles.links} aria-label={label}>
    {links.map(({ to, name, isCurrent }) => (
      <Link key={to} to={to} className={styles.link} aria-current={isCurrent ? 'page' : undefined} preventScrollReset replace={replace}>
        {name}
      </Link>
    ))}
  </nav>
);
