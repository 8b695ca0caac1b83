import type Stripe from 'stripe';

/** Stored with ids only; expanded objects are inserted into the answer. */
type Plain<T, Reference extends keyof T> = T & { [name in Reference]: string | null };

export type Customer = Stripe.Customer;
export type PaymentMethod = Plain<Stripe.PaymentMethod, 'customer'> & { card: Stripe.PaymentMethod.Card };
export type ConfirmationToken = Plain<Stripe.ConfirmationToken, 'payment_intent' | 'setup_intent'>;
export type PaymentIntent = Plain<Stripe.PaymentIntent, 'customer' | 'payment_method' | 'latest_charge'> & { client_secret: string };
export type SetupIntent = Plain<Stripe.SetupIntent, 'customer' | 'payment_method'> & { client_secret: string };
export type Charge = Plain<Stripe.Charge, 'customer' | 'payment_intent'>;
export type Refund = Plain<Stripe.Refund, 'charge' | 'payment_intent' | 'payment_method'>;
export type Dispute = Plain<Stripe.Dispute, 'charge' | 'payment_intent'>;
export type EarlyFraudWarning = Plain<Stripe.Radar.EarlyFraudWarning, 'charge'>;
export type WebhookEndpoint = Stripe.WebhookEndpoint;
export type Event = Stripe.Event;

export type Objects = {
  customer: Customer;
  payment_method: PaymentMethod;
  confirmation_token: ConfirmationToken;
  payment_intent: PaymentIntent;
  setup_intent: SetupIntent;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  'radar.early_fraud_warning': EarlyFraudWarning;
  webhook_endpoint: WebhookEndpoint;
  event: Event;
};
export type Kind = keyof Objects;
