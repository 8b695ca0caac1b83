import type { Reader } from '../../../kit/database/database.ts';

type Period = { from: Date; to: Date };

const payments = (db: Reader) =>
  db.selectFrom('payments').select(['id', 'intent_id', 'status', 'captured_minor', 'currency', 'account', 'livemode']);
const refunds = (db: Reader) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.provider_id', 'refunds.status', 'refunds.amount_minor', 'payments.account', 'payments.livemode']);
const disputes = (db: Reader) =>
  db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .select(['disputes.id', 'disputes.provider_id', 'disputes.status', 'disputes.amount_minor', 'payments.account', 'payments.livemode']);

export type PaymentRow = Awaited<ReturnType<ReturnType<typeof payments>['execute']>>[number];
export type RefundRow = Awaited<ReturnType<ReturnType<typeof refunds>['execute']>>[number];

/** Some of many ids at a time: a statement has room for so many. */
async function inTurns<Row>(ids: readonly string[], read: (some: string[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < ids.length; at += 5_000) rows.push(...(await read(ids.slice(at, at + 5_000))));
  return rows;
}

export const listPaymentsOfIntents = (db: Reader, intentIds: readonly string[]) =>
  inTurns(intentIds, (some) => payments(db).where('intent_id', 'in', some).execute());

export const listPaidBetween = (db: Reader, { from, to }: Period) =>
  payments(db).where('status', '=', 'succeeded').where('created_at', '>=', from).where('created_at', '<', to).execute();

export const listRefundsOf = (db: Reader, providerIds: readonly string[]) =>
  inTurns(providerIds, (some) => refunds(db).where('refunds.provider_id', 'in', some).execute());

export const listRefundsBetween = (db: Reader, { from, to }: Period) =>
  refunds(db)
    .where('refunds.provider_id', 'is not', null)
    .where('refunds.created_at', '>=', from)
    .where('refunds.created_at', '<', to)
    .execute();

/** Disputes that the provider has named, and all that were opened in the period. */
export const listDisputesBetween = async (db: Reader, { from, to }: Period, providerIds: readonly string[]) => [
  ...(await inTurns(providerIds, (some) => disputes(db).where('disputes.provider_id', 'in', some).execute())),
  ...(await disputes(db).where('opened_at', '>=', from).where('opened_at', '<', to).execute()),
];

export const listWarningsOf = async (db: Reader, providerIds: readonly string[]) =>
  (
    await inTurns(providerIds, (some) => db.selectFrom('fraud_warnings').select('provider_id').where('provider_id', 'in', some).execute())
  ).map((row) => row.provider_id);
