import type { RefundForm } from '@handwise/contract/admin/payments';
import type { PaymentReturn } from '@handwise/contract/payments/return';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { type StripeSettings, openStripe } from '../../kit/integrations/stripe.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { cancelOpenPayments, deleteCustomer, deletePayer } from './payments.account-deletion.ts';
import { toAdminRefund } from './payments.admin.ts';
import { type CardRow, listOwnCards } from './payments.cards.queries.ts';
import { addCard, confirmSetup, createSetupIntent, deleteCard, detachCard, listCards } from './payments.cards.ts';
import {
  type PayOptions,
  type PaymentStart,
  chargePayment,
  collectPayment,
  getPayable,
  payIntent,
  payOpenPayment,
} from './payments.charge.ts';
import type { PaymentDeps } from './payments.deps.ts';
import { listOwnInvoices, listOwnNotes } from './payments.documents.ts';
import { refundFoundPayment } from './payments.found.ts';
import { type PaymentMethodInput, resolvePaymentMethod } from './payments.intents.ts';
import { openPaymentSite, openProviderAccount } from './payments.provider-account.ts';
import { type NewPayment, type PaymentRow, listOwnDisputes, listOwnPayments } from './payments.queries.ts';
import { reconcilePayments, scanProvider } from './payments.reconcile.ts';
import { listOwnRefundData, reconcileRefunds, requestRefund, sendRefund } from './payments.refunds.ts';
import { cancelPayment, confirmOwnIntent, syncIntent } from './payments.settle.ts';
import { deleteOldEvents, processEvent, receiveEvent } from './payments.webhooks.ts';

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

export { type ChargeResult, type PaymentStart, isAuthenticationRequired, isCardUseless } from './payments.charge.ts';
export { howToStopLink } from './payments.emails.ts';
export { type PaymentMethodInput, parsePaymentMethod } from './payments.intents.ts';
export { type Fulfilment, type RefundHooks, type OnPaid } from './payments.deps.ts';
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

/** The only domain that knows the payment provider; others take payments through this class. */
export class Payments {
  readonly #deps: PaymentDeps;
  readonly #webhookSecret: string;

  constructor(parts: Omit<PaymentDeps, 'stripe' | 'account' | 'site'> & { stripe: StripeSettings }) {
    let opened: ReturnType<typeof openStripe> | undefined;
    const stripe = () => (opened ??= openStripe(parts.stripe));
    this.#deps = {
      ...parts,
      // Opened lazily.
      get stripe() {
        return stripe();
      },
      account: openProviderAccount(stripe, parts.stripe.secretKey),
      site: openPaymentSite(parts.context.db),
    };
    this.#webhookSecret = parts.stripe.webhookSecret;
  }

  collect<Answer>(
    terms: NewPayment,
    begin: () => Promise<PaymentStart<Answer>>,
    pay: (payment: Payment) => Promise<Answer | undefined>,
  ): Promise<Answer> {
    return collectPayment(this.#deps, terms, begin, pay);
  }

  listCards(userId: string) {
    return listCards(this.#deps, userId);
  }

  getPayable(payment: Payment) {
    return getPayable(this.#deps, payment);
  }

  charge(payment: Payment, card: CardRow, returnUrl: string | null) {
    return chargePayment(this.#deps, payment, card, returnUrl);
  }

  /** Cancels an open payment, or books it if it was paid meanwhile. */
  cancel(payment: Payment) {
    return cancelPayment(this.#deps, payment, 'canceled');
  }

  payOpenPayment(payment: Payment, by: PayOptions) {
    return payOpenPayment(this.#deps, payment, by);
  }

  /** Pays the user's own open payment for a new plan. */
  async payIntent(userId: string, intentId: string, by: PaymentMethodInput & Omit<PayOptions, 'method'>) {
    return payIntent(this.#deps, userId, intentId, { ...by, method: await resolvePaymentMethod(this.#deps, userId, by) });
  }

  confirm(userId: string, intentId: string) {
    return confirmOwnIntent(this.#deps, userId, intentId);
  }

  createSetupIntent(userId: string) {
    return createSetupIntent(this.#deps, userId);
  }

  async confirmSetup(userId: string, setupIntentId: string, input: PaymentMethodInput, returnUrl: string) {
    return confirmSetup(this.#deps, userId, setupIntentId, { method: await resolvePaymentMethod(this.#deps, userId, input), returnUrl });
  }

  addCard(userId: string, setupIntentId: string) {
    return addCard(this.#deps, userId, setupIntentId);
  }

  deleteCard(userId: string, id: string) {
    return deleteCard(this.#deps, userId, id);
  }

  detachCard(paymentMethodId: string) {
    return detachCard(this.#deps, paymentMethodId);
  }

  cancelOpenPayments(userId: string) {
    return cancelOpenPayments(this.#deps, userId);
  }

  deletePayer(tx: Tx, userId: string) {
    return deletePayer(this.#deps, tx, userId);
  }

  deleteCustomer(customerId: string) {
    return deleteCustomer(this.#deps, customerId);
  }

  sendRefund(refundId: string) {
    return sendRefund(this.#deps, refundId);
  }

  reconcileRefunds(atOnce = false) {
    return reconcileRefunds(this.#deps, atOnce);
  }

  async requestRefund(administratorId: string, paymentId: string, form: RefundForm) {
    return toAdminRefund(await requestRefund(this.#deps, administratorId, paymentId, form));
  }

  reconcile(atOnce?: boolean) {
    return reconcilePayments(this.#deps, atOnce);
  }

  scanProvider() {
    return scanProvider(this.#deps);
  }

  refundFoundPayment(intentId: string) {
    return refundFoundPayment(this.#deps, intentId);
  }

  syncIntent(intentId: string) {
    return syncIntent(this.#deps, intentId);
  }

  /** Receives a webhook. Throws `webhook_signature_invalid` and `malformed_request`. */
  receiveEvent(body: unknown, signature: unknown) {
    return receiveEvent(this.#deps, this.#webhookSecret, body, signature);
  }

  processEvent(eventId: string) {
    return processEvent(this.#deps, eventId);
  }

  deleteOldEvents() {
    return deleteOldEvents(this.#deps);
  }
}
