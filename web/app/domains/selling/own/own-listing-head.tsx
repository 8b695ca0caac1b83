import type { Listing } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './own-listing-head.module.css';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

/** A page about one of one's listings: what is done to it, to which one, and the way back to all of them. */
export const OwnListingHead = ({ title, listing }: { title: string; listing: Listing }) => (
  <header className={styles.head}>
    <p className={styles.back}>
      <Link to={paths.ownListings}>My Listings</Link>
    </p>
    <h1>{title}</h1>
    <p className={styles.listing}>
      {listing.serviceTitle} <span className="muted">Listing #{listing.listingNumber}</span>
    </p>
  </header>
);

export const OwnListingPage = ({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) => (
  <div className={narrow ? `${styles.page} ${styles.narrow}` : styles.page}>{children}</div>
);

/** Instead of a page about a listing that is missing or somebody else's: which of the two is not told. */
export const NotYours = () => (
  <EmptyState
    title="This listing isn't here"
    drawing="signpost"
    level={1}
    action={<ButtonLink to={paths.ownListings}>My Listings</ButtonLink>}
  >
    It may have been removed, or belong to another account.
  </EmptyState>
);
