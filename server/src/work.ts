import { readEnv } from './env.ts';
import { requireOutsideServices } from './startup/outside-services.ts';
import { runUntilStopped } from './startup/run-until-stopped.ts';
import { checkEnvironment } from './startup/startup-checks.ts';

// Jobs only, with the environment's database: `npm run work`. `-- --retry-failed` first restarts jobs that failed permanently.
const retryFailed = process.argv.includes('--retry-failed');
await runUntilStopped(async (stopping) => {
  const services = requireOutsideServices(readEnv(process.env));
  await checkEnvironment(services);
  // Imported after the checks, so that their errors appear at once.
  const { work } = await import('./serve.ts');
  return work({ ...services, retryFailed, stopping });
});
