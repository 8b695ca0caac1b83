import type { Listing } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './own-listing-head.module.css';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

/** The heading of a page about the member's own listing: the action, the listing and a link to all. */
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

/** Replaces the page of a listing that is missing or someone else's, without saying which. */
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
