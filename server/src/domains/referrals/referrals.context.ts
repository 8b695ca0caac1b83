import type { z } from 'zod';
import type { CountryCode } from '@handwise/contract/markets';
import type { payable } from '@handwise/contract/plans/calls';
import type { WinnerStatus } from '@handwise/contract/referrals/calls';
import type { Reader } from '../../kit/database/database.ts';
import type { TicketContext } from '../tickets/tickets.service.ts';

/** Referrals issue tickets, so they need the same context. */
export type ReferralContext = TicketContext;

/** What referrals need from the domains above them. */
export type ReferralHooks = {
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

/** What entering a code at the payment needs from plans. */
export type ReferralPaymentHooks = {
  /** Throws `plan_not_found`. */
  checkPlan: (planId: string) => Promise<unknown>;
  /** Creates the payment, or reports that nothing is due. */
  begin: (
    userId: string,
    terms: { planId: string; country: CountryCode | undefined; businessNumber: string | null | undefined },
    market: CountryCode | null,
  ) => Promise<z.output<typeof payable>>;
};

/** What the functions of this domain get passed. */
export type ReferralParts = { context: ReferralContext; hooks: ReferralHooks };
