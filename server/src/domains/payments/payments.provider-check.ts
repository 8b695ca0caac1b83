import type { Stripe } from 'stripe';
import { offeredMethods, webhookPath } from '@handwise/contract/payments/calls';
import { ProviderError } from '../../kit/integrations/provider-error.ts';
import { type StripeSettings, callProvider, isLiveKey, openStripe } from '../../kit/integrations/stripe.ts';
import { bankSuffix } from './payments.intents.ts';
import { eventHandlers } from './payments.webhooks.ts';

/** One check; `missing` says what to do about it, null if nothing. */
export type Finding = { name: string; is: string; missing: string | null };

/** The events that the webhook endpoint must receive. */
export const eventTypes = Object.keys(eventHandlers).toSorted();

// The provider takes this many characters of a descriptor without a shortened form.
const longestPrefix = 10;

const pass = (name: string, is: string): Finding => ({ name, is, missing: null });
const fail = (name: string, missing: string): Finding => ({ name, is: '', missing });

/** Turns a provider error into a finding. */
async function runCheck(name: string, right: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { status, message, requestId } = error.log;
    const detail = `${message}${requestId ? ` (${requestId})` : ''}`;
    if (status === 401) return fail(name, `the provider rejects the key: ${detail}`);
    if (status === 403) return fail(name, `the key lacks a permission: allow ${right}. ${detail}`);
    if (error.code === 'payment_provider_unavailable') return fail(name, `the provider does not answer: ${detail}`);
    return fail(name, detail);
  }
}

/**
 * Checks the configured keys without charging a card: the account, the webhook endpoint of `appUrl` and its events, a card setup that is
 * created, read with the browser's key and cancelled, and read access to what is synced.
 */
export async function checkProvider(settings: StripeSettings, appUrl: string): Promise<Finding[]> {
  const stripe = openStripe(settings);
  const mode = isLiveKey(settings.secretKey) ? 'live: cards are charged' : 'test: no card is charged';
  const findings = [pass('mode', mode), await runCheck('account', 'read on Account', () => checkAccount(stripe))];
  // An invalid key fails every other check in the same way.
  if (findings.some(({ missing }) => missing?.includes('rejects the key') || missing?.includes('does not answer'))) return findings;
  // Needs the right to read the account.
  if (findings.every(({ missing }) => missing === null)) {
    findings.push(await runCheck('bank statement', 'read on Account', () => checkStatement(stripe)));
  }
  findings.push(await runCheck('webhook', 'read on Webhook Endpoints', () => checkWebhook(stripe, appUrl + webhookPath)));
  findings.push(await runCheck('set-up of a card', 'write on SetupIntents', () => checkSetup(stripe, settings)));
  for (const [name, right, read] of readChecks(stripe)) {
    findings.push(
      await runCheck(name, right, async () => {
        await callProvider<unknown>(read());
        return pass(name, 'readable');
      }),
    );
  }
  return findings;
}

const firstOnly = { limit: 1 };
const readChecks = (stripe: Stripe) =>
  [
    ['customers', 'write on Customers', () => stripe.customers.list(firstOnly)],
    ['payments', 'write on PaymentIntents', () => stripe.paymentIntents.list(firstOnly)],
    ['refunds', 'write on Charges and Refunds', () => stripe.refunds.list(firstOnly)],
    ['disputes', 'read on Disputes', () => stripe.disputes.list(firstOnly)],
    ['fraud warnings', 'read on Radar', () => stripe.radar.earlyFraudWarnings.list(firstOnly)],
  ] as const;

async function checkAccount(stripe: Stripe): Promise<Finding> {
  const account = await callProvider(stripe.accounts.retrieveCurrent());
  const which = `${account.id}, ${account.country ?? 'no country'}`;
  if (!account.details_submitted) return fail('account', `${which}: its details are not complete at the provider`);
  if (!account.charges_enabled) return fail('account', `${which}: it cannot take payments yet`);
  return pass('account', which);
}

/** The bank statement text: the account's name with our suffix; the provider rejects the suffix if there is no name. */
async function checkStatement(stripe: Stripe): Promise<Finding> {
  const name = 'bank statement';
  const { settings } = await callProvider(stripe.accounts.retrieveCurrent());
  const own = settings?.card_payments.statement_descriptor_prefix ?? settings?.payments.statement_descriptor?.slice(0, longestPrefix);
  if (own) return pass(name, `payers read “${own}* ${bankSuffix}”`);
  return fail(
    name,
    `the account has no statement descriptor, so payments with our suffix ${bankSuffix} would be refused: set one, or its shortened form, among the public details of the business at the provider`,
  );
}

async function checkWebhook(stripe: Stripe, url: string): Promise<Finding> {
  const name = 'webhook';
  // An account has at most sixteen endpoints.
  const { data: endpoints } = await callProvider(stripe.webhookEndpoints.list({ limit: 100 }));
  const ours = endpoints.filter((endpoint) => endpoint.url === url);
  const [endpoint] = ours.toSorted((a, b) => Number(b.status === 'enabled') - Number(a.status === 'enabled'));
  if (!endpoint) return fail(name, `there is no endpoint ${url}: create one for the events ${eventTypes.join(', ')}`);
  if (endpoint.status !== 'enabled') return fail(name, `the endpoint ${url} is disabled`);
  const enabled = new Set<string>(endpoint.enabled_events);
  const without = enabled.has('*') ? [] : eventTypes.filter((type) => !enabled.has(type));
  if (without.length > 0) return fail(name, `the endpoint ${url} does not receive ${without.join(', ')}`);
  return pass(name, `${url} receives all ${eventTypes.length} events`);
}

/** Creates a setup, reads it with the browser's key (which works only for the same account and mode) and cancels it. */
async function checkSetup(stripe: Stripe, settings: StripeSettings): Promise<Finding> {
  const name = 'set-up of a card';
  const intent = await callProvider(
    stripe.setupIntents.create({ usage: 'on_session', allowed_payment_method_types: [...offeredMethods.save] }),
  );
  try {
    const browser = openStripe({ ...settings, secretKey: settings.publishableKey });
    const seen = callProvider(browser.setupIntents.retrieve(intent.id, { client_secret: intent.client_secret ?? '' }));
    const fault = await seen.then(
      () => null,
      (error: unknown) => error,
    );
    if (fault instanceof ProviderError) {
      return fail(
        name,
        `STRIPE_PUBLISHABLE_KEY cannot read what STRIPE_SECRET_KEY created: it belongs to another account. ${fault.log.message}`,
      );
    }
    if (fault) throw fault;
  } finally {
    await callProvider(stripe.setupIntents.cancel(intent.id));
  }
  return pass(name, 'created, read with the browser’s key and cancelled');
}
