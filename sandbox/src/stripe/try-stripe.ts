import { once } from 'node:events';
import { createServer } from 'node:http';
import { Stripe } from 'stripe';
import { onTestFinished } from 'vitest';
import { startStripe, type StripeOptions } from './start-stripe.ts';

export const secretKey = 'sk_test_sandbox';
export const publishableKey = 'pk_test_sandbox';
export const webhookSecret = 'whsec_sandbox';

export const sdk = (url: string, key = secretKey) =>
  new Stripe(key, { host: 'localhost', port: new URL(url).port, protocol: 'http', maxNetworkRetries: 0 });

type Seen = {
  status: string;
  payment_method: string;
  next_action: { redirect_to_url: { url: string } };
  error: { code: string; type: string; decline_code?: string; payment_intent: object };
};

/** The stand-in with a client of the server's and a browser's. Ends with the test. */
export async function sandbox(options: Partial<StripeOptions> = {}) {
  const server = await startStripe({
    file: ':memory:',
    port: 0,
    secretKey,
    publishableKey,
    webhookSecret,
    webhookUrl: () => null,
    ...options,
  });
  onTestFinished(() => server.close());
  const stripe = sdk(server.url);
  const browser = async (path: string, fields: Record<string, string>) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      body: new URLSearchParams({ key: publishableKey, ...fields }),
      headers: { origin: 'http://shop.example' },
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Seen };
  };
  const confirm = (intent: { id: string; client_secret: string | null }, fields: Record<string, string>) =>
    browser(`/v1/${intent.id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'}/${intent.id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      ...fields,
    });
  /** A payment that succeeded with the method of this name. */
  const pay = (payment_method = 'pm_card_visa', amount = price.amount) =>
    stripe.paymentIntents.create({ ...price, amount, payment_method, confirm: true });
  /** The id of a method saved for a customer. */
  const save = async (customer: string, payment_method = 'pm_card_visa') =>
    String((await stripe.setupIntents.create({ customer, payment_method, confirm: true })).payment_method);
  const charge = async (intent: { latest_charge: string | Stripe.Charge | null }) => stripe.charges.retrieve(String(intent.latest_charge));
  const allEvents = async () => (await stripe.events.list({ limit: 100 })).data;
  /** Newest first. */
  const events = async () => (await allEvents()).map((event) => event.type);
  /** The events that `work` causes, oldest first. */
  const eventsOf = async (work: () => unknown) => {
    const before = new Set((await allEvents()).map(({ id }) => id));
    await work();
    return (await allEvents()).filter(({ id }) => !before.has(id)).toReversed();
  };
  return { ...server, server, stripe, browser, confirm, pay, save, charge, events, eventsOf };
}

const nextYear = String(new Date().getFullYear() + 1);
export const card = (number: string, overrides: Record<string, string> = {}) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': nextYear,
  'payment_method_data[card][cvc]': '123',
  'payment_method_data[billing_details][name]': 'Mere Kingi',
  'payment_method_data[billing_details][email]': 'mere@example.org',
  ...overrides,
});
export const price = { amount: 1500, currency: 'nzd' };

/** A webhook that answers with the given statuses in turn, then with 200. */
export async function webhook(...statuses: number[]) {
  const received: { body: string; signature: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ body, signature: String(request.headers['stripe-signature']) });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const bound = server.address();
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}/`;
  return { received, url, types: () => received.map(({ body }) => (JSON.parse(body) as Stripe.Event).type) };
}
