import { openStripe } from '@handwise/server/kit/stripe';
import { type StripeOptions, startStripe } from '../stripe/start-stripe.ts';
import { collectCard, giveCard } from './card.ts';
import { type OnProxiedCall, startProviderProxy } from './provider-proxy.ts';

const keys = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox' };

/**
 * A payment provider of a test file's own. Webhooks reach the app where a test passes them on: most want to say themselves who
 * brings the news. With `proxied` the app reaches it through a proxy, which can answer in its place.
 */
export async function startProvider({ proxied = false } = {}) {
  let onProviderCall: StripeOptions['onRequest'];
  const stripe = await startStripe({
    ...keys,
    file: ':memory:',
    port: 0,
    webhookUrl: () => null,
    onRequest: (request, phase) => onProviderCall?.(request, phase),
  });
  const proxy = proxied ? await startProviderProxy(stripe.url) : undefined;
  const settings = { ...keys, apiBase: proxy?.url ?? stripe.url };
  return {
    settings,
    sandbox: {
      /** The stand-in itself, whose faults tests set. */
      stripe,
      /** The provider, as the app's own client sees it. */
      provider: openStripe({ ...keys, apiBase: stripe.url }),
      /** Answers the app in the provider's place from now on; nothing without a hook. */
      answerApp: (hook?: OnProxiedCall) => proxy?.answer(hook),
      closeProvider: () => Promise.all([stripe.close(), proxy?.close()]),
      /** What happens around each call of the provider from now on; nothing without a hook. */
      aroundProvider: (hook?: StripeOptions['onRequest']) => {
        onProviderCall = hook;
      },
      confirmAtProvider: (secret: string, card?: string, more?: Record<string, string>) =>
        giveCard({ url: stripe.url, publishableKey: keys.publishableKey }, secret, card, more),
      /** What the provider's form in a browser collects of a card: the id of a confirmation token. */
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
