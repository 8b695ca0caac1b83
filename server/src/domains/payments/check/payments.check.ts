import { offeredMethods, webhookPath } from '@handwise/contract/payments/calls';
import type { Stripe } from 'stripe';
import { ProviderError } from '../../../kit/outside/provider-error.ts';
import { atProvider, isLiveKey, openStripe, type StripeSettings } from '../../../kit/outside/stripe.ts';
import { eventHandlers } from '../events/payments.event-handlers.ts';
import { bankSuffix } from '../intents/payments.new-intents.ts';

/** One thing that was tried, and what there is to do about it; null where nothing is. */
export type Finding = { name: string; is: string; missing: string | null };

/** The messages that the provider is to send. */
export const eventTypes = Object.keys(eventHandlers).toSorted();

// Of a descriptor without a shortened form the provider takes as much.
const longestPrefix = 10;

const fine = (name: string, is: string): Finding => ({ name, is, missing: null });
const lacking = (name: string, missing: string): Finding => ({ name, is: '', missing });

/** Tries something at the provider; what goes wrong is a finding like any other. */
async function trying(name: string, right: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { status, message, requestId } = error.log;
    const said = `${message}${requestId ? ` (${requestId})` : ''}`;
    if (status === 401) return lacking(name, `the provider does not take the key: ${said}`);
    if (status === 403) return lacking(name, `the key has not the right for it: give it ${right}. ${said}`);
    if (error.code === 'payment_provider_unavailable') return lacking(name, `the provider does not answer: ${said}`);
    return lacking(name, said);
  }
}

/**
 * Tries what the product needs of the payment provider with the keys that are configured, without charging anybody: the account, the
 * webhook endpoint of `appUrl` and its events, a card's set-up that is begun, seen by the browser's key and canceled, and the right to read
 * what is asked about.
 */
export async function checkProvider(settings: StripeSettings, appUrl: string): Promise<Finding[]> {
  const stripe = openStripe(settings);
  const mode = isLiveKey(settings.secretKey) ? 'live: cards are charged' : 'test: no card is charged';
  const findings = [fine('mode', mode), await trying('account', 'read on Account', () => checkAccount(stripe))];
  // Without a key that is taken everything else would fail in the same way.
  if (findings.some(({ missing }) => missing?.includes('does not take the key') || missing?.includes('does not answer'))) return findings;
  // Without the right to see the account it is not known.
  if (findings.every(({ missing }) => missing === null)) {
    findings.push(await trying('bank statement', 'read on Account', () => checkStatement(stripe)));
  }
  findings.push(await trying('webhook', 'read on Webhook Endpoints', () => checkWebhook(stripe, appUrl + webhookPath)));
  findings.push(await trying('set-up of a card', 'write on SetupIntents', () => checkSetUp(stripe, settings)));
  for (const [name, right, read] of reads(stripe)) {
    findings.push(
      await trying(name, right, async () => {
        await atProvider<unknown>(read());
        return fine(name, 'may be read');
      }),
    );
  }
  return findings;
}

const one = { limit: 1 };
const reads = (stripe: Stripe) =>
  [
    ['customers', 'write on Customers', () => stripe.customers.list(one)],
    ['payments', 'write on PaymentIntents', () => stripe.paymentIntents.list(one)],
    ['refunds', 'write on Charges and Refunds', () => stripe.refunds.list(one)],
    ['disputes', 'read on Disputes', () => stripe.disputes.list(one)],
    ['fraud warnings', 'read on Radar', () => stripe.radar.earlyFraudWarnings.list(one)],
  ] as const;

async function checkAccount(stripe: Stripe): Promise<Finding> {
  const account = await atProvider(stripe.accounts.retrieveCurrent());
  const which = `${account.id}, ${account.country ?? 'no country'}`;
  if (!account.details_submitted) return lacking('account', `${which}: its details are not complete at the provider`);
  if (!account.charges_enabled) return lacking('account', `${which}: it may not take payments yet`);
  return fine('account', which);
}

/** What payers read at their banks: the account's own name with our suffix, which the provider refuses where there is no name. */
async function checkStatement(stripe: Stripe): Promise<Finding> {
  const name = 'bank statement';
  const { settings } = await atProvider(stripe.accounts.retrieveCurrent());
  const own = settings?.card_payments.statement_descriptor_prefix ?? settings?.payments.statement_descriptor?.slice(0, longestPrefix);
  if (own) return fine(name, `payers read “${own}* ${bankSuffix}”`);
  return lacking(
    name,
    `the account has no statement descriptor, so payments with our suffix ${bankSuffix} would be refused: set one, or its shortened form, among the public details of the business at the provider`,
  );
}

async function checkWebhook(stripe: Stripe, url: string): Promise<Finding> {
  const name = 'webhook';
  // An account has sixteen of them at most.
  const { data: endpoints } = await atProvider(stripe.webhookEndpoints.list({ limit: 100 }));
  const ours = endpoints.filter((endpoint) => endpoint.url === url);
  const [endpoint] = ours.toSorted((a, b) => Number(b.status === 'enabled') - Number(a.status === 'enabled'));
  if (!endpoint) return lacking(name, `there is no endpoint ${url}: make one for the events ${eventTypes.join(', ')}`);
  if (endpoint.status !== 'enabled') return lacking(name, `the endpoint ${url} is disabled`);
  const enabled = new Set<string>(endpoint.enabled_events);
  const without = enabled.has('*') ? [] : eventTypes.filter((type) => !enabled.has(type));
  if (without.length > 0) return lacking(name, `the endpoint ${url} is not sent ${without.join(', ')}`);
  return fine(name, `${url} is sent all ${eventTypes.length} events`);
}

/** Begins a set-up, sees it with the browser's key, which only one of the same account and mode does, and cancels it. */
async function checkSetUp(stripe: Stripe, settings: StripeSettings): Promise<Finding> {
  const name = 'set-up of a card';
  const intent = await atProvider(
    stripe.setupIntents.create({ usage: 'on_session', allowed_payment_method_types: [...offeredMethods.save] }),
  );
  try {
    const browser = openStripe({ ...settings, secretKey: settings.publishableKey });
    const seen = atProvider(browser.setupIntents.retrieve(intent.id, { client_secret: intent.client_secret ?? '' }));
    const fault = await seen.then(
      () => null,
      (error: unknown) => error,
    );
    if (fault instanceof ProviderError) {
      return lacking(
        name,
        `STRIPE_PUBLISHABLE_KEY does not see what STRIPE_SECRET_KEY made: it is of another account. ${fault.log.message}`,
      );
    }
    if (fault) throw fault;
  } finally {
    await atProvider(stripe.setupIntents.cancel(intent.id));
  }
  return fine(name, 'begun, seen by the browser’s key and canceled');
}
