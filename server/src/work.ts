import { readEnv } from './env.ts';
import { runUntilStopped } from './run.ts';
import { requireServices } from './services.ts';
import { checkEnvironment } from './startup-checks.ts';

// Jobs only, with the environment's database: `npm run work`. `-- --retry-failed` first restarts jobs that failed permanently.
const retryFailed = process.argv.includes('--retry-failed');
await runUntilStopped(async (stopping) => {
  const services = requireServices(readEnv(process.env));
  await checkEnvironment(services);
  // Imported after the checks, so that their errors appear at once.
  const { work } = await import('./serve.ts');
  return work({ ...services, retryFailed, stopping });
});
