import { paths } from '@handwise/contract/paths';
import { IconCategory, IconChevronDown, IconSearch } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useRootData } from '../../lib/root-data.ts';
import { withChoice } from './bar/chosen-filters.ts';
import { Combobox } from './bar/combobox.tsx';
import { CategoryPanel } from './category-panel.tsx';
import styles from './header-search.module.css';
import type { Filters } from './filters/search-params.ts';
import { clearAll, readFilters, textOf, withCategory, withText, writeFilters } from './filters/search-params.ts';

const panelId = 'search-categories';

/** Search bar for members in the header. On /home it changes the search that is there, elsewhere it starts one. */
export function HeaderSearch() {
  const { market, categories } = useRootData();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const filters = pathname === paths.browse ? readFilters(params, market) : clearAll(market);

  const go = (next: Filters) => void navigate(paths.browse + writeFilters(next, market));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('title');
    go(withText(filters, typeof typed === 'string' ? typed : ''));
  };

  return (
    <search className={styles.bar}>
      <button type="button" className={styles.browse} popoverTarget={panelId} aria-label="Browse marketplace">
        <IconCategory size={20} stroke={1.75} aria-hidden="true" />
        <span className={styles.label}>Browse marketplace</span>
        <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />
      </button>
      <CategoryPanel id={panelId} categories={categories} chosen={filters.category} onChoose={(slug) => go(withCategory(filters, slug))} />
      <form className={styles.form} action={paths.browse} onSubmit={submit}>
        <Combobox
          className={styles.input}
          box="q"
          name="title"
          text={textOf(filters)}
          recent
          enterKeyHint="search"
          aria-label="Search listings"
          placeholder="Search by listing title or #ID..."
          onChoose={(choice) => {
            const next = withChoice(filters, choice, market);
            go(next);
            return textOf(next);
          }}
        />
        <button type="submit" className={styles.submit} aria-label="Search">
          <IconSearch size={20} stroke={2} aria-hidden="true" />
        </button>
      </form>
    </search>
  );
}
