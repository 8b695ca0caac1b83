import type { Finding } from '@handwise/contract/site/health';
import type { Env } from '../env.ts';
import { openDatabase } from '../kit/database/database.ts';
import type { BeaconSettings } from '../kit/integrations/beacon.ts';
import type { RegistersSettings } from '../kit/integrations/registers.ts';
import type { StripeSettings } from '../kit/integrations/stripe.ts';
import { runChecks } from './checks.ts';
import { createDatabaseChecks } from './database-checks.ts';
import { openDns } from './dns.ts';
import { createHostChecks } from './host-checks.ts';
import { createMailChecks } from './mail-checks.ts';
import { createPartChecks } from './part-checks.ts';

/** What is checked. Null: a stand-in of the sandbox, which this process does not know. */
export type Installation = {
  env: Env;
  databaseUrl: string;
  smtpUrl: string | null;
  stripe: StripeSettings | null;
  registers: RegistersSettings;
  beacon: BeaconSettings | null;
  /** How many times longer than usual to wait for answers, such as on a busy machine. */
  patience?: number;
};

type Options = {
  /** Whether to send a test email to the support address. */
  sendEmail: boolean;
  /** Name servers in place of the machine's, as addresses with ports. */
  nameServers?: readonly string[] | undefined;
  /** Certificates to trust besides the machine's. */
  ca?: string | undefined;
  now?: () => Date;
  /** The names of the checks to run; all by default. */
  only?: readonly string[] | undefined;
};

const statementMs = 8_000;

/** Checks the whole installation. Changes nothing but test objects, which it removes. */
export async function checkInstallation(installation: Installation, options: Options): Promise<Finding[]> {
  const { now = () => new Date(), sendEmail, nameServers, ca, only = [] } = options;
  const { patience = 1 } = installation;
  const database = openDatabase({
    url: installation.databaseUrl,
    connections: 3,
    statementMs: patience * statementMs,
    timeouts: { connectMs: patience * 5_000, waitMs: patience * statementMs },
    onIdleError: () => {},
  });
  const parts = { ...installation, db: database.db, patience, dns: openDns(patience, nameServers), sendEmail, now, ca };
  const checks = [...createDatabaseChecks(parts), ...createMailChecks(parts), ...createPartChecks(parts), ...createHostChecks(parts)];
  try {
    const unknown = only.filter((wanted) => !checks.some(({ name }) => name === wanted));
    const findings = await runChecks(only.length > 0 ? checks.filter(({ name }) => only.includes(name)) : checks, patience);
    return [
      ...findings,
      ...unknown.map((name): Finding => ({ name, state: 'fail', says: 'There is no such check.', todo: 'Correct its name.' })),
    ];
  } finally {
    database.closeSilent();
    await database.close();
  }
}
