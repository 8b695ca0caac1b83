import { adminPageSize } from '@handwise/contract/admin';
import type { PaymentBooks } from '@handwise/contract/admin-payments';
import type { Db } from '../../kit/database/database.ts';
import * as accounts from '../accounts/accounts.service.ts';
import * as payments from '../payments/payments.service.ts';

/** Puts names in the place of payers' ids. */
async function named<Row extends { payerId: string }>(db: Db, rows: readonly Row[]) {
  const names = await accounts.namesOf(
    db,
    rows.map(({ payerId }) => payerId),
  );
  return rows.map(({ payerId, ...row }) => ({
    ...row,
    payer: names.get(payerId) ?? { _id: payerId, name: 'Former member', username: '' },
  }));
}

/** Throws `payment_not_found`. */
export async function getPayment(db: Db, id: string): Promise<PaymentBooks> {
  const [books] = await named(db, [await payments.getBooks(db, id)]);
  if (!books) throw new Error('a payment without books');
  return books;
}

type Asked = { page?: number | undefined; limit?: number | undefined; status?: 'all' | 'open' | undefined };

export async function listDisputes(db: Db, { page = 1, limit = adminPageSize, status = 'all' }: Asked) {
  const { disputes, warnings, total } = await payments.listDisputes(db, { open: status === 'open', skip: (page - 1) * limit, take: limit });
  return {
    disputes: await named(db, disputes),
    warnings: await named(db, warnings),
    currentPage: page,
    totalPages: Math.ceil(total / limit),
    total,
  };
}
