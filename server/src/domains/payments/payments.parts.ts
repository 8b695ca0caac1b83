import type { Stripe } from 'stripe';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import type { openAccount } from './customers/payments.account.ts';
import type { PaymentRow } from './payments.queries.ts';

/** What a subscription is called on the receipt for it. `timeZone` is the one that its days are written in. */
export type Bought = { planName: string; startsAt: Date; endsAt: Date; timeZone: string };

/** What money has bought: a subscription, or nothing, and then it goes back for the reason that the payer reads. */
export type Fulfilment = { subscription: Bought } | { refund: string };

/** Turns a payment that has succeeded into what it is for, in the transaction that books it. */
export type OnPaid = (tx: Tx, payment: PaymentRow) => Promise<Fulfilment>;

/** What follows for what a payment bought, and for what it earned others, in the transaction that books it. */
export type OnMoneyBack = {
  /** All of it went back, for this reason: what it bought ends. */
  ended: (tx: Tx, payment: PaymentRow, reason: string) => Promise<void>;
  /** All of it went back, and what it bought stays as a gift. */
  kept: (tx: Tx, payment: PaymentRow) => Promise<void>;
  /** The payer's bank decides about it, or has: until then nothing new comes out of what it bought. */
  disputed: (tx: Tx, payment: PaymentRow, isOpen: boolean) => Promise<void>;
  /** It was fraud. */
  fraud: (tx: Tx, payment: PaymentRow) => Promise<void>;
};

/** What the files of this domain work with. Others hold it as `Payments` and see nothing of the provider. */
export type Parts = {
  context: Context;
  stripe: Stripe;
  /** Whom our keys belong to there. */
  account: ReturnType<typeof openAccount>;
  /** Which site an intent is made for, as its metadata says. */
  site: () => Promise<string>;
  /** Who issues the receipts. */
  invoice: { name: string; address: string; taxNumbers: { NZ: string; AU: string } };
  onPaid: OnPaid;
  onMoneyBack: OnMoneyBack;
  /** Who is mailed what needs somebody's hand. */
  operatorEmail: string;
};

export type Intent = Stripe.PaymentIntent;
