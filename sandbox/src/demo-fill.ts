import pg from 'pg';
import type { Env } from '@handwise/server/env';
import type { StripeSettings } from '@handwise/server/kit/stripe';
import { submitCard } from './testing/provider.ts';

type Target = {
  env: Env;
  databaseUrl: string;
  filesDir: string;
  stripe: StripeSettings;
  log: (line: string) => void;
};

/** Fills missing demo data into a migrated database. */
export async function fillDemoOnce(target: Target): Promise<void> {
  const { env, databaseUrl } = target;
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'demo data' });
  // A stop ends the database meanwhile, so that the running statement fails.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query('select from users limit 1');
    if (rows.length === 0) await fill(client, target);
    await payForSeller(client, target);
    const { rows: paid } = await client.query("select from draws where prize = 'paid' limit 1");
    if (paid.length === 0) await (await import('@handwise/demo/demo-draws')).fillDemoDraws(env, databaseUrl);
    const { rows: referred } = await client.query('select from referrals limit 1');
    if (referred.length === 0) await (await import('@handwise/demo/demo-referrals')).fillDemoReferrals(env, databaseUrl);
    const { rows: imported } = await client.query('select from invitation_imports limit 1');
    if (imported.length === 0) await (await import('@handwise/demo/demo-invitations')).fillDemoInvitations(env, databaseUrl);
  } finally {
    await client.end();
  }
}

// Only with the sandbox's provider, because a real one takes no card without its owner.
async function payForSeller(client: pg.Client, { env, databaseUrl, stripe: { apiBase: url, ...stripe } }: Target) {
  const { rows } = await client.query(
    "select from subscriptions join users on users.id = user_id where email = 'seller@example.com' and source = 'grant' limit 1",
  );
  if (rows.length === 0 || url === null) return;
  const { fillDemoPayments } = await import('@handwise/demo/demo-payments');
  await fillDemoPayments(env, databaseUrl, { ...stripe, apiBase: url }, (secret, name, isSaved) =>
    submitCard({ url, publishableKey: stripe.publishableKey }, secret, '4242424242424242', {
      'payment_method_data[billing_details][name]': name,
      ...(isSaved && { setup_future_usage: 'off_session' }),
    }),
  );
}

async function fill(client: pg.Client, { filesDir, log }: Target) {
  const { fillDemoData } = await import('@handwise/demo/demo-data');
  log('Filling in demo data: listings, reviews and pictures. This happens once …');
  let shown = -1;
  await fillDemoData({
    client,
    filesDir,
    onProgress: (done, total, what) => {
      const percent = Math.floor((done / total) * 10) * 10;
      if (percent !== shown) log(`  ${String(percent).padStart(3)} %  ${what}`);
      shown = percent;
    },
  });
}
