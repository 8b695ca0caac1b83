import { type Env, publicBeacon } from './env.ts';
import type { BeaconSettings } from './kit/outside/beacon.ts';
import type { RegistersSettings } from './kit/outside/registers.ts';
import type { StripeSettings } from './kit/outside/stripe.ts';
import { StartFault } from './kit/start-fault.ts';

/** What a server stands on. */
export type Services = {
  env: Env;
  databaseUrl: string;
  stripe: StripeSettings;
  beacon: BeaconSettings;
  registers: RegistersSettings;
  smtpUrl: string;
};

/** What the environment of a process must name where nothing stands in for it. Throws a `StartFault` that says all that is missing. */
export function requireServices(env: Env): Services {
  const { databaseUrl, stripe, smtpUrl } = env;
  if (databaseUrl && stripe && smtpUrl) {
    // Reading the public beacon needs no account, so there is nothing to demand.
    return { env, databaseUrl, stripe, smtpUrl, beacon: env.beacon ?? publicBeacon, registers: env.registers };
  }
  const missing = [
    ['DATABASE_URL', databaseUrl, 'a database'],
    ['STRIPE_SECRET_KEY', stripe, 'a payment sandbox'],
    ['SMTP_URL', smtpUrl, 'a mailbox'],
  ] as const;
  throw new StartFault(
    ...missing
      .filter(([, value]) => !value)
      .map(([name, , what]) => `${name} is not set. \`npm run stand-ins\` brings ${what} of its own.`),
  );
}
