import { defaultSite } from '@handwise/contract/site/default-site';
import type { SettingName, SiteSettings } from '@handwise/contract/site/settings';
import { isReservedHost } from '../kit/hosts.ts';

/** The public webhook secret of the sandbox's provider. */
export const sandboxWebhookSecret = 'whsec_sandbox';

type Keys = Readonly<Record<string, string>>;
type Optional<Name extends string, Value = string> = { [N in Name]?: Value | undefined };

type Values = Optional<
  | 'APP_URL'
  | 'DATABASE_URL'
  | 'SMTP_URL'
  | 'STRIPE_SECRET_KEY'
  | 'STRIPE_PUBLISHABLE_KEY'
  | 'STRIPE_WEBHOOK_SECRET'
  | 'LOG_KEY'
  | 'MAP_TILES_URL'
  | 'MAP_ATTRIBUTION'
> &
  Optional<'PRIZE_KEYS' | 'ACCOUNT_KEYS', Keys> &
  Optional<'DEMO_DATA' | 'SLOW_MACHINE', boolean> &
  Optional<'STAND_INS', { stripe?: string | undefined }> & { SITE: SiteSettings };

/** A problem of a variable, as a sentence that begins with its name. */
export type EnvProblem = readonly [name: string, sentence: string];

const getMode = (key: string) => (/^\wk_live_/.test(key) ? 'live' : 'test');
const sandboxNeeded = 'In production this needs SANDBOX=1.';

/** Inconsistent variables, in every environment. */
function findContradictions(values: Values): EnvProblem[] {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = values;
  const faults: EnvProblem[] = [];
  if (secret && !publishable)
    faults.push(['STRIPE_PUBLISHABLE_KEY', 'STRIPE_SECRET_KEY is set but STRIPE_PUBLISHABLE_KEY is not: the browser needs both.']);
  if (secret && !values.STRIPE_WEBHOOK_SECRET) {
    const sentence = 'STRIPE_SECRET_KEY is set but STRIPE_WEBHOOK_SECRET is not: without it no webhook event can be verified.';
    faults.push(['STRIPE_WEBHOOK_SECRET', sentence]);
  }
  if (secret && publishable && getMode(secret) !== getMode(publishable)) {
    const modes = `STRIPE_SECRET_KEY is a ${getMode(secret)} key but STRIPE_PUBLISHABLE_KEY a ${getMode(publishable)} key`;
    faults.push(['STRIPE_SECRET_KEY', `${modes}: no payment would go through.`]);
  }
  if (secret && values.STAND_INS?.stripe && getMode(secret) === 'live')
    faults.push(['STAND_INS', 'STAND_INS names a stand-in for Stripe but STRIPE_SECRET_KEY is a live key, which must not be sent there.']);
  if (values.MAP_TILES_URL && !values.MAP_ATTRIBUTION)
    faults.push(['MAP_ATTRIBUTION', 'MAP_TILES_URL is set but MAP_ATTRIBUTION is not: maps must name their source.']);
  return faults;
}

const needed = [
  ['DATABASE_URL', 'the embedded database starts'],
  ['STRIPE_SECRET_KEY', 'the payment sandbox starts'],
  ['SMTP_URL', 'the sandbox mailbox starts'],
  ['LOG_KEY', 'a key for the ticket log is created'],
  ['PRIZE_KEYS', 'keys are created'],
  ['ACCOUNT_KEYS', 'keys are created'],
] as const;

function checkAppUrl({ APP_URL: appUrl }: Values): EnvProblem[] {
  if (!appUrl) return [['APP_URL', 'APP_URL is not set: links in emails and site maps would point to localhost.']];
  const { protocol, hostname } = new URL(appUrl);
  if (isReservedHost(hostname)) return [['APP_URL', `APP_URL is ${appUrl}, which nobody else can reach. ${sandboxNeeded}`]];
  if (protocol === 'https:') return [];
  return [['APP_URL', `APP_URL is ${appUrl}: passwords would be sent unencrypted. Use https. ${sandboxNeeded}`]];
}

// Stripe's secrets have 32 characters after the prefix.
const minSecretLength = 24;
const minDistinct = 10;
const isGuessableSecret = (secret: string) => secret.length < minSecretLength || new Set(secret).size < minDistinct;

// About 30 of 32 random bytes differ, and the chance that all of them are ASCII text is below 1 in 10^13.
const minDistinctBytes = 16;
function isGuessableKey(base64: string): boolean {
  const bytes = Buffer.from(base64, 'base64');
  return new Set(bytes).size < minDistinctBytes || bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}

const listKeys = (values: Values): [name: string, key: string][] => [
  ...(values.LOG_KEY ? ([['LOG_KEY', values.LOG_KEY]] as [string, string][]) : []),
  ...(['PRIZE_KEYS', 'ACCOUNT_KEYS'] as const).flatMap((name) =>
    Object.values(values[name] ?? {}).map((key) => [name, key] as [string, string]),
  ),
];

/** Guessable keys, and keys used for two purposes. The messages never contain a key. */
function findWeakKeys(values: Values): EnvProblem[] {
  const keys = listKeys(values);
  return [...new Set(keys.map(([name]) => name))].flatMap((name): EnvProblem[] => {
    const own = keys.filter((one) => one[0] === name).map(([, key]) => key);
    const shared = keys.find(([other, key]) => other !== name && own.includes(key));
    if (own.some(isGuessableKey))
      return [[name, `${name} contains a key that is not random and can be guessed. ${makeKey} ${sandboxNeeded}`]];
    return shared ? [[name, `${name} contains the same key as ${shared[0]}: each purpose needs its own. ${makeKey} ${sandboxNeeded}`]] : [];
  });
}
const makeKey = 'Make one with `openssl rand -base64 32`.';

/** The variables of settings that have one of their own. */
const siteVariables: { [Name in SettingName]?: string } = {
  supportEmail: 'SUPPORT_EMAIL',
  legalName: 'LEGAL_PERSON',
  legalAddress: 'LEGAL_ADDRESS',
};

/** Values that are for development only: stand-ins, examples and public secrets. */
function findDevelopmentValues(values: Values): EnvProblem[] {
  const faults: EnvProblem[] = needed
    .filter(([name]) => !values[name])
    .map(([name, standIn]) => [name, `${name} is not set. In production ${standIn} only with SANDBOX=1.`]);
  const add = (name: string, is: string) => faults.push([name, `${name} ${is}. ${sandboxNeeded}`]);
  if (values.STRIPE_SECRET_KEY && getMode(values.STRIPE_SECRET_KEY) === 'test')
    add('STRIPE_SECRET_KEY', 'is a test key: nobody would be charged');
  const webhookSecret = values.STRIPE_WEBHOOK_SECRET;
  if (webhookSecret === sandboxWebhookSecret) add('STRIPE_WEBHOOK_SECRET', 'is the sandbox’s, which everybody knows');
  else if (webhookSecret && isGuessableSecret(webhookSecret.slice('whsec_'.length)))
    add('STRIPE_WEBHOOK_SECRET', 'is not a secret of the payment provider: it is too short or too simple');
  if (values.STAND_INS) add('STAND_INS', 'is set: nobody would be charged, and anybody could sign in as anybody');
  if (values.SLOW_MACHINE) add('SLOW_MACHINE', 'is 1: a busy server would refuse no work');
  const settings = values.SITE;
  const addSetting = (name: SettingName, is: string) => {
    const own = siteVariables[name];
    faults.push([own ?? 'SITE', `${own ?? `SITE.${name}`} ${is}. ${sandboxNeeded}`]);
  };
  for (const name of ['legalName', 'legalAddress', 'nzGstNumber', 'abn'] as const)
    if (settings[name] === defaultSite[name]) addSetting(name, 'is still the example and would be named on pages, emails and tax invoices');
  for (const name of ['senderEmail', 'supportEmail'] as const)
    if (isReservedHost(settings[name].split('@')[1] ?? '')) addSetting(name, `is ${settings[name]}, where no email arrives`);
  if (values.DEMO_DATA) add('DEMO_DATA', 'is 1: everybody knows the passwords of the demo accounts');
  return [...faults, ...findWeakKeys(values), ...checkAppUrl(values)];
}

/** All problems of an environment with well-formed variables. `isReal`: used by real users with real payments. */
export const checkEnv = (values: Values, { isReal }: { isReal: boolean }): EnvProblem[] => [
  ...findContradictions(values),
  ...(isReal ? findDevelopmentValues(values) : []),
];

/** Settings of earlier versions: CHANGELOG.md says what replaced each. */
const removedSettings = [
  'BACKUP_SECONDS DATABASE_WAIT_SECONDS DRAIN_SECONDS STOP_SECONDS DRAND_URL DRAND_CHAIN HTML_CACHE_MB SERVICE_WORKER',
  'EVENT_LOOP_DELAY_MS QUEUE_WAIT_MS SEARCH_LIMIT_MS LOG_SUCCESSES LOG_SLOW_MS OTEL_TRACES_SAMPLER_ARG',
  'INBOUND_MAIL_PORT INBOUND_MAIL_CHECK INBOUND_MAIL_AUTHENTICATED_BY INBOUND_MAIL_RELAYS',
  'NEWER_DATABASE S3_BUCKET S3_ENDPOINT S3_REGION S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY',
  'SITE_ACCENT SITE_NZBN MAIL_FROM INVOICE_NAME INVOICE_ADDRESS INVOICE_NZ_GST_NUMBER INVOICE_AU_ABN',
  'LICENCE_NSW_KEY LICENCE_NSW_SECRET LICENCE_NSW_PATHS LICENCE_NSW_FIELDS',
  'GOOGLE_CLIENT_ID GOOGLE_CLIENT_SECRET APPLE_CLIENT_ID APPLE_TEAM_ID APPLE_KEY_ID APPLE_PRIVATE_KEY',
  'STRIPE_SANDBOX_PORT STRIPE_SANDBOX_URL REGISTERS_SANDBOX_URL PUSH_SANDBOX_URL IDENTITY_SANDBOX_URL',
].flatMap((line) => line.split(' '));

export const findRemovedSettings = (source: Record<string, string | undefined>): string[] =>
  removedSettings.filter((name) => source[name] || source[`${name}_FILE`]);
