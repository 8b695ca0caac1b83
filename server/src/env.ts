import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { marketHosts } from '@handwise/contract/country-code';
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
import { checkEnv, invoiceExamples, mailExamples, sandboxWebhookSecret } from './startup/env-checks.ts';
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

/** A key of elliptic curve P-256, as Apple gives them. */
function isAppleKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/** Keys by id; the first one encrypts. Ids begin with a letter, because JSON objects do not keep the order of numeric keys. */
const keys = z
  .record(z.string().regex(/^[a-z][\w-]*$/i, 'an id begins with a letter'), z.base64().length(44, 'a key is 32 bytes in base64'))
  .refine((ids) => Object.keys(ids).length > 0, 'has no key');
const addresses = z.string().transform((text) => text.split(',').map((address) => address.trim().replace(/\/$/, '')));

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().default('.data'),
  BACKUP_DIR: z.string().optional(),
  BACKUP_SECONDS: z.coerce.number().int().min(1).max(3600).default(30),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_WAIT_SECONDS: z.coerce.number().int().min(0).max(3_600).default(60),
  NEWER_DATABASE: flag.default(false),
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
  STRIPE_SANDBOX_PORT: port.default(0),
  STRIPE_SANDBOX_URL: z.url({ protocol: /^http$/ }).optional(),
  REGISTERS_SANDBOX_URL: z.url({ protocol: /^http$/ }).optional(),
  PUSH_SANDBOX_URL: z.url({ protocol: /^http$/ }).optional(),
  DRAND_URL: addresses.pipe(z.array(z.url({ protocol: /^https?$/ }))).optional(),
  DRAND_CHAIN: z.enum(['quicknet', 'sandbox']).default('quicknet'),
  NZBN_API_KEY: z.string().optional(),
  ABN_GUID: z.string().optional(),
  LICENCE_NSW_KEY: z.string().optional(),
  LICENCE_NSW_SECRET: z.string().optional(),
  LICENCE_NSW_PATHS: json.pipe(licencePathSettings).optional(),
  LICENCE_NSW_FIELDS: json.pipe(licenceFieldSettings).optional(),
  GOOGLE_CLIENT_ID: z.string().endsWith('.apps.googleusercontent.com').optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  APPLE_CLIENT_ID: z.string().optional(),
  APPLE_TEAM_ID: z
    .string()
    .regex(/^[A-Z\d]{10}$/, 'is not the ten letters and digits of a team')
    .optional(),
  APPLE_KEY_ID: z
    .string()
    .regex(/^[A-Z\d]{10}$/, 'is not the ten letters and digits of a key')
    .optional(),
  APPLE_PRIVATE_KEY: z
    .string()
    .transform((pem) => pem.replaceAll('\\n', '\n'))
    .refine(isAppleKey, 'is not the key in the file AuthKey_….p8 from Apple')
    .optional(),
  IDENTITY_SANDBOX_URL: z.url({ protocol: /^http$/ }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SITE_NAME: siteSettings.shape.name.default(defaultSite.name),
  SITE_ACCENT: siteSettings.shape.accent.default(defaultSite.accent),
  SITE_NZBN: siteSettings.shape.nzbn.default(defaultSite.nzbn),
  MAIL_FROM: z.string().default(mailExamples.MAIL_FROM),
  SUPPORT_EMAIL: z.email().default(mailExamples.SUPPORT_EMAIL),
  MAIL_DKIM_SELECTORS: z
    .string()
    .regex(/^[\w.-]+(, *[\w.-]+)*$/, 'is not a selector, or several with commas between them')
    .optional(),
  MAILBOX_PORT: port.default(1080),
  INBOUND_MAIL: z
    .string()
    .regex(/^[a-z\d.-]+$/i, 'is not a domain')
    .optional(),
  INBOUND_MAIL_PORT: port.default(2525),
  INBOUND_MAIL_AUTHENTICATED_BY: z.string().optional(),
  INBOUND_MAIL_CHECK: flag.optional(),
  INBOUND_MAIL_RELAYS: z
    .string()
    .refine(isAddressList, 'is not a list of addresses and ranges such as 10.0.0.7, 10.1.0.0/16')
    .refine((text) => !isAddressList(text) || !coversMostAddresses(text), 'trusts most addresses')
    .optional(),
  ADMIN_EMAIL: z.email().optional(),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().default('ap-southeast-2'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  INVOICE_NAME: z.string().default(invoiceExamples.INVOICE_NAME),
  INVOICE_ADDRESS: z.string().default(invoiceExamples.INVOICE_ADDRESS),
  INVOICE_NZ_GST_NUMBER: z.string().default(invoiceExamples.INVOICE_NZ_GST_NUMBER),
  INVOICE_AU_ABN: z.string().default(invoiceExamples.INVOICE_AU_ABN),
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
  DRAIN_SECONDS: z.coerce.number().min(0).max(5).optional(),
  WORK_PORT: port.optional(),
  METRICS_TOKEN: z.string().min(16, 'has at least 16 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/$/, ''))
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.01),
  LOG_SUCCESSES: z.coerce.number().min(0).max(1).default(0.01),
  LOG_SLOW_MS: z.coerce.number().int().min(0).default(1_000),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).optional(),
  SEARCH_LIMIT_MS: z.coerce.number().int().min(50).max(60_000).default(connectionTimeouts.searchMs),
  EVENT_LOOP_DELAY_MS: z.coerce.number().int().min(100).max(600_000).default(2_000),
  QUEUE_WAIT_MS: z.coerce.number().int().min(10).max(600_000).optional(),
  STOP_SECONDS: z.coerce.number().int().min(1).max(3_600).optional(),
  MAP_TILES_URL: z.string().refine(isTilesUrl, 'is not an address such as https://tiles.example/{z}/{x}/{y}.png').optional(),
  MAP_ATTRIBUTION: z.string().optional(),
  HTML_CACHE_MB: z.coerce.number().int().min(0).max(4096).default(32),
  SERVICE_WORKER: flag.default(true),
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

/** How senders of replies are confirmed. Null: not at all, for development. */
function readMailAuthentication(
  data: Pick<z.infer<typeof schema>, 'INBOUND_MAIL_AUTHENTICATED_BY' | 'INBOUND_MAIL_CHECK' | 'INBOUND_MAIL_RELAYS'>,
  byDefault: boolean,
) {
  if (data.INBOUND_MAIL_AUTHENTICATED_BY) return { by: 'header' as const, server: data.INBOUND_MAIL_AUTHENTICATED_BY };
  if (!(data.INBOUND_MAIL_CHECK ?? byDefault)) return null;
  return { by: 'dns' as const, relays: data.INBOUND_MAIL_RELAYS?.split(',').map((relay) => relay.trim()) ?? [] };
}

type ProviderValues = Pick<
  z.infer<typeof schema>,
  | 'GOOGLE_CLIENT_ID'
  | 'GOOGLE_CLIENT_SECRET'
  | 'APPLE_CLIENT_ID'
  | 'APPLE_TEAM_ID'
  | 'APPLE_KEY_ID'
  | 'APPLE_PRIVATE_KEY'
  | 'IDENTITY_SANDBOX_URL'
>;

function readIdentityProviders(data: ProviderValues): IdentityProvidersSettings {
  const standIn = data.IDENTITY_SANDBOX_URL ? createSandboxProviders(data.IDENTITY_SANDBOX_URL) : undefined;
  return {
    google: data.GOOGLE_CLIENT_ID
      ? { issuer: identityIssuers.google, clientId: data.GOOGLE_CLIENT_ID, secret: data.GOOGLE_CLIENT_SECRET ?? '' }
      : (standIn?.google ?? null),
    apple: data.APPLE_CLIENT_ID
      ? {
          issuer: identityIssuers.apple,
          clientId: data.APPLE_CLIENT_ID,
          secret: { teamId: data.APPLE_TEAM_ID ?? '', keyId: data.APPLE_KEY_ID ?? '', privateKey: data.APPLE_PRIVATE_KEY ?? '' },
        }
      : (standIn?.apple ?? null),
  };
}

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
  const data = whole ?? schema.parse(Object.fromEntries(Object.entries(filled).filter(([name]) => !illFormed.has(name))));
  const production = data.NODE_ENV === 'production';
  const sandbox = data.SANDBOX ?? !production;
  const others = checkEnv(data, { isReal: production && !sandbox, isSandbox: sandbox }).filter(([name]) => !illFormed.has(name));
  const faults = [...illFormed.values(), ...others.map(([, sentence]) => sentence)];
  if (faults.length > 0) throw new StartupError(...faults);
  const standIns = data.REGISTERS_SANDBOX_URL ? createSandboxRegisters(data.REGISTERS_SANDBOX_URL) : undefined;
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
    backup: data.BACKUP_DIR ? { dir: data.BACKUP_DIR, seconds: data.BACKUP_SECONDS } : null,
    databaseUrl: data.DATABASE_URL,
    databasePool: data.DATABASE_POOL,
    /** How long a start waits for the database. */
    databaseWaitMs: data.DATABASE_WAIT_SECONDS * 1_000,
    /** Whether to accept a database that a newer version has upgraded. */
    newerDatabase: data.NEWER_DATABASE,
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
          apiBase: data.STRIPE_SANDBOX_URL ?? null,
        }
      : null,
    stripeSandbox: { port: data.STRIPE_SANDBOX_PORT, webhookSecret: data.STRIPE_WEBHOOK_SECRET ?? sandboxWebhookSecret },
    /** The randomness of draws. Null: starts the sandbox's stand-in. */
    beacon: data.DRAND_URL ? { chain: data.DRAND_CHAIN, addresses: data.DRAND_URL } : sandbox ? null : publicBeacon,
    /** The registers of business numbers. Null: not checked, except by a stand-in in the sandbox. */
    registers: {
      nzbn: data.NZBN_API_KEY ? { url: nzbnAddress, key: data.NZBN_API_KEY, sandbox: false } : (standIns?.nzbn ?? null),
      abn: data.ABN_GUID ? { url: abnAddress, key: data.ABN_GUID, sandbox: false } : (standIns?.abn ?? null),
      nsw: data.LICENCE_NSW_KEY
        ? {
            key: data.LICENCE_NSW_KEY,
            secret: data.LICENCE_NSW_SECRET ?? '',
            paths: replaceSome(licencePaths, data.LICENCE_NSW_PATHS),
            fields: replaceSome(licenceFields, data.LICENCE_NSW_FIELDS),
            sandbox: false,
          }
        : (standIns?.nsw ?? null),
    },
    /** Google and Apple, to sign in with. Null: not offered, except by a stand-in in the sandbox. */
    identityProviders: readIdentityProviders(data),
    /** The sandbox's push service. Null: none. */
    pushSandboxOrigin: data.PUSH_SANDBOX_URL ? new URL(data.PUSH_SANDBOX_URL).origin : null,
    /** The mail server. Null: starts the sandbox's mailbox, with its pages on `mailboxPort`. */
    smtpUrl: data.SMTP_URL ?? null,
    mailboxPort: data.MAILBOX_PORT,
    /** The names of the keys that the mail provider signs with, which only the doctor asks for. */
    dkimSelectors: data.MAIL_DKIM_SELECTORS?.split(/, */) ?? [],
    /** Receives replies by email. Null: off. */
    inboundMail: data.INBOUND_MAIL
      ? { domain: data.INBOUND_MAIL, port: data.INBOUND_MAIL_PORT, authentication: readMailAuthentication(data, !sandbox) }
      : null,
    /** The account of the administrator. */
    adminEmail: data.ADMIN_EMAIL ?? null,
    /** The store of uploaded files. Null: a folder of DATA_DIR. */
    s3: data.S3_BUCKET
      ? {
          bucket: data.S3_BUCKET,
          endpoint: data.S3_ENDPOINT,
          region: data.S3_REGION,
          accessKeyId: data.S3_ACCESS_KEY_ID ?? '',
          secretAccessKey: data.S3_SECRET_ACCESS_KEY ?? '',
        }
      : null,
    /** Street tiles for maps, with their attribution as HTML. Null: maps show our own coastline. */
    mapTiles: data.MAP_TILES_URL ? { url: data.MAP_TILES_URL, attribution: data.MAP_ATTRIBUTION ?? '' } : null,
    /** The first values of the site's settings: what an administrator has changed is in the database. */
    settings: {
      ...defaultSite,
      name: data.SITE_NAME,
      accent: data.SITE_ACCENT,
      senderEmail: /<([^<>]+)>$/.exec(data.MAIL_FROM)?.[1] ?? data.MAIL_FROM,
      supportEmail: data.SUPPORT_EMAIL,
      legalName: data.INVOICE_NAME,
      legalAddress: data.INVOICE_ADDRESS,
      nzbn: data.SITE_NZBN,
      nzGstNumber: data.INVOICE_NZ_GST_NUMBER,
      abn: data.INVOICE_AU_ABN,
    } satisfies SiteSettings,
    /** Signs the heads of the ticket log. Null: the sandbox creates a key in DATA_DIR. */
    logKey: data.LOG_KEY ?? null,
    /** Encrypt bank details of winners. Null: the sandbox creates a key in DATA_DIR. */
    prizeKeys: data.PRIZE_KEYS ?? null,
    /** Encrypt secrets of authenticator apps. Null: the sandbox creates a key in DATA_DIR. */
    accountKeys: data.ACCOUNT_KEYS ?? null,
    trustProxy: data.TRUST_PROXY ?? false,
    /** Time between the first 503 of the health call and closing the port. */
    drainMs: (data.DRAIN_SECONDS ?? (sandbox ? 0 : 2)) * 1_000,
    /** The health port of a worker process. Null: none. */
    workPort: data.WORK_PORT ?? (sandbox ? null : 3001),
    /** Bearer token for reading the metrics from other machines. */
    metricsToken: data.METRICS_TOKEN ?? null,
    /** Null: off. */
    traces: data.OTEL_EXPORTER_OTLP_ENDPOINT ? { endpoint: data.OTEL_EXPORTER_OTLP_ENDPOINT, share: data.OTEL_TRACES_SAMPLER_ARG } : null,
    requestLog: { share: data.LOG_SUCCESSES, slowMs: data.LOG_SLOW_MS },
    logLevel: data.LOG_LEVEL ?? (sandbox ? 'warn' : 'info'),
    /** The time limit of one search in the database. */
    searchLimitMs: data.SEARCH_LIMIT_MS,
    /** A server whose event loop is so late refuses what it can. */
    eventLoopDelayMs: data.EVENT_LOOP_DELAY_MS,
    /** A request that would wait longer for its turn is answered 503. Outside of production, pages are compiled first. */
    queueWaitMs: data.QUEUE_WAIT_MS ?? (production ? 700 : 60_000),
    htmlCacheBytes: data.HTML_CACHE_MB * 1024 * 1024,
    /** Whether browsers keep a service worker. */
    serviceWorker: data.SERVICE_WORKER,
    /** Browsers revalidate pages; a CDN may cache them for as long as the operator configures. */
    pageCacheControl: `public, max-age=0, ${data.CDN_SECONDS > 0 ? `s-maxage=${data.CDN_SECONDS}, stale-while-revalidate=${2 * data.CDN_SECONDS}` : 'must-revalidate'}`,
    /** As long as a replica is behind at most, and as a CDN may show a page from before. */
    writeCookieSeconds: Math.max(10, 3 * data.CDN_SECONDS),
  };
}
