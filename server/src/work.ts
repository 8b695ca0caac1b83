import { readEnv } from './env.ts';
import { requireServices, stopOnSignal, work } from './serve.ts';

// Jobs alone, against the database of the environment: `npm run work`. With `-- --retry-failed` those that
// failed for good get a new start first.
const retryFailed = process.argv.includes('--retry-failed');
const working = work({ ...requireServices(readEnv(process.env)), retryFailed });
// Heard from the first job on: what comes while it starts ends it as soon as it can be ended.
stopOnSignal(async () => (await working).close());
await working;
