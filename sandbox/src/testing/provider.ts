import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { buildApp } from '@handwise/server/http/app';
import type { Clock } from '@handwise/server/kit/context';
import { openStripe } from '@handwise/server/kit/stripe';
import { startServer } from '../stand-in-server.ts';
import { type StripeOptions, startStripe } from '../stripe/start-stripe.ts';

const keys = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox' };

/**
 * A test file's own payment provider. Webhooks are not delivered; tests send events themselves.
 * With `proxied` the app uses a proxy, which can answer in the provider's place.
 */
export async function startProvider({ proxied = false } = {}) {
  let onProviderCall: StripeOptions['onRequest'];
  const stripe = await startStripe({
    ...keys,
    file: ':memory:',
    port: 0,
    webhookUrl: () => null,
    // Until a test settles it.
    processingMs: 3_600_000,
    onRequest: (request, phase) => onProviderCall?.(request, phase),
  });
  const proxy = proxied ? await startProviderProxy(stripe.url) : undefined;
  const settings = { ...keys, apiBase: proxy?.url ?? stripe.url };
  return {
    settings,
    sandbox: {
      /** The stand-in itself. */
      stripe,
      /** The provider's client. */
      provider: openStripe({ ...keys, apiBase: stripe.url }),
      /** Sets the hook that answers the app in the provider's place, or removes it. */
      answerApp: (hook?: OnProxiedCall) => proxy?.answer(hook),
      closeProvider: () => Promise.all([stripe.close(), proxy?.close()]),
      /** Sets the hook around each provider call, or removes it. */
      aroundProvider: (hook?: StripeOptions['onRequest']) => {
        onProviderCall = hook;
      },
      confirmAtProvider: (secret: string, card?: string, more?: Record<string, string>) =>
        submitCard({ url: stripe.url, publishableKey: keys.publishableKey }, secret, card, more),
      /** Creates a confirmation token, as the provider's form in a browser does. */
      collect: (card?: string, more?: Record<string, string>) =>
        collectCard({ url: stripe.url, publishableKey: keys.publishableKey }, card, more),
      /** The cardholder's answer to 3-D Secure. */
      authenticateAtBank: async (secret: string, outcome: 'success' | 'fail' = 'success') => {
        const body = new URLSearchParams({ key: keys.publishableKey, client_secret: secret, outcome });
        const answer = await fetch(`${stripe.url}/sandbox/authenticate`, { method: 'POST', body });
        return (await answer.json()) as { status?: string };
      },
    },
  };
}

export type Sandbox = Awaited<ReturnType<typeof startProvider>>['sandbox'];

/** The provider's response to a card. */
export type ProviderAnswer = { status?: string; error?: { message: string; code: string } };

type Provider = { url: string; publishableKey: string };
type Fields = Record<string, string>;

const fieldsOf = (card: string) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': card,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '2031',
  'payment_method_data[card][cvc]': '123',
  'payment_method_data[billing_details][name]': 'Mere Kingi',
});

/** Form-encoded, as the provider's own script does. */
async function post({ url, publishableKey }: Provider, path: string, fields: Fields): Promise<unknown> {
  const answer = await fetch(url + path, { method: 'POST', body: new URLSearchParams({ key: publishableKey, ...fields }) });
  return answer.json();
}

/** Confirms an intent with a card at the provider, as the browser does. */
export async function submitCard(
  provider: Provider,
  secret: string,
  card = '4242424242424242',
  more: Fields = {},
): Promise<ProviderAnswer> {
  const kind = secret.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  const fields = { client_secret: secret, ...fieldsOf(card), ...more };
  return (await post(provider, `/v1/${kind}/${secret.split('_secret')[0]}/confirm`, fields)) as ProviderAnswer;
}

/** Creates a confirmation token from a card, as the browser does before an intent exists. */
async function collectCard(provider: Provider, card = '4242424242424242', more: Fields = {}): Promise<string> {
  const { id } = (await post(provider, '/v1/confirmation_tokens', { ...fieldsOf(card), ...more })) as { id?: string };
  if (!id) throw new Error('the provider did not collect the card');
  return id;
}

type ProxiedCall = { method: string; path: string; query: URLSearchParams; key: string | undefined; body: URLSearchParams };
type ProxyError = { status: number; error: object; headers?: Record<string, string>; done?: boolean };
/** Returns the response in the provider's place; with `done` the provider executes the call first. Undefined lets the call through. */
export type OnProxiedCall = (call: ProxiedCall) => ProxyError | undefined | Promise<ProxyError | undefined>;

/** A proxy in front of the provider's stand-in that can respond in its place with errors that the stand-in does not have. */
async function startProviderProxy(to: string) {
  let onCall: OnProxiedCall | undefined;

  async function pass(request: IncomingMessage, body: string) {
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name) ? [[name, value]] : [],
    );
    const method = request.method ?? 'GET';
    return fetch(to + (request.url ?? ''), { method, headers, ...(method !== 'GET' && body !== '' && { body }) });
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', to);
    const call = {
      method: request.method ?? 'GET',
      path: pathname,
      query: searchParams,
      key: request.headers['idempotency-key']?.toString(),
      body: new URLSearchParams(body),
    };
    const ownError = await onCall?.(call);
    const answer = ownError && !ownError.done ? undefined : await pass(request, body);
    const content = ownError ? JSON.stringify({ error: ownError.error }) : await answer?.text();
    // Stripe's header against retries, so that tests need not wait for them.
    const headers = ownError ? { 'request-id': 'req_of_proxy', 'stripe-should-retry': 'false', ...ownError.headers } : {};
    const own = answer && !ownError ? Object.fromEntries(answer.headers) : {};
    delete own['content-length'];
    delete own['connection'];
    response.writeHead(ownError?.status ?? answer?.status ?? 500, { ...own, 'content-type': 'application/json', ...headers }).end(content);
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => request.socket.destroy());
  });
  const { url, close } = await startServer(server);
  return {
    url,
    /** Sets the hook, or removes it. */
    answer(hook?: OnProxiedCall) {
      onCall = hook;
    },
    close,
  };
}

/**
 * Sends a signed provider event about an object to the app, which then loads the object. Repeat an `eventId` to send the same event again.
 */
export const webhookSender =
  ({ app, sandbox, parts }: { app: Awaited<ReturnType<typeof buildApp>>; sandbox: Sandbox; parts: { clock: Clock } }) =>
  async (type: string, { id }: { id: string }, eventId = `evt_${randomUUID()}`): Promise<void> => {
    const payload = JSON.stringify({ id: eventId, object: 'event', type, data: { object: { id } } });
    const signature = sandbox.provider.webhooks.generateTestHeaderString({
      payload,
      secret: 'whsec_sandbox',
      timestamp: Math.floor(parts.clock.now().getTime() / 1000),
    });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload });
    if (statusCode !== 200) throw new Error(`the message was answered with ${statusCode}`);
  };
