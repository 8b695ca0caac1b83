import { parseForm, type Params } from './calls/form.ts';
import { compilerErrors } from './type-checker.ts';

/** A call as it went over the line: its form, or its query. */
export type Request = { method: string; path: string; params: URLSearchParams };

/** What the installed library calls the resources that the product works with, and where they are. */
export const resources = {
  accounts: { type: 'Account', path: '/v1/account' },
  charges: { type: 'Charge', path: '/v1/charges' },
  customers: { type: 'Customer', path: '/v1/customers' },
  disputes: { type: 'Dispute', path: '/v1/disputes' },
  paymentIntents: { type: 'PaymentIntent', path: '/v1/payment_intents' },
  paymentMethods: { type: 'PaymentMethod', path: '/v1/payment_methods' },
  'radar.earlyFraudWarnings': { type: 'Radar.EarlyFraudWarning', path: '/v1/radar/early_fraud_warnings' },
  refunds: { type: 'Refund', path: '/v1/refunds' },
  setupIntents: { type: 'SetupIntent', path: '/v1/setup_intents' },
  webhookEndpoints: { type: 'WebhookEndpoint', path: '/v1/webhook_endpoints' },
} as const;

/** The library's name of what a call does: `paymentIntents.create`. Null for a call of no known resource. */
export function nameOf({ method, path }: Pick<Request, 'method' | 'path'>): string | null {
  if (path === '/v1/account') return 'accounts.retrieveCurrent';
  for (const [name, { path: base }] of Object.entries(resources)) {
    const rest = path === base ? '' : path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null;
    if (rest === null) continue;
    const [id = '', deed] = rest.split('/');
    if (deed) return `${name}.${deed}`;
    if (id) return `${name}.${method === 'GET' ? 'retrieve' : method === 'DELETE' ? 'del' : 'update'}`;
    return `${name}.${method === 'GET' ? 'list' : 'create'}`;
  }
  return null;
}

function typeOf(request: Request): string {
  const [, resource = '', verb = ''] = /^(.*)\.(\w+)$/.exec(nameOf(request) ?? '') ?? [];
  const known = Object.entries(resources).find(([name]) => name === resource)?.[1];
  const deed = verb === 'del' ? 'Delete' : verb.charAt(0).toUpperCase() + verb.slice(1);
  return known ? `Sent<Stripe.${known.type}${deed}Params>` : 'never';
}

// A form knows no numbers and no booleans: what the library takes as such goes over the line as their text.
const head = `import type Stripe from 'stripe';
type Sent<T> = T extends string ? T : T extends number ? \`\${number}\` : T extends boolean ? \`\${T}\`
  : T extends readonly (infer One)[] ? Sent<One>[] : T extends object ? { [Name in keyof T]: Sent<T[Name]> } : T;
`;

/** `d[0]=a&d[1]=b` is a list. */
function asSent(params: Params): object {
  const names = Object.keys(params);
  const values = Object.values(params).map((value) => (typeof value === 'string' ? value : asSent(value)));
  if (names.length > 0 && names.every((name, index) => name === String(index))) return values;
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

/** What the compiler says of these calls, each held against the parameters that the installed library has for it. Null where nothing is wrong. */
export const requestErrors = (requests: readonly Request[]): Promise<string | null> =>
  compilerErrors(
    head,
    requests.map((request) => ({
      name: `${request.method} ${request.path} ${request.params.toString()}`,
      value: asSent(parseForm(request.params)),
      type: typeOf(request),
    })),
  );
