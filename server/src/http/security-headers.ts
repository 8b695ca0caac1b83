import { isPaymentPage } from '@handwise/contract/payments/pages';
import { isVectorTiles } from '@handwise/contract/site/map-tiles';
import type { StripeSettings } from '../kit/integrations/stripe.ts';

// From the provider's documentation (docs.stripe.com/security/guide), plus Link. Origins of its address maps and hosted checkout are left out, because
// we use neither.
const script = ['https://js.stripe.com', 'https://*.js.stripe.com'];
const link = ['https://link.com', 'https://*.link.com'];
const provider = {
  'script-src': script,
  'connect-src': ['https://api.stripe.com', ...link],
  'frame-src': [...script, 'https://hooks.stripe.com', ...link],
  'img-src': ['https://*.link.com'],
};
const nothing: typeof provider = { 'script-src': [], 'connect-src': [], 'frame-src': [], 'img-src': [] };

function buildDirectives(scriptHashes: readonly string[], more: typeof provider): Record<string, string[]> {
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...scriptHashes, ...more['script-src']],
    // Style attributes have dynamic sizes and colours; they can't run scripts.
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

const formatPolicy = (all: Record<string, string[]>) =>
  Object.entries(all)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');

// Only this site may ask for the position ("Near me").
const formatPermissions = (payment: string) => `geolocation=(self), payment=(${payment})`;
const paymentOrigins = ['self', ...script.map((origin) => `"${origin}"`)].join(' ');

/** Security headers by name. */
export type SecurityHeaders = ReturnType<ReturnType<typeof openSecurityHeaders>>;

/**
 * The security headers of a response by its path. With real keys, payment pages allow the provider's script and the windows of wallets; in the sandbox,
 * pages may connect to the stand-in. Street tiles are allowed from the operator's origin, as pictures or as vector tiles.
 */
export function openSecurityHeaders({ apiBase }: Pick<StripeSettings, 'apiBase'>, mapTiles: { url: string } | null = null) {
  const map = mapTiles ? [new URL(mapTiles.url).origin] : [];
  // Scripts fetch vector tiles; other tiles are pictures.
  const isVector = mapTiles !== null && isVectorTiles(mapTiles.url);
  const connected = [...(apiBase === null ? [] : [new URL(apiBase).origin]), ...(isVector ? map : [])];
  const ours = { ...nothing, 'connect-src': connected, 'img-src': isVector ? [] : map };
  return (path = '', scriptHashes: readonly string[] = []) => {
    const pays = apiBase === null && isPaymentPage(path);
    return {
      'content-security-policy': formatPolicy(buildDirectives(scriptHashes, pays ? provider : ours)),
      'permissions-policy': formatPermissions(pays ? paymentOrigins : ''),
      // Link needs access from its pop-up to the page that opened it.
      'cross-origin-opener-policy': pays ? 'same-origin-allow-popups' : 'same-origin',
    };
  };
}
