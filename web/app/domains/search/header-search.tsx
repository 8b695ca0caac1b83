import { paths } from '@handwise/contract/paths';
import { IconCategory, IconChevronDown, IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useRootData } from '../../lib/root-data.ts';
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

  const inAddress = textOf(filters);
  const [text, setText] = useState({ typed: inAddress, inAddress });
  // Another address came along, by a chip or by going back: the bar shows what it says.
  if (text.inAddress !== inAddress) setText({ typed: inAddress, inAddress });

  const go = (next: Filters) => void navigate(paths.browse + writeFilters(next, market));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(withText(filters, text.typed));
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
        <input
          className={styles.input}
          type="search"
          name="title"
          enterKeyHint="search"
          maxLength={120}
          autoComplete="off"
          aria-label="Search listings"
          placeholder="Search by listing title or #ID..."
          value={text.typed}
          onChange={(event) => setText({ ...text, typed: event.target.value })}
        />
        <button type="submit" className={styles.submit} aria-label="Search">
          <IconSearch size={20} stroke={2} aria-hidden="true" />
        </button>
      </form>
    </search>
  );
}
