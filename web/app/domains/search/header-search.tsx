import { paths } from '@handwise/contract/paths';
import { IconCategory, IconChevronDown, IconSearch } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { useLocation, useNavigate, useRouteLoaderData } from 'react-router';
import { useRootData } from '../../lib/root-data.ts';
import { Combobox } from './bar/combobox.tsx';
import { CategoryPanel } from './category-panel.tsx';
import type { FindData } from './find/find-data.ts';
import { findAddress, type FindParams, spelledOut, withCategory, withText } from './find/find-params.ts';
import styles from './header-search.module.css';
import { barText, withChoice } from './member-bar.ts';

const panelId = 'search-categories';

/** Search bar for members in the header. On the search it changes what is there, elsewhere it starts one. */
export function HeaderSearch() {
  const { market, categories } = useRootData();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const loaded = useRouteLoaderData<FindData>('pages/search/search');
  const found = pathname === paths.search ? loaded : undefined;
  const params = found?.params ?? {};
  const spelled = found ? spelledOut(params, found.understood, market) : {};

  const go = (next: FindParams) => {
    // The focus moves to the results of a new page, unless the field is focused again before they arrive.
    if (pathname !== paths.search && document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    void navigate(findAddress(next));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('q');
    go(withText(params, typeof typed === 'string' ? typed : ''));
  };

  return (
    <search className={styles.bar}>
      <button type="button" className={styles.browse} popoverTarget={panelId} aria-label="Browse marketplace">
        <IconCategory size={20} stroke={1.75} aria-hidden="true" />
        <span className={styles.label}>Browse marketplace</span>
        <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />
      </button>
      <CategoryPanel
        id={panelId}
        categories={categories}
        chosen={spelled.category ?? ''}
        onChoose={(slug) => go(withCategory(spelled, slug))}
      />
      <form className={styles.form} action={paths.search} onSubmit={submit}>
        <Combobox
          className={styles.input}
          box="q"
          name="q"
          text={barText(params)}
          recent
          enterKeyHint="search"
          aria-label="Search listings"
          placeholder="Search by listing title or #ID..."
          onChoose={(choice) => {
            const next = withChoice(params, choice);
            go(next);
            return barText(next);
          }}
        />
        <button type="submit" className={styles.submit} aria-label="Search">
          <IconSearch size={20} stroke={2} aria-hidden="true" />
        </button>
      </form>
    </search>
  );
}
