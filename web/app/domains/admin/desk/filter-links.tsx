import { Link, useSearchParams } from 'react-router';
import styles from './admin.module.css';

type FilterLinksProps = { label: string; name: string; options: readonly { value: string; name: string }[] };

/** A filter as addresses: one can be kept, sent and opened in a tab. Choosing another begins with its first page and no case. */
export function FilterLinks({ label, name, options }: FilterLinksProps) {
  const [search] = useSearchParams();
  const chosen = search.get(name) ?? '';
  const addressOf = (value: string) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    next.delete('case');
    if (value === '') next.delete(name);
    else next.set(name, value);
    return `?${next}`;
  };
  return (
    <nav className={styles.filters} aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.value}
          to={addressOf(option.value)}
          className={styles.filter}
          aria-current={option.value === chosen ? 'page' : undefined}
          preventScrollReset
        >
          {option.name}
        </Link>
      ))}
    </nav>
  );
}
