import { type Env, publicBeacon } from '../env.ts';
import type { BeaconSettings } from '../kit/integrations/beacon.ts';
import type { IdentityProvidersSettings } from '../kit/integrations/identity-providers.ts';
import type { RegistersSettings } from '../kit/integrations/registers.ts';
import type { StripeSettings } from '../kit/integrations/stripe.ts';
import { StartupError } from '../kit/startup-error.ts';

/** The services that a server needs. */
export type OutsideServices = {
  env: Env;
  databaseUrl: string;
  stripe: StripeSettings;
  beacon: BeaconSettings;
  registers: RegistersSettings;
  identityProviders: IdentityProvidersSettings;
  smtpUrl: string;
  /** Origin of the sandbox's push service. */
  pushSandboxOrigin: string | null;
};

/** The services of the environment, without stand-ins. Throws a `StartupError` that lists all missing ones. */
export function requireOutsideServices(env: Env): OutsideServices {
  const { databaseUrl, stripe, smtpUrl } = env;
  if (databaseUrl && stripe && smtpUrl) {
    // The public beacon needs no account.
    return {
      env,
      databaseUrl,
      stripe,
      smtpUrl,
      beacon: env.beacon ?? publicBeacon,
      registers: env.registers,
      identityProviders: env.identityProviders,
      pushSandboxOrigin: env.pushSandboxOrigin,
    };
  }
  const missing = [
    ['DATABASE_URL', databaseUrl, 'a database'],
    ['STRIPE_SECRET_KEY', stripe, 'a payment sandbox'],
    ['SMTP_URL', smtpUrl, 'a mailbox'],
  ] as const;
  throw new StartupError(
    ...missing.filter(([, value]) => !value).map(([name, , what]) => `${name} is not set. \`npm run stand-ins\` starts ${what}.`),
  );
}
