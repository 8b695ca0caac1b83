import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { marketHosts } from '@handwise/contract/country-code';
import { parseBusinessNumber } from '@handwise/contract/registers/business-number';
import { defaultSite } from '@handwise/contract/site/default-site';
import { type SiteSettings, siteSettings } from '@handwise/contract/site/settings';
import { connectionTimeouts } from './kit/database/connections.ts';
import type { BeaconSettings } from './kit/integrations/beacon.ts';
import { createSandboxProviders, type IdentityProvidersSettings, identityIssuers } from './kit/integrations/identity-providers.ts';
import {
  licenceFields,
  licenceFieldSettings,
  licencePaths,
  licencePathSettings,
  replaceSome,
} from './kit/integrations/licence-register.ts';
import { abnAddress, nzbnAddress, createSandboxRegisters } from './kit/integrations/registers.ts';
import { coversMostAddresses, isAddressList, isProxyList } from './kit/network.ts';
import { StartupError } from './kit/startup-error.ts';
import { checkEnv, findRemovedSettings, sandboxWebhookSecret } from './startup/env-checks.ts';
import { withFiles } from './startup/env-files.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['0', '1']).transform((value) => value === '1');
const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('is not JSON');
    return z.NEVER;
  }
});

const isTilesUrl = (text: string) => {
  const url = URL.parse(text);
  // The content security policy names one origin, so the host has no placeholder.
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !/[{}]|%7b/i.test(url.host) &&
    ['{z}', '{x}', '{y}'].every((part) => text.includes(part))
  );
};

const filled = z.string().min(1, 'is empty');

/** A key of elliptic curve P-256, as Apple gives them. */
function isAppleKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
const appleId = z.string().regex(/^[A-Z\d]{10}$/, 'is not ten letters and digits');
const appleSignIn = z.strictObject({
  clientId: filled,
  teamId: appleId,
  keyId: appleId,
  privateKey: z.string().refine(isAppleKey, 'is not the key in the file AuthKey_….p8 from Apple'),
});

const licenceRegister = z.strictObject({
  key: filled,
  secret: filled,
  paths: licencePathSettings.optional(),
  fields: licenceFieldSettings.optional(),
});

const standIn = z.url({ protocol: /^http$/ }).optional();
const standIns = z.strictObject({ stripe: standIn, registers: standIn, identity: standIn, push: standIn, beacon: standIn });

/** Keys by id; the first one encrypts. Ids begin with a letter, because JSON objects do not keep the order of numeric keys. */
const keys = z
  .record(z.string().regex(/^[a-z][\w-]*$/i, 'an id begins with a letter'), z.base64().length(44, 'a key is 32 bytes in base64'))
  .refine((ids) => Object.keys(ids).length > 0, 'has no key');
const addresses = z.string().transform((text) => text.split(',').map((address) => address.trim().replace(/\/$/, '')));

/** As the setting of its country. */
const toBusinessNumber = (number: string) => ({
  ...(parseBusinessNumber(number, 'NZ') !== undefined && { nzbn: number }),
  ...(parseBusinessNumber(number, 'AU') !== undefined && { abn: number }),
});

const inboundMail = z.strictObject({
  domain: z.string().regex(/^[a-z\d.-]+$/i, 'is not a domain'),
  port: port.default(2525),
  relays: z
    .string()
    .refine(isAddressList, 'is not a list of addresses and ranges such as 10.0.0.7, 10.1.0.0/16')
    .refine((text) => !isAddressList(text) || !coversMostAddresses(text), 'trusts most addresses')
    .transform((text) => text.split(',').map((relay) => relay.trim()))
    .default([]),
});
const s3 = z.strictObject({
  bucket: filled,
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  region: filled.default('ap-southeast-2'),
  accessKeyId: filled,
  secretAccessKey: filled,
});

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().default('.data'),
  BACKUP_DIR: z.string().optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_REPLICA_URLS: addresses.pipe(z.array(z.url({ protocol: /^postgres(ql)?$/ }))).optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  DEMO_DATA: flag.optional(),
  SANDBOX: flag.optional(),
  MARKET_HOSTS: json.pipe(marketHosts).optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_/, 'begins with sk_test_, sk_live_, rk_test_ or rk_live_')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_/, 'begins with pk_test_ or pk_live_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_').optional(),
  STAND_INS: json.pipe(standIns).optional(),
  NZBN_API_KEY: z.string().optional(),
  ABN_GUID: z.string().optional(),
  LICENCE_NSW: json.pipe(licenceRegister).optional(),
  GOOGLE_SIGN_IN: json.pipe(z.strictObject({ clientId: z.string().endsWith('.apps.googleusercontent.com'), secret: filled })).optional(),
  APPLE_SIGN_IN: json.pipe(appleSignIn).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SITE_NAME: siteSettings.shape.name.optional(),
  SUPPORT_EMAIL: siteSettings.shape.supportEmail.optional(),
  LEGAL_PERSON: siteSettings.shape.legalName.optional(),
  LEGAL_ADDRESS: siteSettings.shape.legalAddress.optional(),
  BUSINESS_NUMBER: z
    .string()
    .refine((number) => Object.keys(toBusinessNumber(number)).length > 0, 'is neither an NZBN nor an ABN: check its digits')
    .optional(),
  ADMIN_EMAIL: z.email().optional(),
  SITE: json
    .pipe(siteSettings.partial())
    .prefault('{}')
    .transform((given) => ({ ...defaultSite, ...given }) as SiteSettings),
  MAIL_DKIM_SELECTORS: z
    .string()
    .regex(/^[\w.-]+(, *[\w.-]+)*$/, 'is not a selector, or several with commas between them')
    .optional(),
  MAILBOX_PORT: port.default(1080),
  INBOUND_MAIL: json.pipe(inboundMail).optional(),
  S3: json.pipe(s3).optional(),
  LOG_KEY: z
    .string()
    .regex(/^[A-Za-z\d+/]{43}=$/, 'is not 32 bytes in base64')
    .optional(),
  PRIZE_KEYS: json.pipe(keys).optional(),
  ACCOUNT_KEYS: json.pipe(keys).optional(),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList, { error: 'is not a list of addresses and ranges such as 10.0.0.7, 10.1.0.0/16', abort: true })
    .refine((list) => !coversMostAddresses(list), 'covers most addresses, so that any visitor could forge theirs: name your proxies only')
    .optional(),
  WORK_PORT: port.optional(),
  METRICS_TOKEN: z.string().min(16, 'has at least 16 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/$/, ''))
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).optional(),
  SLOW_MACHINE: flag.default(false),
  MAP_TILES_URL: z.string().refine(isTilesUrl, 'is not an address such as https://tiles.example/{z}/{x}/{y}.png').optional(),
  MAP_ATTRIBUTION: z.string().optional(),
  CDN_SECONDS: z.coerce.number().int().min(0).max(3_600).default(0),
});

/** All settings, as listed in .env.example. */
export const settingNames = Object.keys(schema.shape);

const sandboxHosts = [
  ['nz.localhost', 'NZ'],
  ['au.localhost', 'AU'],
] as const;

/** Relays of the League of Entropy, and one of a member. */
export const publicBeacon: BeaconSettings = {
  chain: 'quicknet',
  addresses: ['https://api.drand.sh', 'https://api2.drand.sh', 'https://api3.drand.sh', 'https://drand.cloudflare.com'],
};

type Values = z.infer<typeof schema>;

/** The first values of the site’s settings: what has a variable of its own wins over the JSON. */
const readSite = (data: Values): SiteSettings => ({
  ...data.SITE,
  ...(data.SITE_NAME && { name: data.SITE_NAME }),
  ...(data.SUPPORT_EMAIL && { supportEmail: data.SUPPORT_EMAIL }),
  ...(data.LEGAL_PERSON && { legalName: data.LEGAL_PERSON }),
  ...(data.LEGAL_ADDRESS && { legalAddress: data.LEGAL_ADDRESS }),
  ...(data.BUSINESS_NUMBER && toBusinessNumber(data.BUSINESS_NUMBER)),
});

function readInboundMail({ INBOUND_MAIL }: Values, sandbox: boolean) {
  if (!INBOUND_MAIL) return null;
  const { relays, ...place } = INBOUND_MAIL;
  // In a sandbox anybody may write as anybody.
  return { ...place, authentication: sandbox ? null : { relays } };
}

function readIdentityProviders({ GOOGLE_SIGN_IN: google, APPLE_SIGN_IN: apple, STAND_INS }: Values): IdentityProvidersSettings {
  const sandbox = STAND_INS?.identity ? createSandboxProviders(STAND_INS.identity) : undefined;
  return {
    google: google ? { issuer: identityIssuers.google, ...google } : (sandbox?.google ?? null),
    apple: apple
      ? {
          issuer: identityIssuers.apple,
          clientId: apple.clientId,
          secret: { teamId: apple.teamId, keyId: apple.keyId, privateKey: apple.privateKey },
        }
      : (sandbox?.apple ?? null),
  };
}

// A server that is too busy refuses work early; tests share their machine with others.
const timeLimits = {
  usual: { searchLimitMs: connectionTimeouts.searchMs, eventLoopDelayMs: 2_000, queueWaitMs: 700 },
  slow: { searchLimitMs: 20_000, eventLoopDelayMs: 60_000, queueWaitMs: 60_000 },
};

export type Env = ReturnType<typeof readEnv>;

/**
 * Reads the environment once, at the start. Throws one `StartupError` with a line for every invalid variable. An empty variable counts as not set,
 * as in a shell's `NAME= command`. `NAME_FILE` names a file that holds the value.
 */
export function readEnv(source: Record<string, string | undefined>) {
  const filled = Object.fromEntries(Object.entries(withFiles(source, settingNames)).filter(([, value]) => value !== ''));
  const { data: whole, error } = schema.safeParse(filled);
  // Malformed variables are left out of the further checks, so that all problems are reported at once.
  const illFormed = new Map(error?.issues.map((issue) => [String(issue.path[0]), `${issue.path.join('.')}: ${issue.message}`]));
  const wellFormed = whole ?? schema.parse(Object.fromEntries(Object.entries(filled).filter(([name]) => !illFormed.has(name))));
  const data = { ...wellFormed, SITE: readSite(wellFormed) };
  const production = data.NODE_ENV === 'production';
  const sandbox = data.SANDBOX ?? !production;
  const others = checkEnv(data, { isReal: production && !sandbox }).filter(([name]) => !illFormed.has(name));
  const faults = [...illFormed.values(), ...others.map(([, sentence]) => sentence)];
  if (faults.length > 0) throw new StartupError(...faults);
  const sandboxRegisters = data.STAND_INS?.registers ? createSandboxRegisters(data.STAND_INS.registers) : undefined;
  const limits = data.SLOW_MACHINE ? timeLimits.slow : timeLimits.usual;
  return {
    /** Stand-ins and demo data are allowed: on by default outside production, in production only with SANDBOX=1. */
    sandbox,
    /** Used by real people, with real payments. */
    isReal: production && !sandbox,
    host: data.HOST,
    port: data.PORT,
    appUrl: (data.APP_URL ?? `http://localhost:${data.PORT}`).replace(/\/$/, ''),
    dataDir: data.DATA_DIR,
    /** Folder of the embedded database's continuous backup, and its maximum delay. Null: no backup. */
    backup: data.BACKUP_DIR ? { dir: data.BACKUP_DIR, seconds: 30 } : null,
    databaseUrl: data.DATABASE_URL,
    databasePool: data.DATABASE_POOL,
    demoData: (data.DEMO_DATA ?? true) && sandbox,
    /** Replicas for anonymous reads. */
    databaseReplicaUrls: data.DATABASE_REPLICA_URLS ?? [],
    marketHosts: new Map([...(sandbox ? sandboxHosts : []), ...(data.MARKET_HOSTS ?? [])]),
    /** The payment provider. Null: starts the sandbox's stand-in, see `stripeSandbox` (port 0: a free one). */
    stripe: data.STRIPE_SECRET_KEY
      ? {
          secretKey: data.STRIPE_SECRET_KEY,
          publishableKey: data.STRIPE_PUBLISHABLE_KEY ?? '',
          webhookSecret: data.STRIPE_WEBHOOK_SECRET ?? '',
          /** URL of a stand-in. Null: the real provider. */
          apiBase: data.STAND_INS?.stripe ?? null,
        }
      : null,
    stripeSandbox: {
      port: Number(URL.parse(data.STAND_INS?.stripe ?? '')?.port ?? 0),
      webhookSecret: data.STRIPE_WEBHOOK_SECRET ?? sandboxWebhookSecret,
    },
    /** The randomness of draws. Null: starts the sandbox's stand-in. */
    beacon: data.STAND_INS?.beacon
      ? ({ chain: 'sandbox', addresses: [data.STAND_INS.beacon] } satisfies BeaconSettings)
      : sandbox
        ? null
        : publicBeacon,
    /** The registers of business numbers. Null: not checked, except by a stand-in in the sandbox. */
    registers: {
      nzbn: data.NZBN_API_KEY ? { url: nzbnAddress, key: data.NZBN_API_KEY, sandbox: false } : (sandboxRegisters?.nzbn ?? null),
      abn: data.ABN_GUID ? { url: abnAddress, key: data.ABN_GUID, sandbox: false } : (sandboxRegisters?.abn ?? null),
      nsw: data.LICENCE_NSW
        ? {
            ...data.LICENCE_NSW,
            paths: replaceSome(licencePaths, data.LICENCE_NSW.paths),
            fields: replaceSome(licenceFields, data.LICENCE_NSW.fields),
            sandbox: false,
          }
        : (sandboxRegisters?.nsw ?? null),
    },
    /** Google and Apple, to sign in with. Null: not offered, except by a stand-in in the sandbox. */
    identityProviders: readIdentityProviders(data),
    /** The sandbox's push service. Null: none. */
    pushSandboxOrigin: data.STAND_INS?.push ? new URL(data.STAND_INS.push).origin : null,
    /** The mail server. Null: starts the sandbox's mailbox, with its pages on `mailboxPort`. */
    smtpUrl: data.SMTP_URL ?? null,
    mailboxPort: data.MAILBOX_PORT,
    /** The names of the keys that the mail provider signs with, which only the doctor asks for. */
    dkimSelectors: data.MAIL_DKIM_SELECTORS?.split(/, */) ?? [],
    /** Receives replies by email. Null: off. */
    inboundMail: readInboundMail(data, sandbox),
    /** The store of uploaded files. Null: a folder of DATA_DIR. */
    s3: data.S3 ?? null,
    /** Street tiles for maps, with their attribution as HTML. Null: maps show our own coastline. */
    mapTiles: data.MAP_TILES_URL ? { url: data.MAP_TILES_URL, attribution: data.MAP_ATTRIBUTION ?? '' } : null,
    /** The first values of the site's settings: what an administrator has changed is in the database. */
    settings: data.SITE,
    /** The account that becomes an administrator at the start. */
    adminEmail: data.ADMIN_EMAIL ?? null,
    /** Signs the heads of the ticket log. Null: the sandbox creates a key in DATA_DIR. */
    logKey: data.LOG_KEY ?? null,
    /** Encrypt bank details of winners. Null: the sandbox creates a key in DATA_DIR. */
    prizeKeys: data.PRIZE_KEYS ?? null,
    /** Encrypt secrets of authenticator apps. Null: the sandbox creates a key in DATA_DIR. */
    accountKeys: data.ACCOUNT_KEYS ?? null,
    trustProxy: data.TRUST_PROXY ?? false,
    /** The health port of a worker process. Null: none. */
    workPort: data.WORK_PORT ?? (sandbox ? null : 3001),
    /** Bearer token for reading the metrics from other machines. */
    metricsToken: data.METRICS_TOKEN ?? null,
    /** Null: off. */
    traces: data.OTEL_EXPORTER_OTLP_ENDPOINT ? { endpoint: data.OTEL_EXPORTER_OTLP_ENDPOINT, share: 0.01 } : null,
    logLevel: data.LOG_LEVEL ?? (sandbox ? 'warn' : 'info'),
    /** The time limit of one search in the database. */
    searchLimitMs: limits.searchLimitMs,
    /** A server whose event loop is so late refuses what it can; 0: never. */
    eventLoopDelayMs: limits.eventLoopDelayMs,
    /** A request that would wait longer for its turn is answered 503. Outside of production, pages are compiled first. */
    queueWaitMs: production ? limits.queueWaitMs : timeLimits.slow.queueWaitMs,
    htmlCacheBytes: 32 * 1024 * 1024,
    /** Variables of earlier versions, which have no effect any more. */
    removedSettings: findRemovedSettings(source),
    /** Browsers revalidate pages; a CDN may cache them for as long as the operator configures. */
    pageCacheControl: `public, max-age=0, ${data.CDN_SECONDS > 0 ? `s-maxage=${data.CDN_SECONDS}, stale-while-revalidate=${2 * data.CDN_SECONDS}` : 'must-revalidate'}`,
    /** As long as a replica is behind at most, and as a CDN may show a page from before. */
    writeCookieSeconds: Math.max(10, 3 * data.CDN_SECONDS),
  };
}
