import { type Env, publicBeacon } from './env.ts';
import type { BeaconSettings } from './kit/outside/beacon.ts';
import type { RegistersSettings } from './kit/outside/registers.ts';
import type { StripeSettings } from './kit/outside/stripe.ts';

/** What a server stands on. */
export type Services = {
  env: Env;
  databaseUrl: string;
  stripe: StripeSettings;
  beacon: BeaconSettings;
  registers: RegistersSettings;
  smtpUrl: string;
};

/** What the environment of a process must name where nothing stands in for it. Throws an Error that says what is missing. */
export function requireServices(env: Env): Services {
  if (!env.databaseUrl) throw new Error('DATABASE_URL is not set. `npm start` brings a database of its own.');
  if (!env.stripe) throw new Error('STRIPE_SECRET_KEY is not set. `npm start` brings a payment sandbox of its own.');
  if (!env.smtpUrl) throw new Error('SMTP_URL is not set. `npm start` brings a mailbox of its own.');
  const stripe = { ...env.stripe, apiBase: null };
  // Reading the public beacon needs no account, so there is nothing to demand.
  return { env, databaseUrl: env.databaseUrl, stripe, smtpUrl: env.smtpUrl, beacon: env.beacon ?? publicBeacon, registers: env.registers };
}
