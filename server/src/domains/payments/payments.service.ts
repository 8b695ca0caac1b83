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

export { type ChargeResult, type PaymentStart, isAuthenticationRequired } from './payments.charge.ts';
export { howToStopLink } from './payments.emails.ts';
export { type PaymentMethodInput, parsePaymentMethod } from './payments.intents.ts';
export { type Fulfilment, type RefundHooks, type OnPaid } from './payments.deps.ts';
export {
  getPaymentRecord,
  listDisputesForAdmin,
  type AdminPaymentRow,
  listPaymentsForAdmin,
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
export { type CardRow, findCard, hasSharedCard, listCardSharers, listCardFingerprints } from './payments.cards.queries.ts';

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

  listCards = (userId: string) => listCards(this.#deps, userId);
  getPayable = (payment: Payment) => getPayable(this.#deps, payment);
  charge = (payment: Payment, card: CardRow, returnUrl: string | null) => chargePayment(this.#deps, payment, card, returnUrl);
  /** Cancels an open payment, or books it if it was paid meanwhile. */
  cancel = (payment: Payment) => cancelPayment(this.#deps, payment, 'canceled');
  payOpenPayment = (payment: Payment, by: PayOptions) => payOpenPayment(this.#deps, payment, by);
  /** Pays the user's own open payment for a new plan. */
  payIntent = async (userId: string, intentId: string, by: PaymentMethodInput & Omit<PayOptions, 'method'>) =>
    payIntent(this.#deps, userId, intentId, { ...by, method: await resolvePaymentMethod(this.#deps, userId, by) });
  confirm = (userId: string, intentId: string) => confirmOwnIntent(this.#deps, userId, intentId);
  createSetupIntent = (userId: string) => createSetupIntent(this.#deps, userId);
  confirmSetup = async (userId: string, setupIntentId: string, input: PaymentMethodInput, returnUrl: string) =>
    confirmSetup(this.#deps, userId, setupIntentId, { method: await resolvePaymentMethod(this.#deps, userId, input), returnUrl });
  addCard = (userId: string, setupIntentId: string) => addCard(this.#deps, userId, setupIntentId);
  deleteCard = (userId: string, id: string) => deleteCard(this.#deps, userId, id);
  detachCard = (paymentMethodId: string) => detachCard(this.#deps, paymentMethodId);
  cancelOpenPayments = (userId: string) => cancelOpenPayments(this.#deps, userId);
  deletePayer = (tx: Tx, userId: string) => deletePayer(this.#deps, tx, userId);
  deleteCustomer = (customerId: string) => deleteCustomer(this.#deps, customerId);
  sendRefund = (refundId: string) => sendRefund(this.#deps, refundId);
  reconcileRefunds = (atOnce = false) => reconcileRefunds(this.#deps, atOnce);
  requestRefund = async (administratorId: string, paymentId: string, form: RefundForm) =>
    toAdminRefund(await requestRefund(this.#deps, administratorId, paymentId, form));
  reconcile = (atOnce?: boolean) => reconcilePayments(this.#deps, atOnce);
  scanProvider = () => scanProvider(this.#deps);
  refundFoundPayment = (intentId: string) => refundFoundPayment(this.#deps, intentId);

  syncIntent = (intentId: string) => syncIntent(this.#deps, intentId);

  /** Receives a webhook. Throws `webhook_signature_invalid` and `malformed_request`. */
  receiveEvent = (body: unknown, signature: unknown) => receiveEvent(this.#deps, this.#webhookSecret, body, signature);
  processEvent = (eventId: string) => processEvent(this.#deps, eventId);
  deleteOldEvents = () => deleteOldEvents(this.#deps);
}
