import { isPaymentPage } from '@handwise/contract/payments/pages';
import type { StripeSettings } from './kit/outside/stripe.ts';

// What the provider documents for its own script (docs.stripe.com/security/guide), with what Link adds to it. Addresses for its map of
// addresses and for its hosted checkout are left out: we use neither.
const script = ['https://js.stripe.com', 'https://*.js.stripe.com'];
const link = ['https://link.com', 'https://*.link.com'];
const provider = {
  'script-src': script,
  'connect-src': ['https://api.stripe.com', ...link],
  'frame-src': [...script, 'https://hooks.stripe.com', ...link],
  'img-src': ['https://*.link.com'],
};
const nothing: typeof provider = { 'script-src': [], 'connect-src': [], 'frame-src': [], 'img-src': [] };

function directives(scriptHashes: readonly string[], more: typeof provider): Record<string, string[]> {
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...scriptHashes, ...more['script-src']],
    // Style attributes carry sizes and colours that are known only when a page is made; they cannot run anything.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...more['img-src']],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...more['connect-src']],
    'frame-src': more['frame-src'].length > 0 ? more['frame-src'] : ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
}

const policyText = (all: Record<string, string[]>) =>
  Object.entries(all)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');

// A place is asked for on a press ("Near me"), by this site alone.
const permissions = (payment: string) => `geolocation=(self), payment=(${payment})`;
const asksForPayment = ['self', ...script.map((origin) => `"${origin}"`)].join(' ');

/** Headers of an answer, by their names. */
export type Policies = ReturnType<ReturnType<typeof openPolicies>>;

/**
 * What an answer allows to run and to reach, by its path. With real keys the provider's script may on the pages of payment, with the windows that
 * wallets open, and nowhere else; in the sandbox a form of our own speaks to the stand-in. Street tiles come from the operator's origin, if there is one.
 */
export function openPolicies({ apiBase }: Pick<StripeSettings, 'apiBase'>, mapTiles: { url: string } | null = null) {
  const map = mapTiles ? [new URL(mapTiles.url).origin] : [];
  const ours = { ...nothing, ...(apiBase !== null && { 'connect-src': [new URL(apiBase).origin] }), 'img-src': map };
  return (path = '', scriptHashes: readonly string[] = []) => {
    const pays = apiBase === null && isPaymentPage(path);
    return {
      'content-security-policy': policyText(directives(scriptHashes, pays ? provider : ours)),
      'permissions-policy': permissions(pays ? asksForPayment : ''),
      // Link shows itself only where the window that it opens keeps the way back.
      'cross-origin-opener-policy': pays ? 'same-origin-allow-popups' : 'same-origin',
    };
  };
}
