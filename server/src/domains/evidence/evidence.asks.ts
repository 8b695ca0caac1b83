import type { BusinessRegister } from '@handwise/contract/evidence/business-number';
import type { Tx } from '../../kit/database/database.ts';

/** The business behind a listing. */
export type Business = { sellerId: string; businessTitle: string; serviceTitle: string };

/** A number that listings of other accounts have as well. */
export type SharedNumber = { listingId: string; sellerId: string; register: BusinessRegister; number: string; otherListingIds: string[] };

/** What the checks of numbers ask of the domains above them. */
export type EvidenceAsks = {
  /** Locked until the transaction ends; undefined where there is no such listing. */
  lockBusiness: (tx: Tx, listingId: string) => Promise<Business | undefined>;
  /** Says of a listing whether a register check of it holds. */
  setVerified: (tx: Tx, listingId: string, isVerified: boolean) => Promise<void>;
  /** Hears of each number, when it is asked about for the first time, that other listings have as well. */
  onSharedNumber: (tx: Tx, shared: SharedNumber) => Promise<void>;
};
