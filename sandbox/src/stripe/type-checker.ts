import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '../../..');

/** What an answer's `object` says that it is, as the provider's library calls it. */
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

// The library's codes of errors take any other text too, for what is to come: here only those that it knows.
const head = `import type Stripe from 'stripe';
type Known<T> = T extends string ? (string & {} extends T ? never : T) : never;
`;

type Answer = { object?: string; data?: { object?: string }[]; error?: object };

function typeOf({ object, data, error }: Answer): string {
  // What the provider's library reads an error as: it knows each field and each code.
  if (error) return '{ error: Stripe.PaymentIntent.LastPaymentError & { code?: Known<Stripe.PaymentIntent.LastPaymentError.Code> } }';
  if (object !== 'list') return types[object ?? ''] ?? 'never';
  const kinds = new Set((data ?? []).map((one) => types[one.object ?? ''] ?? 'never'));
  return `Stripe.ApiList<${[...kinds].join(' | ') || 'never'}>`;
}

/**
 * What the compiler says of these answers, each written down as a constant of the type that the installed library has for it: a field
 * that is missing, unknown or of another kind is an error. Null where nothing is wrong.
 */
export const typeErrors = (answers: { name: string; answer: object }[]): Promise<string | null> =>
  compilerErrors(
    head,
    answers.map(({ name, answer }) => ({ name, value: answer, type: typeOf(answer as Answer) })),
  );

type Constant = { name: string; value: object; type: string };

/** What the compiler says of constants that are each to be of a type, behind some lines of its own. */
export async function compilerErrors(before: string, constants: readonly Constant[]): Promise<string | null> {
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
    const [said, [code]] = await Promise.all([text(compiler.stdout), once(compiler, 'exit') as Promise<[number]>]);
    if (code === 0) return null;
    return said.replaceAll(
      /^.*values\.ts\((\d+),\d+\)/gm,
      (_, line: string) => constants[(Number(line) - beforeLines - 2) / 2]?.name ?? line,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
