import type { BusinessRegister } from '@handwise/contract/registers/business-number';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { Registers } from '../../kit/integrations/registers.ts';

export type RegisterContext = Context & {
  /** The public registers of businesses. */
  registers: Registers;
};

/** The business behind a listing. */
export type Business = { sellerId: string; businessTitle: string; serviceTitle: string };

/** A number that other listings use too. */
export type SharedNumber = { listingId: string; sellerId: string; register: BusinessRegister; number: string; otherListingIds: string[] };

/** A licence that a register does not confirm. */
export type RefusedLicence = { listingId: string; sellerId: string; title: string; reason: string; administratorId: string | null };

/** What is said about a listing beside its claim. */
export type ClaimingBusiness = { businessTitle: string; serviceTitle: string; licenceClass: string | null };

/** What this domain needs from the domains above it. */
export type RegisterHooks = {
  /** Locks the listing until the transaction ends; undefined if it does not exist. */
  lockBusiness: (tx: Tx, listingId: string) => Promise<Business | undefined>;
  /** Sets whether a listing counts as verified. */
  setVerified: (tx: Tx, listingId: string, isVerified: boolean) => Promise<void>;
  /** Sets whether a listing's licence is hidden. Always writes, so that its pages are built again. */
  setLicenceHidden: (tx: Tx, listingId: string, isHidden: boolean) => Promise<void>;
  /** Called when a licence is hidden. */
  onLicenceRefused: (context: Context, tx: Tx, refused: RefusedLicence) => Promise<void>;
  listBusinesses: (db: Reader, listingIds: readonly string[]) => Promise<Map<string, ClaimingBusiness>>;
  /** Called on the first check of a number that other listings use too. */
  onSharedNumber: (tx: Tx, shared: SharedNumber) => Promise<void>;
};
