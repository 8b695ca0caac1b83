import type { Tx } from '../../kit/database/database.ts';

/** A listing that this transaction publishes. */
export type Published = {
  id: string;
  number: number;
  sellerId: string;
  businessEmail: string;
  title: string;
  planName: string;
  endsAt: Date;
  timeZone: string;
};

/** What selling needs from the domains above it. */
export type SellingHooks = {
  /** Called in the transaction of the publication. */
  onPublished: (tx: Tx, published: Published) => Promise<void>;
};
