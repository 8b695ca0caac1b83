import { join } from 'node:path';
import type { Env } from '@handwise/server/env';
import { StartupError } from '@handwise/server/startup-error';
import { demoPasswords } from '@handwise/server/startup/demo-accounts';
import type { OutsideServices } from '@handwise/server/startup/outside-services';
import { openArchive } from './backup/wal-shipping.ts';
import { startPostgres } from './postgres.ts';

export type StandIns = OutsideServices & {
  /** The mailbox page; undefined if a real mail server sends the emails. */
  mailboxUrl: string | undefined;
};

type Closer = () => Promise<void>;

/** Opens a stand-in's file in DATA_DIR. Throws a `StartupError` that names it if SQLite cannot read it. */
async function openFile<Opened>(file: string, what: string, open: (file: string) => Promise<Opened>): Promise<Opened> {
  try {
    return await open(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) throw error;
    throw new StartupError(`${file} cannot be read (${error.message}). Put it back as it was, or move it away to begin without ${what}.`);
  }
}

/**
 * Starts a stand-in for each service that the environment lacks, and adds their close functions to `closers`. The payment sandbox delivers
 * its events to `webhookUrl`.
 */
export async function startStandIns(
  env: Env,
  { closers, webhookUrl, log }: { closers: Closer[]; webhookUrl: string; log: (line: string) => void },
): Promise<StandIns> {
  async function database() {
    if (env.databaseUrl) return env.databaseUrl;
    log('Starting the database …');
    const archive = env.backup && openArchive(env.dataDir, env.backup);
    const postgres = await startPostgres({ dataDir: env.dataDir, onCrash: log, ...(archive && { settings: archive.settings() }) });
    closers.push(async () => {
      await archive?.finish(postgres.url);
      await postgres.stop();
      await archive?.close();
    });
    await archive?.begin(postgres.url);
    return postgres.url;
  }

  async function mails() {
    if (env.smtpUrl) return { smtpUrl: env.smtpUrl, mailboxUrl: undefined };
    const { startMailbox } = await import('./mailbox/mailbox.ts');
    const mailbox = await openFile(join(env.dataDir, 'mailbox/mails.sqlite'), 'its emails', (file) =>
      startMailbox({
        file,
        smtpPort: 0,
        webPort: env.mailboxPort,
        // Without MAILBOX_PORT any free port will do if the default one is taken.
        orFreePort: !process.env['MAILBOX_PORT'],
      }),
    );
    closers.push(() => mailbox.close());
    return { smtpUrl: mailbox.smtpUrl, mailboxUrl: mailbox.url };
  }

  async function payments() {
    if (env.stripe) return env.stripe;
    const { startStripe } = await import('./stripe/start-stripe.ts');
    const keys = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: env.stripeSandbox.webhookSecret };
    const sandbox = await openFile(join(env.dataDir, 'stripe.sqlite'), 'the sandbox’s payments', (file) =>
      startStripe({ ...keys, file, port: env.stripeSandbox.port, webhookUrl: () => webhookUrl }),
    );
    closers.push(() => sandbox.close());
    return { ...keys, apiBase: sandbox.url };
  }

  async function randomness() {
    if (env.beacon) return env.beacon;
    const { startSandboxBeacon } = await import('./beacon.ts');
    const sandbox = await startSandboxBeacon({ now: () => new Date() });
    closers.push(() => sandbox.close());
    return sandbox.settings;
  }

  async function businesses() {
    const { nzbn, abn, nsw } = env.registers;
    if ((nzbn && abn && nsw) || !env.sandbox) return env.registers;
    const { startSandboxRegisters } = await import('./registers.ts');
    const sandbox = await startSandboxRegisters(async () => (await import('@handwise/demo/generate')).registeredBusinesses());
    closers.push(() => sandbox.close());
    return { nzbn: nzbn ?? sandbox.settings.nzbn, abn: abn ?? sandbox.settings.abn, nsw: nsw ?? sandbox.settings.nsw };
  }

  async function identities() {
    const { google, apple } = env.identityProviders;
    if ((google && apple) || !env.sandbox) return env.identityProviders;
    const { startIdentityProviders } = await import('./identity-providers.ts');
    const sandbox = await startIdentityProviders();
    closers.push(() => sandbox.close());
    return { google: google ?? sandbox.settings.google, apple: apple ?? sandbox.settings.apple };
  }

  const databaseUrl = await database();
  const { smtpUrl, mailboxUrl } = await mails();
  // The mailbox receives notifications too.
  const pushSandboxOrigin = env.pushSandboxOrigin ?? mailboxUrl ?? null;
  return {
    env,
    databaseUrl,
    smtpUrl,
    mailboxUrl,
    pushSandboxOrigin,
    stripe: await payments(),
    beacon: await randomness(),
    registers: await businesses(),
    identityProviders: await identities(),
  };
}

/** The demo accounts with their passwords, one a line. */
export const demoSignIns = () => Object.entries(demoPasswords).map(([email, password]) => `${email} / ${password}`);
