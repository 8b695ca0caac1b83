import { expect, test } from 'vitest';
import { openSecurityHeaders } from './security-headers.ts';

const real = openSecurityHeaders({ apiBase: null });
const sandbox = openSecurityHeaders({ apiBase: 'http://localhost:4001/v1' });

const directive = (policy: { 'content-security-policy': string }, name: string) =>
  policy['content-security-policy']
    .split('; ')
    .find((one) => one.startsWith(`${name} `))
    ?.slice(name.length + 1);

const paying = ['/addList', '/addListing', '/account/payment', '/account/billing', '/updatePlan/1', '/reactivateListing/1'];

test.each(paying)('with real keys, %s allows exactly what the provider’s script and wallets need', (path) => {
  const policy = real(path, ["'sha256-1'"]);
  expect(directive(policy, 'script-src')).toBe("'self' 'sha256-1' https://js.stripe.com https://*.js.stripe.com");
  expect(directive(policy, 'connect-src')).toBe("'self' https://api.stripe.com https://link.com https://*.link.com");
  expect(directive(policy, 'frame-src')).toBe(
    'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://link.com https://*.link.com',
  );
  expect(directive(policy, 'img-src')).toBe("'self' data: blob: https://*.link.com");
  expect(directive(policy, 'frame-ancestors')).toBe("'none'");
  expect(policy['permissions-policy']).toBe('geolocation=(self), payment=(self "https://js.stripe.com" "https://*.js.stripe.com")');
  expect(policy['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
});

test.each([
  undefined,
  '/',
  '/payment-return',
  '/account',
  '/account/receipts',
  '/updatePlan/',
  '/listing/1',
  '/admin/payments',
  '/auth/login',
])('with real keys, %s allows none of it', (path) => {
  const policy = real(path);
  expect(policy['content-security-policy']).not.toMatch(/stripe|link\.com/);
  expect(directive(policy, 'connect-src')).toBe("'self'");
  expect(directive(policy, 'frame-src')).toBe("'none'");
  expect(policy['permissions-policy']).toBe('geolocation=(self), payment=()');
  expect(policy['cross-origin-opener-policy']).toBe('same-origin');
});

test.each([...paying, '/'])('in the sandbox, %s may connect to the stand-in only', (path) => {
  const policy = sandbox(path);
  expect(policy['content-security-policy']).not.toMatch(/stripe|link\.com/);
  expect(directive(policy, 'connect-src')).toBe("'self' http://localhost:4001");
  expect(directive(policy, 'frame-src')).toBe("'none'");
  expect(policy['permissions-policy']).toBe('geolocation=(self), payment=()');
  expect(policy['cross-origin-opener-policy']).toBe('same-origin');
});

test('pages load street tiles from the operator’s origin only', () => {
  const mapTiles = { url: 'https://tiles.example:8443/streets/{z}/{x}/{y}.png?key=1' };
  expect(directive(openSecurityHeaders({ apiBase: null }, mapTiles)('/search'), 'img-src')).toBe(
    "'self' data: blob: https://tiles.example:8443",
  );
  expect(directive(real('/search'), 'img-src')).toBe("'self' data: blob:");
});

test.each(['pbf', 'mvt?key=1'])('pages fetch vector tiles (%s) from the operator’s origin only, and no pictures', (ending) => {
  const mapTiles = { url: `https://tiles.example/streets/{z}/{x}/{y}.${ending}` };
  const policy = openSecurityHeaders({ apiBase: null }, mapTiles)('/search');
  expect(directive(policy, 'connect-src')).toBe("'self' https://tiles.example");
  expect(directive(policy, 'img-src')).toBe("'self' data: blob:");
  expect(directive(openSecurityHeaders({ apiBase: null }, mapTiles)('/account/payment'), 'connect-src')).not.toContain('tiles.example');
});
