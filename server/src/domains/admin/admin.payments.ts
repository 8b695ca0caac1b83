import { formerMember } from '@handwise/contract/accounts/public-name';
import { adminPageSize } from '@handwise/contract/admin/calls';
import type { PaymentLedger } from '@handwise/contract/admin/payments';
import { plans as planTable } from '@handwise/contract/plans/table';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import * as accounts from '../accounts/accounts.service.ts';
import * as listings from '../listings/listings.service.ts';
import * as payments from '../payments/payments.service.ts';
import * as plans from '../plans/plans.service.ts';

/** Replaces payers' ids by their names. */
async function withPayers<Row extends { payerId: string }>(db: Db, rows: readonly Row[]) {
  const names = await accounts.getNamesById(
    db,
    rows.map(({ payerId }) => payerId),
  );
  return rows.map(({ payerId, ...row }) => ({
    ...row,
    payer: names.get(payerId) ?? { _id: payerId, name: formerMember, username: '' },
  }));
}

/** Throws `payment_not_found`. */
export async function getPayment({ db, clock }: Pick<Context, 'db' | 'clock'>, id: string): Promise<PaymentLedger> {
  const { payerId, planId, refunds, ...ledger } = await payments.getPaymentRecord(db, id);
  const requesters = refunds.flatMap(({ askedBy }) => askedBy ?? []);
  const [names, plan, bought] = await Promise.all([
    accounts.getNamesById(db, [payerId, ...requesters]),
    plans.getPlan(db, planId),
    findBought(db, id, clock.now()),
  ]);
  const nameOf = (userId: string) => names.get(userId)?.name ?? formerMember;
  return {
    ...ledger,
    planName: plan.name,
    payer: names.get(payerId) ?? { _id: payerId, name: formerMember, username: '' },
    bought,
    refunds: refunds.map((refund) => ({ ...refund, askedByName: refund.askedBy === null ? null : nameOf(refund.askedBy) })),
  };
}

/** The subscription that a payment bought, with the listings that end with it. */
async function findBought(db: Db, paymentId: string, now: Date): Promise<PaymentLedger['bought']> {
  const row = await plans.findSubscriptionOfPayment(db, paymentId);
  if (!row) return null;
  return {
    planName: planTable[row.plan_type].name,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    isRunning: plans.isRunning(row, now),
    isReplaced: row.replaced_by !== null,
    isReturned: row.returned_at !== null,
    isDisputed: row.disputed_at !== null,
    listings: (await listings.listListingsOfSubscription(db, row.id)).map((listing) => ({
      _id: listing.id,
      listingNumber: listing.listing_number,
      serviceTitle: listing.service_title,
      status: listing.status,
    })),
  };
}

type DisputeQuery = { page?: number | undefined; limit?: number | undefined; status?: 'all' | 'open' | undefined };

export async function listDisputesWithPayers(db: Db, { page = 1, limit = adminPageSize, status = 'all' }: DisputeQuery) {
  const { disputes, warnings, total } = await payments.listDisputesForAdmin(db, {
    open: status === 'open',
    skip: (page - 1) * limit,
    take: limit,
  });
  return {
    disputes: await withPayers(db, disputes),
    warnings: await withPayers(db, warnings),
    currentPage: page,
    totalPages: Math.ceil(total / limit),
    total,
  };
}
