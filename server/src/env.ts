import { z } from 'zod';
import { marketHosts } from '@handwise/contract/markets';

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

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  DEMO_DATA: flag.default(true),
  SANDBOX: flag.optional(),
  MARKET_HOSTS: json.pipe(marketHosts).optional(),
  STRIPE_SECRET_KEY: z.string().startsWith('sk_').optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().startsWith('pk_').optional(),
  TRUST_PROXY: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).optional(),
  HTML_CACHE_MB: z.coerce.number().int().min(0).max(4096).default(64),
});

export type Env = ReturnType<typeof readEnv>;

/**
 * Reads the environment once, at the start. Throws one Error that names every variable at fault.
 * An empty variable counts as not set, because that is what a shell's `NAME= command` means to people.
 */
export function readEnv(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const { data, error } = schema.safeParse(given);
  if (!data) {
    const lines = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The environment is not right:\n${lines.join('\n')}\nSee .env.example.`);
  }
  const production = data.NODE_ENV === 'production';
  const sandbox = data.SANDBOX ?? !production;
  if (production && !sandbox && !data.DATABASE_URL) {
    throw new Error('DATABASE_URL is not set. In production the embedded database starts only where SANDBOX=1 says that it is meant.');
  }
  if (data.STRIPE_SECRET_KEY && !data.STRIPE_PUBLISHABLE_KEY) {
    throw new Error('STRIPE_SECRET_KEY is set but STRIPE_PUBLISHABLE_KEY is not: the browser needs both.');
  }
  return {
    /** Stand-ins and demo data are allowed: on by default outside production, in production only with SANDBOX=1. */
    sandbox,
    host: data.HOST,
    port: data.PORT,
    appUrl: (data.APP_URL ?? `http://localhost:${data.PORT}`).replace(/\/$/, ''),
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    databasePool: data.DATABASE_POOL,
    demoData: data.DEMO_DATA && sandbox,
    marketHosts: { ...(sandbox && ({ 'nz.localhost': 'NZ', 'au.localhost': 'AU' } as const)), ...data.MARKET_HOSTS },
    stripe: data.STRIPE_SECRET_KEY ? { secretKey: data.STRIPE_SECRET_KEY, publishableKey: data.STRIPE_PUBLISHABLE_KEY ?? '' } : null,
    trustProxy: data.TRUST_PROXY ?? false,
    logLevel: data.LOG_LEVEL ?? (sandbox ? 'warn' : 'info'),
    htmlCacheBytes: data.HTML_CACHE_MB * 1024 * 1024,
  };
}
