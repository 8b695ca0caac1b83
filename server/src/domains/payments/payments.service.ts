import type { Reader, Tx } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { type StripeSettings, openStripe } from '../../kit/outside/stripe.ts';
import * as cards from './cards/payments.cards.ts';
import { confirmSetup } from './cards/payments.set-up.ts';
import * as charging from './intents/payments.charge.ts';
import { type Begun, collect } from './intents/payments.collect.ts';
import { openAccount } from './customers/payments.account.ts';
import * as events from './events/payments.events.ts';
import * as leaving from './payments.leaving.ts';
import type { Parts } from './payments.parts.ts';
import { listOwnDisputes } from './disputes/payments.disputes.queries.ts';
import { asRefund } from './payments.books.ts';
import * as queries from './payments.queries.ts';
import type { CardRow, NewPayment, PaymentRow } from './payments.queries.ts';
import { lookAtProvider } from './found/payments.found.look.ts';
import { sendFoundBack } from './found/payments.found.return.ts';
import { openSite } from './found/payments.site.ts';
import { reconcile } from './intents/payments.reconcile.ts';
import { chosenMeans, type GivenMeans } from './intents/payments.means.ts';
import { type PayBy, payBy, payIntent } from './intents/payments.pay.ts';
import { confirm, hearOfIntent } from './intents/payments.settle.ts';
import type { PaymentReturn } from '@handwise/contract/payments/return';
import type { RefundForm } from '@handwise/contract/admin/payments';
import { askRefund } from './refunds/payments.refunds.ask.ts';
import { reconcileRefunds } from './refunds/payments.refunds.hear.ts';
import { listNotesForOwner, listRefundsForOwner } from './refunds/payments.refunds.own.ts';
import { sendRefund } from './refunds/payments.refunds.send.ts';

/** What is kept of somebody's payments. A card's number is known to the provider alone. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: {
    payments: () => queries.listOwnPayments(db, userId),
    invoices: () => queries.listOwnInvoices(db, userId),
    refunds: () => listRefundsForOwner(db, userId),
    'adjustment-notes': () => listNotesForOwner(db, userId),
    disputes: () => listOwnDisputes(db, userId),
    cards: () => queries.listOwnCards(db, userId),
  },
  pictures: [],
});

export type Payment = PaymentRow;
export type { Charged } from './intents/payments.charge.ts';
export type { Begun };
export { type GivenMeans, meansOf } from './intents/payments.means.ts';
export type { Fulfilment, OnMoneyBack, OnPaid } from './payments.parts.ts';
export { getBooks, listDisputes } from './payments.books.ts';
export { isReturned } from './refunds/payments.refunds.queries.ts';
export { type DirectoryRow, listForAdmin, type PaymentStatus, searchForAdmin } from './payments.desk.ts';
export { checkProvider, eventTypes, type Finding } from './check/payments.check.ts';
export { refusedEvents } from './events/payments.refusals.ts';
export { auditProvider } from './audit/payments.provider-audit.ts';
export { countMoneyWork } from './payments.moderation.ts';
export { openPaymentFigures } from './payments.figures.ts';
export const { findCard, findOpenChange, findOpenPurchase, haveSharedCard, insertPayment, listCardSharers, listSavedCards } = queries;

/** Where a bank's own page leads back to, on the host that was asked: `purpose` and `listingId` say how one goes on there. */
export type ReturnTo = (host: string | undefined, purpose: PaymentReturn, listingId?: string) => string;

/** Taking payments. It alone knows the provider: whoever has something to sell asks here. */
export class Payments {
  readonly #parts: Parts;
  readonly #webhookSecret: string;

  constructor(given: Omit<Parts, 'stripe' | 'account' | 'site'> & { stripe: StripeSettings }) {
    let opened: ReturnType<typeof openStripe> | undefined;
    const stripe = () => (opened ??= openStripe(given.stripe));
    this.#parts = {
      ...given,
      // Opened by whoever needs it first.
      get stripe() {
        return stripe();
      },
      account: openAccount(stripe, given.stripe.secretKey),
      site: openSite(given.context.db),
    };
    this.#webhookSecret = given.stripe.webhookSecret;
  }

  collect<Answer>(
    terms: NewPayment,
    begin: () => Promise<Begun<Answer>>,
    goOn: (payment: Payment) => Promise<Answer | undefined>,
  ): Promise<Answer> {
    return collect(this.#parts, terms, begin, goOn);
  }

  listCards = (userId: string) => cards.listCards(this.#parts, userId);
  handOut = (payment: Payment) => charging.handOut(this.#parts, payment);
  charge = (payment: Payment, card: CardRow, returnUrl: string) => charging.charge(this.#parts, payment, card, returnUrl);
  payBy = (payment: Payment, by: PayBy) => payBy(this.#parts, payment, by);
  /** Pays a new plan of one's own that was begun. */
  payIntent = async (userId: string, intentId: string, by: GivenMeans & Omit<PayBy, 'means'>) =>
    payIntent(this.#parts, userId, intentId, { ...by, means: await chosenMeans(this.#parts, userId, by) });
  confirm = (userId: string, intentId: string) => confirm(this.#parts, userId, intentId);
  createSetupIntent = (userId: string) => cards.createSetupIntent(this.#parts, userId);
  confirmSetup = async (userId: string, setupIntentId: string, given: GivenMeans, returnUrl: string) =>
    confirmSetup(this.#parts, userId, setupIntentId, { means: await chosenMeans(this.#parts, userId, given), returnUrl });
  addCard = (userId: string, setupIntentId: string) => cards.addCard(this.#parts, userId, setupIntentId);
  deleteCard = (userId: string, id: string) => cards.deleteCard(this.#parts, userId, id);
  detachCard = (paymentMethodId: string) => cards.detach(this.#parts, paymentMethodId);
  giveUpAll = (userId: string) => leaving.giveUpAll(this.#parts, userId);
  forgetPayer = (tx: Tx, userId: string) => leaving.forgetPayer(this.#parts, tx, userId);
  deleteCustomer = (customerId: string) => leaving.deleteCustomer(this.#parts, customerId);
  sendRefund = (refundId: string) => sendRefund(this.#parts, refundId);
  reconcileRefunds = (atOnce = false) => reconcileRefunds(this.#parts, atOnce);
  /** An administrator sends a payment back. */
  askRefund = async (administratorId: string, paymentId: string, form: RefundForm) =>
    asRefund(await askRefund(this.#parts, administratorId, paymentId, form));
  reconcile = (atOnce?: boolean) => reconcile(this.#parts, atOnce);
  lookAtProvider = () => lookAtProvider(this.#parts);
  sendFoundBack = (intentId: string) => sendFoundBack(this.#parts, intentId);

  hearOfIntent = (intentId: string) => hearOfIntent(this.#parts, intentId);

  /** What the provider tells by itself. Throws `webhook_signature_invalid` and `malformed_request`. */
  receive = (body: unknown, signature: unknown) => events.receive(this.#parts, this.#webhookSecret, body, signature);
  workOffEvent = (eventId: string) => events.workOff(this.#parts, eventId);
  deleteOldEvents = () => events.deleteOldEvents(this.#parts);
}
