import type { Reader, Tx } from '../../kit/database/database.ts';
import type { SubscriptionRow } from './plans.queries.ts';

/** What plans need from the domains above them. */
export type PlanHooks = {
  /** The time zone of each subscription's first listing. */
  timeZonesOf: (db: Reader, subscriptionIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  moveListings: (tx: Tx, from: SubscriptionRow, to: SubscriptionRow) => Promise<unknown>;
  /** A subscription's listings that moderators have left to their seller, oldest first, and whether their trade and country are open. */
  listListings: (db: Reader, subscriptionId: string) => Promise<{ id: string; title: string; isOpen: boolean }[]>;
  /** Notes that the email about a lapsed renewal says that the listings have ended, so that no other one does. */
  noteListingsEnded: (tx: Tx, subscriptionId: string) => Promise<unknown>;
};
