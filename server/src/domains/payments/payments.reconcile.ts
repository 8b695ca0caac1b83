import { AppError } from '../../kit/errors.ts';
import { ProviderError, isMissingAtProvider } from '../../kit/integrations/provider-error.ts';
import { callProvider } from '../../kit/integrations/stripe.ts';
import type { Payments } from './payments.context.ts';
import { syncDispute, syncWarning } from './payments.disputes.ts';
import {
  findNewestPaymentAccount,
  listFoundPayments,
  listPaymentStatuses,
  listPendingFoundPayments,
  setScannedUntil,
} from './payments.found.queries.ts';
import { refundFoundPayment } from './payments.found.ts';
import { findIntent } from './payments.intents.ts';
import { formatAccount, getPaymentSite, isOfAccount } from './payments.provider-account.ts';
import { listDisputesBetween, listKnownWarningIds, listRefundsByProviderId } from './payments.provider-audit.ts';
import { type PaymentRow, listDisputes, listDuePayments, setPaymentCheck, setPaymentFailing } from './payments.queries.ts';
import { syncRefund } from './payments.refunds.ts';
import { abandonedAfterHours, nextCheckAt } from './payments.rules.ts';
import { cancelPayment, settleIntent, syncIntent } from './payments.settle.ts';
import { isPaid, isPaymentOpen } from './payments.states.ts';

/** After this many failures in a row the fault is the provider's or our keys', so the other payments wait for the next run. */
const maxConsecutiveFailures = 3;

/**
 * Syncs open payments with the provider, because browsers close, webhooks get lost and servers die. Cancels those that stay unpaid for a
 * day.
 */
export async function reconcilePayments(deps: Payments, atOnce = false): Promise<void> {
  const { db, clock } = deps.context;
  const most = 200;
  const failures: unknown[] = [];
  let consecutiveFailures = 0;
  for (const payment of await listDuePayments(db, atOnce ? null : clock.now(), most)) {
    await setPaymentCheck(db, payment.id, nextCheckAt(payment.created_at, clock.now()));
    try {
      await reconcilePayment(deps, payment);
      await setPaymentFailing(db, payment.id, null);
      consecutiveFailures = 0;
    } catch (error) {
      // A payment that cannot be booked must not block the others.
      if (error instanceof AppError && error.code === 'payment_processing') continue;
      failures.push(error);
      await setPaymentFailing(db, payment.id, clock.now());
      consecutiveFailures = error instanceof ProviderError ? consecutiveFailures + 1 : 0;
      if (consecutiveFailures === maxConsecutiveFailures) break;
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} open payments could not be reconciled`);
}

async function reconcilePayment(deps: Payments, payment: PaymentRow): Promise<void> {
  const intent = await findIntent(deps, payment);
  // No client ever got its secret, so it cannot be paid.
  if (!intent) return cancelPayment(deps, payment);
  const settled = await settleIntent(deps, intent);
  const age = deps.context.clock.now().getTime() - payment.created_at.getTime();
  const isAbandoned = age > abandonedAfterHours * 3_600_000 && intent.status !== 'processing';
  if (settled && isPaymentOpen(settled) && isAbandoned) await cancelPayment(deps, settled);
}

const hourMs = 3_600_000;
// A payment started a day ago may have been paid since.
const scanOverlapMs = (abandonedAfterHours + 1) * hourMs;

/**
 * Syncs whatever the provider has listed since the last scan and the database does not know. The time of that scan is in the database, so
 * that a restored backup is scanned from its own time on.
 */
export async function scanProvider(deps: Payments): Promise<void> {
  const { db, clock } = deps.context;
  if (await hasForeignKeys(deps)) return;
  const now = clock.now();
  const { looked_until: before } = await getPaymentSite(db);
  const created = { gte: Math.floor((Math.min(before.getTime(), now.getTime()) - scanOverlapMs) / 1000) };
  const failures: unknown[] = [];
  const collectFailure = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      // An item that cannot be booked must not block the others.
      failures.push(error);
    }
  };
  const { paymentIntents, refunds, disputes, radar } = deps.stripe;
  await forEachPage(paymentIntents.list({ created, limit: 100 }), async (page) => {
    const known = new Map((await listPaymentStatuses(db, getIds(page))).map((row) => [row.intent_id, row.status]));
    const found = new Set((await listFoundPayments(db, getIds(page))).map((row) => row.intent_id));
    for (const intent of page) {
      const { id, metadata } = intent;
      const status = known.get(id);
      if (intent.status !== 'succeeded' || !metadata['paymentId'] || found.has(id) || (status && isPaid({ status }))) continue;
      await collectFailure(() => syncIntent(deps, id));
    }
  });
  await forEachPage(refunds.list({ created, limit: 100 }), async (page) => {
    const known = new Map((await listRefundsByProviderId(db, getIds(page))).map((row) => [row.provider_id, row.status]));
    for (const { id } of page) if (!known.has(id)) await collectFailure(() => syncRefund(deps, id));
  });
  await forEachPage(disputes.list({ created, limit: 100 }), async (page) => {
    const rows = await listDisputesBetween(db, { from: now, to: now }, getIds(page));
    const known = new Map(rows.map((row) => [row.provider_id, row.status as string]));
    for (const { id, status } of page) if (known.get(id) !== status) await collectFailure(() => syncDispute(deps, id));
  });
  await forEachPage(radar.earlyFraudWarnings.list({ created, limit: 100 }), async (page) => {
    const known = new Set(await listKnownWarningIds(db, getIds(page)));
    for (const { id } of page) if (!known.has(id)) await collectFailure(() => syncWarning(deps, id));
  });
  // Older disputes may have been decided in the lost time.
  for (const { provider_id: id } of await listDisputes(db, { open: true, skip: 0, take: 1_000 }))
    await collectFailure(() => ignoreMissing(syncDispute(deps, id)));
  for (const { intent_id: id } of await listPendingFoundPayments(db))
    await collectFailure(() => ignoreMissing(refundFoundPayment(deps, id)));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} items from the provider could not be booked`);
  await setScannedUntil(db, now);
}

/**
 * Whether our keys belong to another account or mode than the newest payments, as after a restore with the wrong keys. Such a scan would
 * find nothing, so it must not count; the right keys continue from the last one.
 */
async function hasForeignKeys({ account, context: { db, logger } }: Payments): Promise<boolean> {
  const here = await account.load();
  const newest = await findNewestPaymentAccount(db);
  if (!newest || isOfAccount(newest, here)) return false;
  const madeWith = formatAccount({ id: newest.account, livemode: newest.livemode === true });
  logger.error(
    { keys: formatAccount(here), payments: madeWith },
    `the keys of the payment provider belong to ${formatAccount(here)}, but the newest payments were made with those of ${madeWith}: the provider is not searched until the keys are right or somebody has paid with these`,
  );
  return true;
}

// Items of a former account are missing at the provider and must not block the scan.
const ignoreMissing = (work: Promise<void>) =>
  work.catch((error: unknown) => {
    if (!isMissingAtProvider(error)) throw error;
  });

const getIds = (page: readonly { id: string }[]) => page.map(({ id }) => id);

const pageSize = 100;

/** Works on a hundred items at a time, so that a long list is never in memory whole. */
export const forEachPage = <T>(list: AsyncIterable<T>, work: (page: T[]) => Promise<void>): Promise<void> =>
  callProvider(
    (async () => {
      let page: T[] = [];
      for await (const item of list) {
        page.push(item);
        if (page.length < pageSize) continue;
        await work(page);
        page = [];
      }
      await work(page);
    })(),
  );
