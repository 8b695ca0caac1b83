import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { type StripeSettings, openStripe } from '../../kit/outside/stripe.ts';
import * as cards from './cards/payments.cards.ts';
import * as collecting from './intents/payments.collect.ts';
import { openAccount } from './customers/payments.account.ts';
import * as events from './events/payments.events.ts';
import * as leaving from './payments.leaving.ts';
import type { OnPaid, Parts } from './payments.parts.ts';
import * as queries from './payments.queries.ts';
import type { CardRow, NewPayment, PaymentRow } from './payments.queries.ts';
import { reconcile } from './intents/payments.reconcile.ts';
import { refund } from './payments.refund.ts';
import { confirm, hearOfIntent } from './intents/payments.settle.ts';

/** What is kept of somebody's payments. A card's number is known to the provider alone. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: {
    payments: () => queries.listOwnPayments(db, userId),
    invoices: () => queries.listOwnInvoices(db, userId),
    cards: () => queries.listOwnCards(db, userId),
  },
  pictures: [],
});

export type Payment = PaymentRow;
export type { Begun, Charged } from './intents/payments.collect.ts';
export type { Fulfilment, OnPaid } from './payments.parts.ts';
export { type DirectoryRow, listForAdmin, type PaymentStatus, searchForAdmin } from './payments.directory.ts';
export { refusedEvents } from './events/payments.refusals.ts';
export { countPendingRefunds } from './payments.moderation.ts';
export const { findCard, findOpenChange, findOpenPurchase, haveSharedCard, insertPayment, isRefunded, listSavedCards } = queries;

/** Taking payments. It alone knows the provider: whoever has something to sell asks here. */
export class Payments {
  readonly #parts: Parts;
  readonly #webhookSecret: string;

  constructor(given: { context: Context; stripe: StripeSettings; invoice: Parts['invoice']; onPaid: OnPaid }) {
    const { context, invoice, onPaid } = given;
    const stripe = openStripe(given.stripe);
    this.#parts = { context, invoice, onPaid, stripe, account: openAccount(stripe, given.stripe.secretKey) };
    this.#webhookSecret = given.stripe.webhookSecret;
  }

  collect<Answer>(
    terms: NewPayment,
    begin: () => Promise<collecting.Begun<Answer>>,
    goOn: (payment: Payment) => Promise<Answer | undefined>,
  ): Promise<Answer> {
    return collecting.collect(this.#parts, terms, begin, goOn);
  }

  listCards = (userId: string) => cards.listCards(this.#parts, userId);
  handOut = (payment: Payment) => collecting.handOut(this.#parts, payment);
  charge = (payment: Payment, card: CardRow) => collecting.charge(this.#parts, payment, card);
  confirm = (userId: string, intentId: string) => confirm(this.#parts, userId, intentId);
  createSetupIntent = (userId: string) => cards.createSetupIntent(this.#parts, userId);
  addCard = (userId: string, setupIntentId: string) => cards.addCard(this.#parts, userId, setupIntentId);
  deleteCard = (userId: string, id: string) => cards.deleteCard(this.#parts, userId, id);
  detachCard = (paymentMethodId: string) => cards.detach(this.#parts, paymentMethodId);
  giveUpAll = (userId: string) => leaving.giveUpAll(this.#parts, userId);
  forgetPayer = (tx: Tx, userId: string) => leaving.forgetPayer(this.#parts, tx, userId);
  deleteCustomer = (customerId: string) => leaving.deleteCustomer(this.#parts, customerId);
  refund = (refundId: string) => refund(this.#parts, refundId);
  reconcile = (atOnce?: boolean) => reconcile(this.#parts, atOnce);

  hearOfIntent = (intentId: string) => hearOfIntent(this.#parts, intentId);

  /** What the provider tells by itself. Throws `webhook_signature_invalid` and `malformed_request`. */
  receive = (body: unknown, signature: unknown) => events.receive(this.#parts, this.#webhookSecret, body, signature);
  workOffEvent = (eventId: string) => events.workOff(this.#parts, eventId);
  deleteOldEvents = () => events.deleteOldEvents(this.#parts);
}
