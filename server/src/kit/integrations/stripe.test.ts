import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { isProviderFault, isInvalidProviderRequest, isIdempotencyConflict, isMissingAtProvider, ProviderError } from './provider-error.ts';
import { callProvider, isLiveKey, openStripe } from './stripe.ts';

// The provider's next response; undefined cuts the connection.
let answer: { status: number; error: object; headers?: Record<string, string> } | 'cut' | 'never' = 'cut';
const server = createServer((_request, response) => {
  if (answer === 'never') return;
  if (answer === 'cut') return void response.destroy();
  // As the provider does if a retry is useless; saves the tests from waiting for retries.
  const headers = { 'content-type': 'application/json', 'request-id': 'req_1', 'stripe-should-retry': 'false', ...answer.headers };
  response.writeHead(answer.status, headers).end(JSON.stringify({ error: answer.error }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const { port } = server.address() as AddressInfo;
const stripe = openStripe({
  secretKey: 'sk_test_1',
  publishableKey: 'pk_test_1',
  webhookSecret: 'whsec_1',
  apiBase: `http://127.0.0.1:${port}`,
});

/** The error of a call that the provider answers like this. */
async function failing(next: typeof answer, options: { timeout?: number; maxNetworkRetries?: number } = {}) {
  answer = next;
  const error = await callProvider(stripe.customers.create({ email: 'mere@example.org' }, options)).catch((one: unknown) => one);
  if (!(error instanceof ProviderError)) throw error;
  return error;
}

const invalid = (more: object) => ({ type: 'invalid_request_error', message: 'No.', ...more });
const api = { type: 'api_error', message: 'An unknown error occurred' };

test.each([
  ['a wrong key', 401, invalid({}), 'payment_provider_refused', 'StripeAuthenticationError'],
  ['an expired key', 401, invalid({ code: 'api_key_expired' }), 'payment_provider_refused', 'StripeAuthenticationError'],
  ['a key without the right', 403, invalid({}), 'payment_provider_refused', 'StripePermissionError'],
  [
    'a call that is not right',
    400,
    invalid({ code: 'parameter_unknown', param: 'colour' }),
    'payment_provider_refused',
    'StripeInvalidRequestError',
  ],
  [
    'something that is not there',
    404,
    invalid({ code: 'resource_missing', param: 'id' }),
    'payment_provider_refused',
    'StripeInvalidRequestError',
  ],
  [
    'a mail address that it does not take',
    400,
    invalid({ code: 'email_invalid', param: 'email' }),
    'payment_email_refused',
    'StripeInvalidRequestError',
  ],
  ['a mail address by its code', 400, invalid({ code: 'email_invalid' }), 'payment_email_refused', 'StripeInvalidRequestError'],
  ['a mail address by its parameter', 400, invalid({ param: 'email' }), 'payment_email_refused', 'StripeInvalidRequestError'],
  ['too many calls', 429, invalid({ code: 'rate_limit' }), 'payment_provider_unavailable', 'StripeRateLimitError'],
  ['its own fault', 500, api, 'payment_provider_unavailable', 'StripeAPIError'],
  ['being overloaded', 503, api, 'payment_provider_unavailable', 'StripeAPIError'],
  ['a key of another call', 400, { type: 'idempotency_error', message: 'No.' }, 'payment_processing', 'StripeIdempotencyError'],
  [
    'a key in use',
    409,
    { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'No.' },
    'payment_processing',
    'StripeAPIError',
  ],
])('maps %s to an error code and keeps the provider’s details for the log', async (_, status, error, code, type) => {
  const thrown = await failing({ status, error });
  const { type: __, ...details } = error as Record<string, string>;
  expect(thrown).toMatchObject({ code, log: { type, status, requestId: 'req_1', ...details } });
  expect(thrown.retryAfterSeconds).toBe(code === 'payment_provider_unavailable' ? 5 : undefined);
  // The provider's text about our error is not shown to the payer.
  expect(thrown.message).not.toContain(details['message']);
});

test('a decline has the text for the issuer’s code and the id of its intent', async () => {
  const error = {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
    payment_intent: { id: 'pi_1', object: 'payment_intent', client_secret: 'pi_1_secret_2' },
  };
  const thrown = await failing({ status: 402, error });
  expect(thrown).toMatchObject({
    code: 'card_declined',
    message: 'Your card has insufficient funds. Nothing was charged. Your listing is kept. Try another card.',
    intentId: 'pi_1',
    log: {
      type: 'StripeCardError',
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  });
  expect(JSON.stringify(thrown)).not.toContain('secret');
});

test.each(['cut', 'never'] as const)('maps a connection without an answer (%s) to unavailable, with the cause', async (how) => {
  const thrown = await failing(how, { timeout: 50, maxNetworkRetries: 0 });
  expect(thrown).toMatchObject({ code: 'payment_provider_unavailable', retryAfterSeconds: 5, log: { type: 'StripeConnectionError' } });
  expect(thrown.log.cause).toEqual(expect.any(String));
  expect(isProviderFault(thrown)).toBe(false);
});

test('detects an error that the provider stored under the idempotency key by its header', async () => {
  const replayed = await failing({ status: 500, error: api, headers: { 'idempotent-replayed': 'true' } });
  const fresh = await failing({ status: 500, error: api });
  expect([replayed.isReplayed, fresh.isReplayed]).toEqual([true, false]);
});

test('distinguishes kinds of rejections', async () => {
  const kindsOf = (error: unknown) => ({
    fault: isProviderFault(error),
    invalid: isInvalidProviderRequest(error),
    missing: isMissingAtProvider(error),
    missingCustomer: isMissingAtProvider(error, 'customer'),
    keyTaken: isIdempotencyConflict(error),
  });
  const none = { fault: false, invalid: false, missing: false, missingCustomer: false, keyTaken: false };
  expect(kindsOf(await failing({ status: 500, error: api }))).toEqual({ ...none, fault: true });
  expect(kindsOf(await failing({ status: 429, error: api }))).toEqual(none);
  expect(kindsOf(await failing({ status: 403, error: invalid({}) }))).toEqual(none);
  expect(kindsOf(await failing({ status: 400, error: invalid({}) }))).toEqual({ ...none, invalid: true });
  const missing = invalid({ code: 'resource_missing', param: 'payment_method' });
  expect(kindsOf(await failing({ status: 404, error: missing }))).toEqual({ ...none, invalid: true, missing: true });
  const customer = invalid({ code: 'resource_missing', param: 'customer' });
  expect(kindsOf(await failing({ status: 400, error: customer }))).toEqual({
    ...none,
    invalid: true,
    missing: true,
    missingCustomer: true,
  });
  expect(kindsOf(await failing({ status: 400, error: { type: 'idempotency_error' } }))).toEqual({ ...none, keyTaken: true });
  expect(kindsOf(new Error('no'))).toEqual(none);
});

test('omits empty details from the log', async () => {
  const { log } = await failing({ status: 400, error: invalid({ code: null, param: '' }) });
  expect(Object.values(log)).toEqual(['StripeInvalidRequestError', 'No.', 400, 'req_1']);
});

test('tries a call three times, uses the protocol of the URL, and says whether keys charge real cards', () => {
  const settings = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' };
  const protocols = ['http://stripe.test:81', 'https://stripe.test:81', null].map((apiBase) =>
    openStripe({ ...settings, apiBase }).getApiField('protocol'),
  );
  expect(protocols).toEqual(['http', 'https', 'https']);
  expect(stripe.getMaxNetworkRetries()).toBe(2);
  expect(['sk_live_1', 'rk_live_1', 'sk_test_1', 'rk_test_1', 'pk_live_1'].map(isLiveKey)).toEqual([true, true, false, false, false]);
});

test('passes on answers of the provider and other errors unchanged', async () => {
  expect(await callProvider(Promise.resolve('paid'))).toBe('paid');
  const fault = new TypeError('no');
  await expect(callProvider(Promise.reject(fault))).rejects.toBe(fault);
});
