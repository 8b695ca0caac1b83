import { readEnv } from './env.ts';
import { runUntilStopped } from './run.ts';
import { requireServices } from './services.ts';
import { checkSurroundings } from './start-checks.ts';

// The server alone, against the database of the environment: `npm run serve`. Jobs are worked off by `npm run work`.
await runUntilStopped(async (stopping) => {
  const services = requireServices(readEnv(process.env));
  await checkSurroundings(services);
  // Only now, so that what is missing is told at once.
  const [{ builtSite }, { serve }] = await Promise.all([import('./built-site.ts'), import('./serve.ts')]);
  return serve({ ...services, site: builtSite(), work: false, warm: true, stopping });
});
