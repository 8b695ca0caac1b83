import { readEnv } from './env.ts';
import { runUntilStopped } from './run.ts';
import { requireServices } from './services.ts';
import { checkEnvironment } from './startup-checks.ts';

// The web server only, with the environment's database: `npm run serve`. Jobs run in `npm run work`.
await runUntilStopped(async (stopping) => {
  const services = requireServices(readEnv(process.env));
  await checkEnvironment(services);
  // Imported after the checks, so that their errors appear at once.
  const [{ loadBuiltSite }, { serve }] = await Promise.all([import('./built-site.ts'), import('./serve.ts')]);
  return serve({ ...services, site: loadBuiltSite(), work: false, warm: true, stopping });
});
