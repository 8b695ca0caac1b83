import { builtSite } from './built-site.ts';
import { readEnv } from './env.ts';
import { serve, stopOnSignal } from './serve.ts';

// The server alone, against the database of the environment: `npm run serve`.
const env = readEnv(process.env);
if (!env.databaseUrl) throw new Error('DATABASE_URL is not set. `npm start` brings a database of its own.');
const serving = await serve({ env, databaseUrl: env.databaseUrl, site: builtSite() });
stopOnSignal(() => serving.close());
