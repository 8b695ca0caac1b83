import type { PaymentReturn } from '@handwise/contract/payments/return';
import type { Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { listOwnCards } from './payments.cards.queries.ts';
import { listOwnInvoices, listOwnNotes } from './payments.documents.ts';
import { type PaymentRow, listOwnDisputes, listOwnPayments } from './payments.queries.ts';
import { listOwnRefundData } from './payments.refunds.ts';

// The only domain that knows the payment provider; others take payments through these functions.

/** A user's own payment data. Card numbers are stored by the provider only. */
export const getOwnPaymentData = (db: Reader, userId: string): OwnData => ({
  lists: {
    payments: () => listOwnPayments(db, userId),
    invoices: () => listOwnInvoices(db, userId),
    refunds: () => listOwnRefundData(db, userId),
    'adjustment-notes': () => listOwnNotes(db, userId),
    disputes: () => listOwnDisputes(db, userId),
    cards: () => listOwnCards(db, userId),
  },
});

export { cancelOpenPayments, deletePayer } from './payments.account-deletion.ts';
export {
  chargePayment,
  type ChargeResult,
  collectPayment,
  getPayable,
  isAuthenticationRequired,
  isCardUseless,
  payIntent,
  payOpenPayment,
  type PaymentStart,
} from './payments.charge.ts';
export { howToStopLink } from './payments.emails.ts';
export { type PaymentMethodInput, parsePaymentMethod } from './payments.intents.ts';
export { connectPayments, type Fulfilment, type PaymentHooks, type Payments, type RefundHooks } from './payments.context.ts';
export { reconcilePayments } from './payments.reconcile.ts';
export { reconcileRefunds, requestRefund } from './payments.refunds.ts';
export { cancelPayment, confirmOwnIntent, syncIntent } from './payments.settle.ts';
export {
  getPaymentRecord,
  listDisputesForAdmin,
  type AdminPaymentRow,
  listPaymentsForAdmin,
  listDisputeWork,
  listPaymentWork,
  type PaymentFilter,
  searchPayments,
  countPaymentWork,
} from './payments.admin.ts';
export {
  isFullyRefunded,
  getOpenPaymentMetrics,
  findOpenChange,
  findOpenPurchase,
  findOpenRenewal,
  insertPayment,
} from './payments.queries.ts';
export { checkProvider, eventTypes, type Finding } from './payments.provider-check.ts';
export { getRejectedEvents } from './payments.webhooks.ts';
export { auditProvider } from './payments.provider-audit.ts';
export { type CardRow, findCard, findMeans, hasSharedCard, listCardSharers, listCardFingerprints } from './payments.cards.queries.ts';

export type Payment = PaymentRow;

/** The URL that a bank's own page returns to, on the request's host; `purpose` and `listingId` select the page. */
export type ReturnTo = (host: string | undefined, purpose: PaymentReturn, listingId?: string) => string;
