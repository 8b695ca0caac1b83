import { checkSuffix } from './account.ts';
import { type Decline, needsAuthentication, getTestCard } from './cards.ts';
import { charge, warn } from './charges.ts';
import { applyToken } from './confirmation-tokens.ts';
import { openDispute } from './disputes.ts';
import { invalidRequest, ApiError } from './errors.ts';
import {
  authenticationStep,
  checkCancelable,
  checkConfirmable,
  paymentIntentObject,
  checkTokenConfirms,
  setMethod,
  missingMethod,
} from './intents.ts';
import type { PaymentIntent, PaymentMethod } from './objects.ts';
import { email, flag, metadata, parseChoice, type Params, parseShortText, text, webAddress } from './params.ts';
import { isSetUp, attachMethod, checkUsable, getCustomerParam, markSetUp } from './payment-methods.ts';
import { unixNow } from './store.ts';
import type { World } from './world.ts';

const methodParams = 'payment_method payment_method_data setup_future_usage receipt_email';
export const confirmPaymentParams = `${methodParams} error_on_requires_action off_session return_url use_stripe_sdk mandate_data confirmation_token`;
export const createPaymentParams = `${confirmPaymentParams} amount currency customer description metadata allowed_payment_method_types automatic_payment_methods confirm statement_descriptor statement_descriptor_suffix`;

export function createPaymentIntent(world: World, request: Params): PaymentIntent {
  const intent = paymentIntentObject(request);
  checkSuffix(world, intent.statement_descriptor_suffix);
  checkTokenConfirms(request);
  const params = applyToken(world, intent, request);
  if (isOffSession(params) && !flag(params, 'confirm')) {
    throw invalidRequest('You cannot use `off_session` without also setting `confirm=true`.', { param: 'off_session' });
  }
  describe(world, intent, params);
  world.store.save(intent);
  world.emit('payment_intent.created', intent);
  return flag(params, 'confirm') ? confirm(world, intent, params) : intent;
}

const isOffSession = (params: Params) => ![null, 'false', '0'].includes(text(params, 'off_session'));

/** Applies the parameters of payer, method and texts. */
function describe(world: World, intent: PaymentIntent, params: Params) {
  if ('customer' in params) {
    const customer = text(params, 'customer');
    intent.customer = customer === null ? null : getCustomerParam(world, customer).id;
  }
  if ('description' in params) intent.description = parseShortText(params, 'description', 1000);
  if ('receipt_email' in params) intent.receipt_email = email(params, 'receipt_email');
  if ('setup_future_usage' in params) intent.setup_future_usage = parseChoice(params, 'setup_future_usage', ['on_session', 'off_session']);
  intent.metadata = metadata(params, intent.metadata);
  setMethod(world, intent, params);
}

export function confirmPaymentIntent(world: World, request: Params, id: string): PaymentIntent {
  const intent = world.store.find('payment_intent', id);
  checkConfirmable(intent);
  const params = applyToken(world, intent, request);
  describe(world, intent, params);
  return confirm(world, intent, params);
}

function confirm(world: World, intent: PaymentIntent, params: Params): PaymentIntent {
  const returnUrl = webAddress(params, 'return_url');
  if (intent.payment_method === null) throw missingMethod(intent);
  const method = world.store.find('payment_method', intent.payment_method);
  checkUsable(world, method, intent.customer);
  const { authenticates } = getTestCard(method.card);
  const offSession = isOffSession(params);
  if (!authenticates || (authenticates === 'once' && offSession && isSetUp(world, method))) return pay(world, intent, method);
  if (offSession || flag(params, 'error_on_requires_action')) return fail(world, intent, method, needsAuthentication);
  intent.last_payment_error = null;
  intent.next_action = authenticationStep(world, intent, { method, returnUrl, bySdk: flag(params, 'use_stripe_sdk') ?? false });
  return move(world, intent, 'requires_action', 'payment_intent.requires_action');
}

/** Applies the bank's answer to 3-D Secure. */
export function authenticatePayment(world: World, intent: PaymentIntent, passed: boolean): PaymentIntent {
  if (intent.payment_method === null) throw missingMethod(intent);
  const method = world.store.find('payment_method', intent.payment_method);
  if (passed) return pay(world, intent, method);
  intent.last_payment_error = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: method,
  };
  return resetMethod(world, intent);
}

function pay(world: World, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const { processes, decline } = getTestCard(method.card);
  if (decline) return fail(world, intent, method, decline);
  intent.last_payment_error = null;
  intent.next_action = null;
  if (!processes) return succeed(world, intent);
  world.store.schedule(intent.id, world.processingMs);
  intent.processing = { type: 'card' };
  return move(world, intent, 'processing', 'payment_intent.processing');
}

function succeed(world: World, intent: PaymentIntent): PaymentIntent {
  const method = world.store.find('payment_method', intent.payment_method ?? '');
  const paid = charge(world, intent, method);
  intent.latest_charge = paid.id;
  intent.amount_received = intent.amount;
  intent.processing = null;
  if (intent.customer !== null && intent.setup_future_usage !== null) {
    attachMethod(world, method, intent.customer);
    if (intent.setup_future_usage === 'off_session') markSetUp(world, method);
  } else if (method.customer === null) world.store.run('insert or ignore into used_up values (?)', method.id);
  move(world, intent, 'succeeded', 'payment_intent.succeeded');
  const { disputed, warned } = getTestCard(method.card);
  if (warned) warn(world, paid);
  if (disputed === 'inquiry') openDispute(world, paid, { inquiry: true });
  else if (disputed) openDispute(world, paid, { reason: disputed });
  return intent;
}

/** Ends a payment that was `processing`. */
export function settlePayment(world: World, id: string) {
  world.store.unschedule(id);
  succeed(world, world.store.find('payment_intent', id));
}

function fail(world: World, intent: PaymentIntent, method: PaymentMethod, decline: Decline): never {
  const attempt = charge(world, intent, method, decline);
  intent.last_payment_error = { type: 'card_error', ...decline, charge: attempt.id, payment_method: method };
  intent.latest_charge = attempt.id;
  resetMethod(world, intent);
  throw new ApiError(402, { type: 'card_error', ...decline, charge: attempt.id, payment_method: method, payment_intent: intent });
}

/** Lets the intent take another card. */
function resetMethod(world: World, intent: PaymentIntent) {
  intent.payment_method = null;
  intent.next_action = null;
  return move(world, intent, 'requires_payment_method', 'payment_intent.payment_failed');
}

export function cancelPaymentIntent(world: World, params: Params, id: string): PaymentIntent {
  const intent = world.store.find('payment_intent', id);
  checkCancelable(intent);
  intent.cancellation_reason = parseChoice(params, 'cancellation_reason', [
    'abandoned',
    'duplicate',
    'fraudulent',
    'requested_by_customer',
  ]);
  intent.canceled_at = unixNow();
  intent.next_action = null;
  return move(world, intent, 'canceled', 'payment_intent.canceled');
}

function move(world: World, intent: PaymentIntent, status: PaymentIntent['status'], event: Parameters<World['emit']>[0]) {
  intent.status = status;
  world.store.save(intent);
  world.emit(event, intent);
  return intent;
}
