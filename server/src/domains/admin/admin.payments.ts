import { adminPageSize } from '@handwise/contract/admin/calls';
import type { PaymentBooks } from '@handwise/contract/admin/payments';
import { plans as planTable } from '@handwise/contract/plans/table';
import { formerMember } from '@handwise/contract/accounts/public-name';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import * as accounts from '../accounts/accounts.service.ts';
import * as listings from '../listings/listings.service.ts';
import * as payments from '../payments/payments.service.ts';
import * as plans from '../plans/plans.service.ts';

/** Puts names in the place of payers' ids. */
async function named<Row extends { payerId: string }>(db: Db, rows: readonly Row[]) {
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
export async function getPayment({ db, clock }: Pick<Context, 'db' | 'clock'>, id: string): Promise<PaymentBooks> {
  const { payerId, planId, refunds, ...books } = await payments.getPaymentRecord(db, id);
  const askers = refunds.flatMap(({ askedBy }) => askedBy ?? []);
  const [names, plan, bought] = await Promise.all([
    accounts.getNamesById(db, [payerId, ...askers]),
    plans.getPlan(db, planId),
    findBought(db, id, clock.now()),
  ]);
  const nameOf = (askedBy: string) => names.get(askedBy)?.name ?? formerMember;
  return {
    ...books,
    planName: plan.name,
    payer: names.get(payerId) ?? { _id: payerId, name: formerMember, username: '' },
    bought,
    refunds: refunds.map((refund) => ({ ...refund, askedByName: refund.askedBy === null ? null : nameOf(refund.askedBy) })),
  };
}

/** What a payment bought, with the listings that go off where it ends. */
async function findBought(db: Db, paymentId: string, now: Date): Promise<PaymentBooks['bought']> {
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
    listings: (await listings.listCovered(db, row.id)).map((listing) => ({
      _id: listing.id,
      listingNumber: listing.listing_number,
      serviceTitle: listing.service_title,
      status: listing.status,
    })),
  };
}

type Asked = { page?: number | undefined; limit?: number | undefined; status?: 'all' | 'open' | undefined };

export async function listDisputes(db: Db, { page = 1, limit = adminPageSize, status = 'all' }: Asked) {
  const { disputes, warnings, total } = await payments.listDisputesForAdmin(db, {
    open: status === 'open',
    skip: (page - 1) * limit,
    take: limit,
  });
  return {
    disputes: await named(db, disputes),
    warnings: await named(db, warnings),
    currentPage: page,
    totalPages: Math.ceil(total / limit),
    total,
  };
}
