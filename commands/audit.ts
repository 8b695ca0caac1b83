import { parseArgs } from 'node:util';
import { auditAtProvider, runAudits, formatAudit, hasHead } from '@handwise/server/composition/audit';
import { readEnv } from '@handwise/server/env';
import type { StripeSettings } from '@handwise/server/kit/stripe';
import { getAuditPeriod } from './audit-period.ts';
import { withDatabase } from './with-database.ts';

// `npm run audit`: exits with 0 if the ledger balances, else with 1. With `-- --head <number>:<hash>` the audit log must
// also still contain that entry of the server's log. With `-- --provider`, payments, refunds, disputes and warnings are compared with the
// provider's lists as well: of the last 30 days, or `--from <day> --to <day>`.
await withDatabase('The ledger could not be read', async (db) => {
  const { values } = parseArgs({
    options: { head: { type: 'string' }, provider: { type: 'boolean' }, from: { type: 'string' }, to: { type: 'string' } },
  });
  const [, number, hash] = values.head === undefined ? [] : (/^(\d+):([0-9a-f]{64})$/i.exec(values.head) ?? []);
  if (values.head !== undefined && hash === undefined) throw new Error('--head takes <number>:<hash>, as the server logged it');
  const period = getAuditPeriod(values, new Date());
  const stripe = values.provider ? getProvider(process.env) : undefined;
  const reports = [...(await runAudits(db)), ...(stripe ? await auditAtProvider(db, stripe, period) : [])];
  console.log(formatAudit(reports).join('\n'));
  if (reports.some((report) => report.wrong > 0)) process.exitCode = 1;
  if (hash !== undefined) {
    const isStored = await hasHead(db, { number: Number(number), hash });
    console.log(`The audit log ${isStored ? 'still has' : 'does not have'} entry ${number} with this hash.`);
    if (!isStored) process.exitCode = 1;
  }
});

/** The environment's provider, or the stand-in of STAND_INS. */
function getProvider(environment: Record<string, string | undefined>): StripeSettings {
  const { stripe, stripeSandbox } = readEnv(environment);
  if (stripe) return stripe;
  if (stripeSandbox.port === 0)
    throw new Error('--provider needs STRIPE_SECRET_KEY, or STAND_INS with the address of a running payment sandbox');
  const { port, webhookSecret } = stripeSandbox;
  return { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret, apiBase: `http://127.0.0.1:${port}` };
}
