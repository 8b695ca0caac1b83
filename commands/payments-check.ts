import { defaultSite } from '@handwise/contract/site/default-site';
import { type Finding, checkProvider, eventTypes } from '@handwise/server/domains/payments/payments.service';
import { type Env, readEnv } from '@handwise/server/env';

type Log = (line: string) => unknown;

const wide = 18;
const formatLine = ({ name, is, missing }: Finding) => `${missing === null ? 'ok     ' : 'MISSING'} ${name.padEnd(wide)} ${missing ?? is}`;

/** Invoices must not have example values once cards are charged. */
function checkInvoices({ settings, stripe }: Env): Finding {
  const printed = (['legalName', 'legalAddress', 'nzGstNumber', 'abn'] as const)
    .filter((name) => settings[name] === defaultSite[name])
    .map((name) => settings[name]);
  const isLive = stripe?.secretKey.includes('_live_') ?? false;
  if (printed.length === 0) return { name: 'invoices', is: `${settings.legalName}, ${settings.legalAddress}`, missing: null };
  if (!isLive) return { name: 'invoices', is: 'examples, as no card is charged', missing: null };
  return { name: 'invoices', is: '', missing: `these are examples, set LEGAL_PERSON, LEGAL_ADDRESS and SITE: ${printed.join(', ')}` };
}

/**
 * `npm run payments:check`: checks the payment provider's configuration without charging a card. Resolves to the exit code: 0 if nothing is missing,
 * else 1. `--events` lists the webhook's events. `apiBase`: URL of a stand-in.
 */
export async function checkPayments(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  log: Log,
  apiBase: string | null = null,
): Promise<0 | 1> {
  if (args.includes('--events')) {
    for (const type of eventTypes) log(type);
    return 0;
  }
  let env: Env;
  try {
    env = readEnv(environment);
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return 1;
  }
  if (!env.stripe) {
    log('STRIPE_SECRET_KEY is not set: there are no keys to try. `npm start` brings a payment sandbox of its own.');
    return 1;
  }
  const findings = [...(await checkProvider({ ...env.stripe, apiBase }, env.appUrl)), checkInvoices(env)];
  for (const finding of findings) log(formatLine(finding));
  const missing = findings.filter((finding) => finding.missing !== null).length;
  log(missing === 0 ? 'Nothing is missing.' : `${missing} of ${findings.length} are missing.`);
  return missing === 0 ? 0 : 1;
}

if (import.meta.main)
  process.exitCode = await checkPayments(process.argv.slice(2), process.env, (line) => process.stdout.write(`${line}\n`));
