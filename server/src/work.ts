import { readEnv } from './env.ts';
import { runUntilStopped } from './run.ts';
import { requireServices } from './services.ts';
import { checkSurroundings } from './start-checks.ts';

// Jobs alone, against the database of the environment: `npm run work`. With `-- --retry-failed` those that
// failed for good get a new start first.
const retryFailed = process.argv.includes('--retry-failed');
await runUntilStopped(async (stopping) => {
  const services = requireServices(readEnv(process.env));
  await checkSurroundings(services);
  // Only now, so that what is missing is told at once.
  const { work } = await import('./serve.ts');
  return work({ ...services, retryFailed, stopping });
});
