import { AppError } from '../../kit/errors.ts';
import { ProviderError, isInvalidProviderRequest, isMissingAtProvider } from '../../kit/integrations/provider-error.ts';
import { callProvider } from '../../kit/integrations/stripe.ts';
import { type CardRow, findCard } from './payments.cards.queries.ts';
import { removeIfGone } from './payments.cards.ts';
import type { Intent, Payments } from './payments.context.ts';
import {
  type Confirmation,
  PaymentExpiredError,
  toMethodError,
  confirmOnce,
  confirmParams,
  ensureIntent,
  getIntent,
  isAwaitingMethod,
  isStateChanged,
  type PaymentMethodInput,
  resolvePaymentMethod,
} from './payments.intents.ts';
import { type NewPayment, type PaymentRow, findPaymentByIntent, isFullyRefunded, setPaymentIntent } from './payments.queries.ts';
import { cancelPayment, settleIntent } from './payments.settle.ts';
import { isPaid, isPaymentOpen, movePayment } from './payments.states.ts';

/** What is to be paid, found under lock: an open payment, one that must be cancelled first, or an answer because nothing is due. */
export type PaymentStart<Answer> = { open: PaymentRow } | { blocking: PaymentRow } | { answer: Answer };

/**
 * Keeps at most one open payment per purchase: the same request continues with it, other terms cancel and replace it. `begin` finds or
 * inserts it; `pay` returns undefined when it was closed meanwhile. Throws `payment_processing` when requests keep racing.
 */
export async function collectPayment<Answer>(
  deps: Payments,
  terms: NewPayment,
  begin: () => Promise<PaymentStart<Answer>>,
  pay: (payment: PaymentRow) => Promise<Answer | undefined>,
): Promise<Answer> {
  const isSame = (open: PaymentRow) => (Object.keys(terms) as (keyof NewPayment)[]).every((name) => open[name] === terms[name]);
  // Each attempt ends or closes a blocking payment; a second one is rare, and a third means that requests race.
  let hasRestarted = false;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const start = await begin();
    if ('answer' in start) return start.answer;
    if ('blocking' in start || !isSame(start.open)) {
      await cancelPayment(deps, 'open' in start ? start.open : start.blocking);
      continue;
    }
    try {
      const answer = await pay(start.open);
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!(error instanceof PaymentExpiredError)) throw error;
      await movePayment(deps.context.db, start.open, 'canceled');
      if (hasRestarted) throw error.because;
      hasRestarted = true;
    }
  }
  throw new AppError('payment_processing');
}

/** What the browser needs to confirm the payment at the provider. */
export type Payable = { clientSecret: string | null; paymentIntentId: string };

/**
 * Returns the same intent on each call. Undefined when the payment is over: booked if it was paid, else cancelled. Throws
 * `payment_processing` while the bank decides.
 */
export async function getPayable(deps: Payments, payment: PaymentRow): Promise<Payable | undefined> {
  const intent = await findOpenIntent(deps, payment);
  if (!intent) return undefined;
  if (intent.status === 'processing') throw new AppError('payment_processing');
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    await settleIntent(deps, intent);
    return undefined;
  }
  return { clientSecret: intent.client_secret, paymentIntentId: intent.id };
}

/** Undefined when the provider no longer knows the intent; the payment is then cancelled. */
async function findOpenIntent(deps: Payments, payment: PaymentRow): Promise<Intent | undefined> {
  try {
    return await ensureIntent(deps, payment);
  } catch (error) {
    if (!isMissingAtProvider(error)) throw error;
    await cancelPayment(deps, payment);
    return undefined;
  }
}

export type ChargeResult = Payable & { status: 'done' | 'requires_action' | 'processing' };

/**
 * Charges a saved card once per payment and books it; `returnUrl` is null when its holder is not there. Undefined when the cardholder did not confirm an earlier attempt; the payment has
 * then failed. Throws `card_declined`, `card_not_found` when the provider has lost the card, `payment_processing` when another request is
 * working on the payment or has cancelled it, and `payment_incomplete` when the money is refunded.
 */
export async function chargePayment(
  deps: Payments,
  payment: PaymentRow,
  card: CardRow,
  returnUrl: string | null,
): Promise<ChargeResult | undefined> {
  const charged = await bookCharge(deps, payment, await chargeCard(deps, payment, card, returnUrl));
  if (!charged) await cancelPayment(deps, payment, 'failed');
  return charged;
}

/** Books an intent that was just confirmed. Undefined when it needs another payment method. */
async function bookCharge(deps: Payments, payment: PaymentRow, intent: Intent): Promise<ChargeResult | undefined> {
  const payable = { clientSecret: intent.client_secret, paymentIntentId: intent.id };
  if (intent.status === 'requires_action') return { ...payable, status: 'requires_action' };
  if (intent.status === 'processing') return { ...payable, status: 'processing' };
  if (intent.status !== 'succeeded') return undefined;
  await settleIntent(deps, intent);
  if (await isFullyRefunded(deps.context.db, payment.id)) {
    throw new AppError('payment_incomplete', {
      message: 'Something changed in the meantime, so your payment is going back to your card. Please try again.',
    });
  }
  return { ...payable, clientSecret: null, status: 'done' };
}

const cardGoneText = 'The payment service no longer has this card, so it cannot be charged. Nothing was charged; please use another card.';

async function chargeCard(deps: Payments, payment: PaymentRow, card: CardRow, returnUrl: string | null): Promise<Intent> {
  const { db } = deps.context;
  try {
    return await ensureIntent(deps, payment, { method: { payment_method: card.payment_method_id }, returnUrl });
  } catch (error) {
    // The card was deleted along with its customer, so a retry has nothing to charge.
    if (error instanceof PaymentExpiredError && !(await findCard(db, payment.user_id, card.id))) {
      await movePayment(db, payment, 'failed');
      throw new AppError('card_not_found', { message: cardGoneText });
    }
    if (!(error instanceof ProviderError) || (error.code !== 'card_declined' && !isInvalidProviderRequest(error))) throw error;
    if (error.intentId) {
      await setPaymentIntent(db, payment.id, error.intentId, await deps.account.load());
      await cancelPayment(deps, { ...payment, intent_id: error.intentId }, 'failed');
    } else {
      // The call itself was rejected, so there is no intent that could still be paid.
      await movePayment(db, payment, 'failed');
    }
    if (isInvalidProviderRequest(error) && (await removeIfGone(deps, card)))
      throw new AppError('card_not_found', { message: cardGoneText });
    throw error;
  }
}

/** Whether the bank declined a charge because its cardholder has to confirm it. */
export const isAuthenticationRequired = (error: unknown): boolean =>
  error instanceof ProviderError && error.log.code === 'authentication_required';

/** Declines that stay so however often the card is charged (https://docs.stripe.com/declines/codes). */
const finalDeclines: ReadonlySet<string | undefined> = new Set([
  'card_not_supported',
  'currency_not_supported',
  'expired_card',
  'highest_risk_level',
  'incorrect_number',
  'invalid_account',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'invalid_number',
  'lost_card',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stolen_card',
  'stop_payment_order',
  'transaction_not_allowed',
]);

/** Whether a card is of no use for further charges: the provider has lost it, or its bank will never allow them. */
export function isCardUseless(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  if (error.code === 'card_not_found') return true;
  if (!(error instanceof ProviderError) || error.code !== 'card_declined') return false;
  const { code, declineCode, adviceCode } = error.log;
  return adviceCode === 'do_not_try_again' || finalDeclines.has(declineCode) || finalDeclines.has(code);
}

/** `saveCard`: saved for later payments while its holder is present. */
export type PayOptions = Confirmation & { saveCard: boolean };

/**
 * Pays an open payment and books it; a declined one stays open for another payment method. Undefined when it was closed meanwhile. Throws
 * `card_declined`, and `card_not_found` when the payment method is used up.
 */
export async function payOpenPayment(deps: Payments, payment: PaymentRow, by: PayOptions): Promise<ChargeResult | undefined> {
  const open = await findOpenIntent(deps, payment);
  if (!open) return undefined;
  const intent = isAwaitingMethod(open.status) ? await confirmIntent(deps, open, by) : open;
  return bookCharge(deps, payment, intent);
}

async function confirmIntent(deps: Payments, { id }: Intent, by: PayOptions): Promise<Intent> {
  const future = by.saveCard ? ({ setup_future_usage: 'on_session' } as const) : {};
  try {
    return await callProvider(deps.stripe.paymentIntents.confirm(id, { ...confirmParams(by), ...future }, confirmOnce(id, by.method)));
  } catch (error) {
    if (isStateChanged(error)) return getIntent(deps, id);
    throw toMethodError(error);
  }
}

/**
 * Pays the user's own new plan by its intent's id; other purchases have their own calls. Throws the same errors, and `payment_not_found`.
 */
export async function payIntent(
  deps: Payments,
  userId: string,
  intentId: string,
  by: PaymentMethodInput & Omit<PayOptions, 'method'>,
): Promise<ChargeResult> {
  const method = await resolvePaymentMethod(deps, userId, by);
  const payment = await findPaymentByIntent(deps.context.db, intentId);
  if (!payment || payment.user_id !== userId || payment.purpose !== 'listing') throw new AppError('payment_not_found');
  const paid = { clientSecret: null, paymentIntentId: intentId, status: 'done' } as const;
  if (isPaid(payment)) return paid;
  const charged = isPaymentOpen(payment) ? await payOpenPayment(deps, payment, { ...by, method }) : undefined;
  if (!charged) throw new AppError('payment_incomplete');
  return charged;
}
