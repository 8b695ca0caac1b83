import { paths } from '@handwise/contract/paths';
import { SavedListings } from '../../domains/saved/saved-listings.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { ListingTabs } from '../layouts/listing-tabs.tsx';
import styles from './saved-listings.module.css';
import type { Route } from './+types/saved-listings';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Saved Listings',
    description: 'The listings you keep for later.',
    path: paths.savedListings,
    noIndex: true,
  });

export default function SavedListingsPage() {
  return (
    <div className={styles.page}>
      <h1 className={styles.heading}>Saved Listings</h1>
      <ListingTabs />
      <SavedListings />
    </div>
  );
}
