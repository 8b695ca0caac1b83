import { adminPaths } from '@handwise/contract/admin/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-listings';
import { useQuery } from '@tanstack/react-query';
import { startTransition, useState } from 'react';
import { useSearchParams } from 'react-router';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import styles from '../../domains/admin/desk/admin.module.css';
import { foundListings } from '../../domains/admin/desk/admin-queries.ts';
import { aboutListing, DecideDialog, type DecidedAbout } from '../../domains/admin/desk/decision-form.tsx';
import { findChosenOption, QueryFilterLinks, ResultList, Loaded, SearchBar } from '../../domains/admin/desk/list-parts.tsx';
import { ListingTable } from '../../domains/admin/desk/tables.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Listings', description: 'Find a listing.', path: adminPaths.listings, noIndex: true });

export default function AdminListingsPage() {
  return (
    <>
      <h1>Listings</h1>
      <ListingSearch />
    </>
  );
}

const states = [
  { value: '', name: 'All' },
  { value: 'active', name: 'Active' },
  { value: 'inactive', name: 'Inactive' },
  { value: 'expired', name: 'Expired' },
  { value: 'hidden', name: 'Hidden' },
] as const;

/** Listings in any state, with their moderation actions. */
function ListingSearch() {
  const [search] = useSearchParams();
  const [about, setAbout] = useState<DecidedAbout | null>(null);
  const status = findChosenOption(states, search.get('status'));
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(foundListings({ q: search.get('q') ?? '', status: status ?? 'all', page: String(page) }));
  return (
    <div className={styles.stack}>
      <SearchBar label="Find a listing" hint="Number, id, words from the title or business name, or the seller’s @name or email" />
      <QueryFilterLinks label="State" name="status" options={states} />
      <Loaded query={query}>
        {(data) => (
          <ResultList one="listing" page={page} totalPages={data.totalPages} total={data.total}>
            <ListingTable listings={data.listings} onDecide={(listing) => startTransition(() => setAbout(aboutListing(listing)))} />
          </ResultList>
        )}
      </Loaded>
      <DecideDialog about={about} onClose={() => setAbout(null)} />
    </div>
  );
}
