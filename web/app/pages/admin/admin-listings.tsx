import { paths } from '@handwise/contract/paths';
import { ListingSearch } from '../../domains/admin/desk/search/listing-search.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-listings';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Listings', description: 'Find a listing.', path: paths.adminListings, noIndex: true });

export default function AdminListingsPage() {
  return (
    <>
      <h1>Listings</h1>
      <ListingSearch />
    </>
  );
}
