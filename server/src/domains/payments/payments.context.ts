import type { Stripe } from 'stripe';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { openStripe, type StripeSettings } from '../../kit/integrations/stripe.ts';
import { openPaymentSite, openProviderAccount } from './payments.provider-account.ts';
import type { PaymentRow } from './payments.queries.ts';

/** How a subscription is described on its receipt; `timeZone` formats its dates. `nextChargeAt`: it was renewed, and is going to be again. */
export type PurchasedPlan = { planName: string; startsAt: Date; endsAt: Date; timeZone: string; nextChargeAt?: Date };

/** What money bought: a subscription, or a refund with the reason that the payer reads. */
export type Fulfilment = { subscription: PurchasedPlan } | { refund: string };

/** What a refund or dispute changes in other domains, in the transaction that books it. */
export type RefundHooks = {
  /** The whole payment was refunded: what it bought ends. */
  ended: (tx: Tx, payment: PaymentRow, reason: string) => Promise<void>;
  /** The whole payment was refunded, and what it bought stays as a gift. */
  gifted: (tx: Tx, payment: PaymentRow) => Promise<void>;
  /** A dispute was opened or decided; while it is open, the plan publishes nothing new. */
  disputed: (tx: Tx, payment: PaymentRow, isOpen: boolean) => Promise<void>;
  fraud: (tx: Tx, payment: PaymentRow) => Promise<void>;
};

/** What payments need from the domains above them. */
export type PaymentHooks = {
  /** Fulfils a payment that has succeeded, in the transaction that books it. */
  onPaid: (tx: Tx, payment: PaymentRow) => Promise<Fulfilment>;
  /** Called in the transaction that saves a card; its holder is locked. */
  onCardSaved: (tx: Tx, userId: string) => Promise<void>;
  refundHooks: RefundHooks;
  /** The payments whose plan ended because of a refund. */
  findEnded: (db: Reader, paymentIds: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** What this domain's functions get passed; other domains only pass it on and never see the provider. */
export type Payments = Omit<PaymentHooks, 'findEnded'> & {
  context: Context;
  stripe: Stripe;
  webhookSecret: string;
  /** The provider account of our keys. */
  account: ReturnType<typeof openProviderAccount>;
  /** The id of this site in the metadata of its intents. */
  site: () => Promise<string>;
};

export type Intent = Stripe.PaymentIntent;

/** Connects the payment provider, lazily. */
export function connectPayments({
  stripe: settings,
  ...parts
}: Pick<Payments, 'context' | 'onPaid' | 'onCardSaved' | 'refundHooks'> & { stripe: StripeSettings }): Payments {
  let opened: Stripe | undefined;
  const getStripe = () => (opened ??= openStripe(settings));
  return {
    ...parts,
    get stripe() {
      return getStripe();
    },
    webhookSecret: settings.webhookSecret,
    account: openProviderAccount(getStripe, settings.secretKey),
    site: openPaymentSite(parts.context.db),
  };
}
