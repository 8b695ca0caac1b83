import { readEnv } from './env.ts';
import { requireOutsideServices } from './startup/outside-services.ts';
import { runUntilStopped } from './startup/run-until-stopped.ts';
import { checkEnvironment } from './startup/startup-checks.ts';

// The web server only, with the environment's database: `npm run serve`. Jobs run in `npm run work`.
await runUntilStopped(async (stopping) => {
  const services = requireOutsideServices(readEnv(process.env));
  await checkEnvironment(services);
  // Imported after the checks, so that their errors appear at once.
  const [{ loadBuiltSite }, { serve }] = await Promise.all([import('./http/built-site.ts'), import('./serve.ts')]);
  return serve({ ...services, site: loadBuiltSite(), work: false, warm: true, drainMs: 2_000, stopping });
});
