import { Stripe } from 'stripe';
import { onTestFinished } from 'vitest';
import { startStripe, type StripeOptions } from './start-stripe.ts';

export const secretKey = 'sk_test_sandbox';
export const publishableKey = 'pk_test_sandbox';
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
    webhookSecret: 'whsec_sandbox',
    webhookUrl: () => null,
    ...options,
  });
  onTestFinished(() => server.close());
  const stripe = new Stripe(secretKey, { host: 'localhost', port: new URL(server.url).port, protocol: 'http', maxNetworkRetries: 0 });
  const browser = async (path: string, fields: Record<string, string>) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      body: new URLSearchParams({ key: publishableKey, ...fields }),
      headers: { origin: 'http://shop.example' },
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Seen };
  };
  const charge = async (intent: { latest_charge: string | Stripe.Charge | null }) => stripe.charges.retrieve(String(intent.latest_charge));
  /** Newest first. */
  const events = async () => (await stripe.events.list({ limit: 100 })).data.map((event) => event.type);
  return { ...server, stripe, browser, charge, events };
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
