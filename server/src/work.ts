import { readEnv } from './env.ts';
import { requireServices } from './services.ts';

// Jobs alone, against the database of the environment: `npm run work`. With `-- --retry-failed` those that
// failed for good get a new start first.
const retryFailed = process.argv.includes('--retry-failed');
const services = requireServices(readEnv(process.env));
// Only now, so that what is missing is told at once.
const { stopOnSignal, work } = await import('./serve.ts');
const working = work({ ...services, retryFailed });
// Heard from the first job on: what comes while it starts ends it as soon as it can be ended.
stopOnSignal(async () => (await working).close());
await working;
