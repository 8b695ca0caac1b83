import type { WinnerStatus } from '@handwise/contract/referrals/calls';
import type { Reader } from '../../kit/database/database.ts';
import type { TicketContext } from '../tickets/tickets.service.ts';

/** Referrals issue tickets, so they need the same context. */
export type ReferralContext = TicketContext;

/** Queries that domains above this one answer. */
export type ReferralPort = {
  /** A code makes only the first plan free. */
  hasHadPlan: (db: Reader, userId: string) => Promise<boolean>;
  /** The cards that a user has saved or paid with, each with the other users of that card. */
  listCardSharers: (db: Reader, userId: string) => Promise<readonly { isPaid: boolean; others: readonly string[] }[]>;
  /** Whether a user has paid, with money that has not gone back, and the fingerprints of their saved cards that no other account has used. */
  findMeans: (db: Reader, userId: string) => Promise<{ hasPaid: boolean; ownCards: readonly string[] }>;
  findFirstListing: (db: Reader, userId: string) => Promise<string | undefined>;
  listTitles: (db: Reader, listingIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  getWinnerStatus: (db: Reader, userId: string) => Promise<WinnerStatus>;
};

export type ReferralDeps = { context: ReferralContext; port: ReferralPort };
