import { getTestCard } from './cards.ts';
import { applyToken } from './confirmation-tokens.ts';
import { ApiError } from './errors.ts';
import {
  authenticationStep,
  checkCancelable,
  checkConfirmable,
  setupIntentObject,
  checkTokenConfirms,
  setMethod,
  missingMethod,
} from './intents.ts';
import type { PaymentMethod, SetupIntent } from './objects.ts';
import { flag, metadata, parseChoice, type Params, parseShortText, text, webAddress } from './params.ts';
import { attachMethod, checkUsable, getCustomerParam, markSetUp } from './payment-methods.ts';
import type { World } from './world.ts';

export const confirmSetupParams = 'payment_method payment_method_data return_url use_stripe_sdk mandate_data confirmation_token';
export const createSetupParams = `${confirmSetupParams} customer description metadata allowed_payment_method_types automatic_payment_methods confirm usage`;

export function createSetupIntent(world: World, request: Params): SetupIntent {
  const intent = setupIntentObject(request);
  checkTokenConfirms(request);
  const params = applyToken(world, intent, request);
  describe(world, intent, params);
  world.store.save(intent);
  world.emit('setup_intent.created', intent);
  return flag(params, 'confirm') ? confirm(world, intent, params) : intent;
}

function describe(world: World, intent: SetupIntent, params: Params) {
  const customer = text(params, 'customer');
  if (customer !== null) intent.customer = getCustomerParam(world, customer).id;
  if ('description' in params) intent.description = parseShortText(params, 'description', 1000);
  intent.metadata = metadata(params, intent.metadata);
  setMethod(world, intent, params);
}

export function confirmSetupIntent(world: World, request: Params, id: string): SetupIntent {
  const intent = world.store.find('setup_intent', id);
  checkConfirmable(intent);
  const params = applyToken(world, intent, request);
  describe(world, intent, params);
  return confirm(world, intent, params);
}

function confirm(world: World, intent: SetupIntent, params: Params): SetupIntent {
  const returnUrl = webAddress(params, 'return_url');
  if (intent.payment_method === null) throw missingMethod(intent);
  const method = world.store.find('payment_method', intent.payment_method);
  checkUsable(world, method, intent.customer);
  const { authenticates, decline, savable } = getTestCard(method.card);
  if (decline && !savable) {
    fail(world, intent, { type: 'card_error', ...decline, payment_method: method });
    throw new ApiError(402, { type: 'card_error', ...decline, payment_method: method, setup_intent: intent });
  }
  intent.last_setup_error = null;
  if (!authenticates) return succeed(world, intent, method);
  intent.next_action = authenticationStep(world, intent, { method, returnUrl, bySdk: flag(params, 'use_stripe_sdk') ?? false });
  return move(world, intent, 'requires_action', 'setup_intent.requires_action');
}

/** Applies the bank's answer to 3-D Secure. */
export function authenticateSetup(world: World, intent: SetupIntent, passed: boolean): SetupIntent {
  if (intent.payment_method === null) throw missingMethod(intent);
  const method = world.store.find('payment_method', intent.payment_method);
  if (passed) return succeed(world, intent, method);
  return fail(world, intent, {
    type: 'invalid_request_error',
    code: 'setup_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: method,
  });
}

function succeed(world: World, intent: SetupIntent, method: PaymentMethod): SetupIntent {
  if (intent.customer !== null) attachMethod(world, method, intent.customer);
  if (intent.usage === 'off_session') markSetUp(world, method);
  intent.next_action = null;
  return move(world, intent, 'succeeded', 'setup_intent.succeeded');
}

function fail(world: World, intent: SetupIntent, error: NonNullable<SetupIntent['last_setup_error']>) {
  intent.last_setup_error = error;
  intent.payment_method = null;
  intent.next_action = null;
  return move(world, intent, 'requires_payment_method', 'setup_intent.setup_failed');
}

export function cancelSetupIntent(world: World, params: Params, id: string): SetupIntent {
  const intent = world.store.find('setup_intent', id);
  checkCancelable(intent);
  intent.cancellation_reason = parseChoice(params, 'cancellation_reason', ['abandoned', 'duplicate', 'requested_by_customer']);
  intent.next_action = null;
  return move(world, intent, 'canceled', 'setup_intent.canceled');
}

function move(world: World, intent: SetupIntent, status: SetupIntent['status'], event: Parameters<World['emit']>[0]) {
  intent.status = status;
  world.store.save(intent);
  world.emit(event, intent);
  return intent;
}
