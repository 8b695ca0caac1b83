import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { askedPage } from '../../../ui/page/pagination.ts';
import styles from './admin.module.css';
import { foundListings } from './admin-queries.ts';
import { aboutListing, DecideDialog, type DecidedAbout } from './decide-dialog.tsx';
import { FilterLinks } from './filter-links.tsx';
import { Found } from './found.tsx';
import { ListingTable } from './listing-table.tsx';
import { SearchBar } from './search-bar.tsx';

const states = [
  { value: '', name: 'All' },
  { value: 'active', name: 'Active' },
  { value: 'inactive', name: 'Inactive' },
  { value: 'expired', name: 'Expired' },
  { value: 'hidden', name: 'Hidden' },
] as const;

/** Listings in whichever state, with what can be decided about each. */
export function ListingSearch() {
  const [search] = useSearchParams();
  const [about, setAbout] = useState<DecidedAbout | null>(null);
  const status = states.find((one) => one.value !== '' && one.value === search.get('status'))?.value ?? '';
  const page = askedPage(search.get('page')) ?? 1;
  const query = useQuery(foundListings({ q: search.get('q') ?? '', status: status === '' ? 'all' : status, page: String(page) }));
  return (
    <div className={styles.stack}>
      <SearchBar label="Find a listing" hint="Number, id, words of the title or the business, or the seller’s @name or email" />
      <FilterLinks label="State" name="status" options={states} />
      {query.error ? (
        <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <LoadingView />
      ) : (
        <Found one="listing" page={page} totalPages={query.data.totalPages} total={query.data.total}>
          <ListingTable listings={query.data.listings} onDecide={(listing) => setAbout(aboutListing(listing))} />
        </Found>
      )}
      <DecideDialog about={about} onClose={() => setAbout(null)} />
    </div>
  );
}
