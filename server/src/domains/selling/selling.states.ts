import type { ListingStatus } from '@handwise/contract/listings';

/** The life of a listing. The database holds the same table (migration 005). */
export const listingTransitions = {
  active: ['inactive', 'expired'],
  inactive: ['active', 'expired'],
  expired: ['active'],
} as const satisfies Record<ListingStatus, readonly ListingStatus[]>;
