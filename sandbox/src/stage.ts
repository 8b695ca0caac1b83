import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnv } from '@handwise/server/env';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { runUntilStopped } from '@handwise/server/startup/run-until-stopped';
import { checkEnvironment } from '@handwise/server/startup/startup-checks';
import { takeDataDir } from './data-dir.ts';
import { fillDemoOnce } from './demo-fill.ts';
import { demoSignIns, type StandIns, startStandIns } from './stand-ins.ts';

// `npm run stand-ins`: the stand-ins without a server. Their addresses are written to DATA_DIR for any number of `npm run serve` and `npm run work`.
await runUntilStopped(async () => {
  const env = readEnv(process.env);
  const log = (line: string) => console.log(line);
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const one of closers.splice(0).toReversed()) await one();
  };
  try {
    closers.push(await takeDataDir(env.dataDir));
    const standIns = await startStandIns(env, { closers, webhookUrl: `${env.appUrl}/api/stripe/webhook`, log });
    const { databaseUrl, stripe } = standIns;
    await checkEnvironment(standIns);
    if (env.demoData) {
      await prepareDatabase(databaseUrl);
      await fillDemoOnce({ env, databaseUrl, filesDir: join(env.dataDir, 'files'), stripe, log });
    }
    const file = join(env.dataDir, 'stand-ins.env');
    writeFileSync(file, asEnvFile(standIns), { mode: 0o600 });
    closers.push(() => Promise.resolve(rmSync(file, { force: true })));
    log(welcome(standIns));
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
});

function asEnvFile({ databaseUrl, smtpUrl, stripe, beacon, registers, identityProviders, pushSandboxOrigin }: StandIns): string {
  const standIn = [registers.nzbn, registers.abn].find((one) => one?.sandbox);
  const identityStandIn = [identityProviders.google, identityProviders.apple].find((one) => one?.issuer.startsWith('http:'));
  const variables = {
    DATABASE_URL: databaseUrl,
    SMTP_URL: smtpUrl,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STAND_INS: JSON.stringify({
      stripe: stripe.apiBase ?? undefined,
      beacon: beacon.chain === 'sandbox' ? beacon.addresses[0] : undefined,
      registers: standIn && new URL(standIn.url).origin,
      push: pushSandboxOrigin ?? undefined,
      identity: identityStandIn && new URL(identityStandIn.issuer).origin,
    }),
  };
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}

function welcome({ env, mailboxUrl }: StandIns): string {
  return [
    '',
    'The stand-ins are there. In other terminals, with the same DATA_DIR:',
    '  npm run serve    one server; more with a PORT of their own',
    '  npm run work     one worker, or more',
    `  Site       ${env.appUrl}`,
    ...(mailboxUrl ? [`  Mailbox    ${mailboxUrl}`] : []),
    ...(env.demoData ? demoSignIns().map((account, index) => `  ${index === 0 ? 'Sign in as' : '          '} ${account}`) : []),
    '  Stop with Ctrl+C.',
    '',
  ].join('\n');
}
