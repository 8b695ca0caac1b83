import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { askedPage } from '../../../../ui/page/page-links.tsx';
import styles from '../admin.module.css';
import { foundListings } from '../admin-queries.ts';
import { aboutListing, DecideDialog, type DecidedAbout } from '../decide-dialog.tsx';
import { chosenOf, FilterLinks } from '../filter-links.tsx';
import { Found } from './found.tsx';
import { Loaded } from '../loaded.tsx';
import { ListingTable } from './listing-table.tsx';
import { SearchBar } from './search-bar.tsx';

const states = [
  { value: '', name: 'All' },
  { value: 'active', name: 'Active' },
  { value: 'inactive', name: 'Inactive' },
  { value: 'expired', name: 'Expired' },
  { value: 'hidden', name: 'Hidden' },
] as const;

/** Listings in any state, with their moderation actions. */
export function ListingSearch() {
  const [search] = useSearchParams();
  const [about, setAbout] = useState<DecidedAbout | null>(null);
  const status = chosenOf(states, search.get('status'));
  const page = askedPage(search.get('page')) ?? 1;
  const query = useQuery(foundListings({ q: search.get('q') ?? '', status: status ?? 'all', page: String(page) }));
  return (
    <div className={styles.stack}>
      <SearchBar label="Find a listing" hint="Number, id, words from the title or business name, or the seller’s @name or email" />
      <FilterLinks label="State" name="status" options={states} />
      <Loaded query={query}>
        {(data) => (
          <Found one="listing" page={page} totalPages={data.totalPages} total={data.total}>
            <ListingTable listings={data.listings} onDecide={(listing) => setAbout(aboutListing(listing))} />
          </Found>
        )}
      </Loaded>
      <DecideDialog about={about} onClose={() => setAbout(null)} />
    </div>
  );
}
