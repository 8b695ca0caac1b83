import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Params, parseForm } from './params.ts';

const root = join(import.meta.dirname, '../../..');

/** Types of the provider's library by an answer's `object`. */
const types: Record<string, string> = {
  account: 'Stripe.Account',
  balance_transaction: 'Stripe.BalanceTransaction',
  charge: 'Stripe.Charge',
  confirmation_token: 'Stripe.ConfirmationToken',
  customer: 'Stripe.Customer | Stripe.DeletedCustomer',
  dispute: 'Stripe.Dispute',
  event: 'Stripe.Event',
  payment_intent: 'Stripe.PaymentIntent',
  payment_method: 'Stripe.PaymentMethod',
  'radar.early_fraud_warning': 'Stripe.Radar.EarlyFraudWarning',
  refund: 'Stripe.Refund',
  setup_intent: 'Stripe.SetupIntent',
  webhook_endpoint: 'Stripe.WebhookEndpoint | Stripe.DeletedWebhookEndpoint',
};

// The library's error codes allow any other text too; here only the known ones are valid.
const head = `import type Stripe from 'stripe';
type Known<T> = T extends string ? (string & {} extends T ? never : T) : never;
`;

type Answer = { object?: string; data?: { object?: string }[]; error?: object };

function getType({ object, data, error }: Answer): string {
  if (error) return '{ error: Stripe.PaymentIntent.LastPaymentError & { code?: Known<Stripe.PaymentIntent.LastPaymentError.Code> } }';
  if (object !== 'list') return types[object ?? ''] ?? 'never';
  const kinds = new Set((data ?? []).map((one) => types[one.object ?? ''] ?? 'never'));
  return `Stripe.ApiList<${[...kinds].join(' | ') || 'never'}>`;
}

/** The compiler's errors for these answers, each as a constant of its type in the installed library; null if there are none. */
export const typeErrors = (answers: { name: string; answer: object }[]): Promise<string | null> =>
  compilerErrors(
    head,
    answers.map(({ name, answer }) => ({ name, value: answer, type: getType(answer as Answer) })),
  );

type Constant = { name: string; value: object; type: string };

/** The compiler's errors for constants of given types, after some lines of declarations. */
async function compilerErrors(before: string, constants: readonly Constant[]): Promise<string | null> {
  const beforeLines = before.split('\n').length - 1;
  const folder = mkdtempSync(join(tmpdir(), 'stripe-types-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const lines = constants.map(
      ({ name, value, type }, index) => `// ${name}\nexport const value${index} = ${JSON.stringify(value)} satisfies ${type};\n`,
    );
    writeFileSync(join(folder, 'values.ts'), `${before}${lines.join('')}`);
    const settings = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: ['node'], skipLibCheck: true };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: settings, files: ['values.ts'] }));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const compiler = spawn(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output, [code]] = await Promise.all([text(compiler.stdout), once(compiler, 'exit') as Promise<[number]>]);
    if (code === 0) return null;
    return output.replaceAll(
      /^.*values\.ts\((\d+),\d+\)/gm,
      (_, line: string) => constants[(Number(line) - beforeLines - 2) / 2]?.name ?? line,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A call with its form or query. */
export type Request = { method: string; path: string; params: URLSearchParams };

/** The resources that the product uses: their names in the installed library, and their paths. */
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

/** The library's name of a call, such as `paymentIntents.create`; null for an unknown resource. */
export function getTypeName({ method, path }: Pick<Request, 'method' | 'path'>): string | null {
  if (path === '/v1/account') return 'accounts.retrieveCurrent';
  for (const [name, { path: base }] of Object.entries(resources)) {
    const rest = path === base ? '' : path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null;
    if (rest === null) continue;
    const [id = '', action] = rest.split('/');
    if (action) return `${name}.${action}`;
    if (id) return `${name}.${method === 'GET' ? 'retrieve' : method === 'DELETE' ? 'del' : 'update'}`;
    return `${name}.${method === 'GET' ? 'list' : 'create'}`;
  }
  return null;
}

function getParamsType(request: Request): string {
  const [, resource = '', verb = ''] = /^(.*)\.(\w+)$/.exec(getTypeName(request) ?? '') ?? [];
  const known = Object.entries(resources).find(([name]) => name === resource)?.[1];
  const action = verb === 'del' ? 'Delete' : verb.charAt(0).toUpperCase() + verb.slice(1);
  return known ? `Sent<Stripe.${known.type}${action}Params>` : 'never';
}

// A form has no numbers and booleans, which are sent as text.
const requestHead = `import type Stripe from 'stripe';
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

/** The compiler's errors for these calls, each checked against its parameters in the installed library; null if there are none. */
export const requestErrors = (requests: readonly Request[]): Promise<string | null> =>
  compilerErrors(
    requestHead,
    requests.map((request) => ({
      name: `${request.method} ${request.path} ${request.params.toString()}`,
      value: asSent(parseForm(request.params)),
      type: getParamsType(request),
    })),
  );
