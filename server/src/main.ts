import { readEnv } from './env.ts';
import { requireServices } from './services.ts';

// The server alone, against the database of the environment: `npm run serve`. Jobs are worked off by `npm run work`.
const services = requireServices(readEnv(process.env));
// Only now, so that what is missing is told at once.
const { builtSite } = await import('./built-site.ts');
const { serve, stopOnSignal } = await import('./serve.ts');
const serving = serve({ ...services, site: builtSite(), work: false, warm: true });
// Heard while it starts, too: it then ends as soon as it can be ended.
stopOnSignal(async () => (await serving).close());
await serving;
