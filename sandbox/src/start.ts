import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtSite } from '@handwise/server/built-site';
import { readEnv } from '@handwise/server/env';
import { serve, stopOnSignal } from '@handwise/server/serve';
import type { StripeSettings } from '@handwise/server/kit/stripe';
import pg from 'pg';
import { startPostgres } from './postgres.ts';
import { giveCard } from './test-card.ts';

// The whole product on one machine: what the environment does not name is started here, and everything ends with us.
const env = readEnv(process.env);
const development = process.argv.includes('--development');
const fewDrawings = process.argv.includes('--few-drawings');
const say = (line: string) => console.log(line);
const begun = Date.now();

mkdirSync(env.dataDir, { recursive: true });
const lockFile = join(env.dataDir, 'start.pid');
refuseSecondStart(lockFile);

let mailboxUrl: string | undefined;
let stopping = false;
const closers: (() => Promise<void>)[] = [() => Promise.resolve(rmSync(lockFile, { force: true }))];
const stop = stopOnSignal(async () => {
  stopping = true;
  for (const close of closers.toReversed()) await close();
});
endWithParent(stop);

try {
  let { databaseUrl } = env;
  if (!databaseUrl) {
    say('Starting the database …');
    const postgres = await startPostgres({ dataDir: env.dataDir });
    closers.push(() => postgres.stop());
    databaseUrl = postgres.url;
  }
  let { smtpUrl } = env;
  if (!smtpUrl) {
    const { startMailbox } = await import('./mailbox/mailbox.ts');
    const mailbox = await startMailbox({
      file: join(env.dataDir, 'mailbox/mails.sqlite'),
      smtpPort: 0,
      webPort: env.mailboxPort,
      // The usual port is nobody's wish: a second start beside another product finds its own.
      orFreePort: !process.env['MAILBOX_PORT'],
    });
    closers.push(() => mailbox.close());
    smtpUrl = mailbox.smtpUrl;
    mailboxUrl = mailbox.url;
  }
  // Loaded where needed only: a start on existing data is quicker without.
  const site = development ? await (await import('./development-site.ts')).developmentSite() : builtSite();
  if (site.close) closers.push(site.close);
  const stripe = env.stripe ? { ...env.stripe, apiBase: null } : await startPayments();
  const beacon = env.beacon ?? (await startBeacon());
  const registers = await standInForRegisters();
  const serving = await serve({
    env,
    databaseUrl,
    stripe,
    beacon,
    registers,
    smtpUrl,
    site,
    work: true,
    warm: true,
    ...(env.demoData && { prepare: (url, filesDir) => fillOnce(url, filesDir, stripe) }),
  });
  closers.push(() => serving.close());
  say(welcome());
} catch (error) {
  // A stop in the middle of the start makes what is under way fail: that is no fault to report.
  if (!stopping) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
    for (const close of closers.toReversed()) await close();
    process.exit(1);
  }
}

async function startPayments() {
  const { startStripe } = await import('./stripe/start-stripe.ts');
  const keys = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: env.stripeSandbox.webhookSecret };
  const sandbox = await startStripe({
    ...keys,
    file: join(env.dataDir, 'stripe.sqlite'),
    port: env.stripeSandbox.port,
    webhookUrl: () => `http://127.0.0.1:${env.port}/api/stripe/webhook`,
  });
  closers.push(() => sandbox.close());
  return { ...keys, apiBase: sandbox.url };
}

async function startBeacon() {
  const { startSandboxBeacon } = await import('./beacon.ts');
  const sandbox = await startSandboxBeacon({ now: () => new Date() });
  closers.push(() => sandbox.close());
  return sandbox.settings;
}

async function standInForRegisters() {
  const { nzbn, abn } = env.registers;
  if ((nzbn && abn) || !env.sandbox) return env.registers;
  const { startSandboxRegisters } = await import('./registers.ts');
  const sandbox = await startSandboxRegisters(async () => (await import('@handwise/demo/registered-businesses')).registeredBusinesses());
  closers.push(() => sandbox.close());
  return { nzbn: nzbn ?? sandbox.settings.nzbn, abn: abn ?? sandbox.settings.abn };
}

async function fillOnce(databaseUrl: string, filesDir: string, stripe: StripeSettings) {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'demo data' });
  // A stop in the middle of the filling takes the database away: the statement under way says so.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query('select from users limit 1');
    if (rows.length === 0) await fill(client, filesDir);
    await payForSeller(client, databaseUrl, stripe);
    const { rows: paid } = await client.query("select from draws where prize = 'paid' limit 1");
    if (paid.length === 0) await (await import('@handwise/demo/demo-draws')).fillDemoDraws(env, databaseUrl);
    const { rows: referred } = await client.query('select from referrals limit 1');
    if (referred.length === 0) await (await import('@handwise/demo/demo-referrals')).fillDemoReferrals(env, databaseUrl);
  } finally {
    await client.end();
  }
}

// Only where the provider is ours: at a real one no card can be given without its owner.
async function payForSeller(client: pg.Client, databaseUrl: string, { apiBase: url, ...stripe }: StripeSettings) {
  const { rows } = await client.query(
    "select from subscriptions join users on users.id = user_id where email = 'seller@example.com' and source = 'grant' limit 1",
  );
  if (rows.length === 0 || url === null) return;
  const { fillDemoPayments } = await import('@handwise/demo/demo-payments');
  await fillDemoPayments(env, databaseUrl, { ...stripe, apiBase: url }, (secret, name, isKept) =>
    giveCard({ url, publishableKey: stripe.publishableKey }, secret, '4242424242424242', {
      'payment_method_data[billing_details][name]': name,
      ...(isKept && { setup_future_usage: 'off_session' }),
    }),
  );
}

async function fill(client: pg.Client, filesDir: string) {
  const { fillDemoData } = await import('@handwise/demo/demo-data');
  say('Filling in demo data: listings, reviews and drawn pictures. This happens once …');
  let shown = -1;
  await fillDemoData({
    client,
    filesDir,
    ...(fewDrawings && { drawingsOfAKind: 1 }),
    onProgress: (done, total, what) => {
      const percent = Math.floor((done / total) * 10) * 10;
      if (percent !== shown) say(`  ${String(percent).padStart(3)} %  ${what}`);
      shown = percent;
    },
  });
}

function welcome() {
  const accounts = ['admin@example.com / demo-admin-1', 'seller@example.com / demo-seller-1', 'buyer@example.com / demo-buyer-1'];
  return [
    '',
    `Ready after ${((Date.now() - begun) / 1000).toFixed(1)} s.`,
    `  Site       http://localhost:${env.port}`,
    `  API page   http://localhost:${env.port}/api/docs`,
    ...(mailboxUrl ? [`  Mailbox    ${mailboxUrl}`] : []),
    ...(env.demoData ? accounts.map((account, index) => `  ${index === 0 ? 'Sign in as' : '          '} ${account}`) : []),
    '  Stop with Ctrl+C.',
    '',
  ].join('\n');
}

/** Two starts on one data folder would fight over its database. */
function refuseSecondStart(file: string) {
  if (existsSync(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid !== process.pid && isStart(pid)) {
      console.error(`${env.dataDir} is in use by a running start (process ${pid}). Stop it first, or set another DATA_DIR.`);
      process.exit(1);
    }
  }
  writeFileSync(file, String(process.pid));
}

function isStart(pid: number) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox/src/start.ts');
  } catch {
    return false;
  }
}

/** Ends with the command that started us, also where that was killed and could not pass the signal on. */
function endWithParent(end: () => void) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 500).unref();
}
