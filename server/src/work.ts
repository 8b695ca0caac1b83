import { readEnv } from './env.ts';
import { requireServices, stopOnSignal, work } from './serve.ts';

// Jobs alone, against the database of the environment: `npm run work`. With `-- --retry-failed` those that
// failed for good get a new start first.
const retryFailed = process.argv.includes('--retry-failed');
const working = await work({ ...requireServices(readEnv(process.env)), retryFailed });
stopOnSignal(() => working.close());
