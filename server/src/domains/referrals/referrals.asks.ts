import type { WinnerStatus } from '@handwise/contract/referrals/calls';
import type { Reader } from '../../kit/database/database.ts';

/** What referrals ask of the domains above them. */
export type ReferralAsks = {
  /** Whether an account has had its first plan, which alone a code makes free. */
  hasHadPlan: (db: Reader, userId: string) => Promise<boolean>;
  /** The cards that somebody has saved or paid with, each with the others who have. */
  listCardSharers: (db: Reader, userId: string) => Promise<readonly { isPaid: boolean; others: readonly string[] }[]>;
  /** Somebody's first listing; undefined where they never had one. */
  findFirstListing: (db: Reader, userId: string) => Promise<string | undefined>;
  /** Titles of listings by their ids. */
  titlesOf: (db: Reader, listingIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Whether somebody has won a draw, and which. */
  winnerOf: (db: Reader, userId: string) => Promise<WinnerStatus>;
};
