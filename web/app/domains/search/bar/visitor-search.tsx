import { paths } from '@handwise/contract/paths';
import { IconSearch } from '@tabler/icons-react';
import { useLocation } from 'react-router';
import { SearchForm } from './search-form.tsx';
import styles from './visitor-search.module.css';

const panelId = 'visitor-search';

/**
 * The search of visitors in the header: two fields where there is room, else one that opens both. A native popover, so that it opens
 * without scripts; its key makes it new, and so closed, on every page.
 */
export function VisitorSearch() {
  const { key, pathname, search } = useLocation();
  // A search is still there to be changed; other pages mean something else by these names.
  const asked = new URLSearchParams(pathname === paths.search ? search : '');
  const typed = [asked.get('q'), asked.get('where')].filter(Boolean).join(' · ');
  return (
    <>
      <button type="button" className={styles.open} popoverTarget={panelId}>
        <IconSearch size={20} stroke={1.75} aria-hidden="true" />
        <span className={typed ? styles.typed : undefined}>{typed || 'What do you need? Where?'}</span>
      </button>
      <div
        key={key}
        id={panelId}
        popover="auto"
        className={styles.panel}
        onToggle={({ newState, currentTarget }) => newState === 'open' && currentTarget.querySelector('input')?.focus()}
      >
        <SearchForm look="header" what={asked.get('q') ?? ''} where={asked.get('where') ?? ''} />
      </div>
    </>
  );
}
