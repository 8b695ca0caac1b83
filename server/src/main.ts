import { builtSite } from './built-site.ts';
import { readEnv } from './env.ts';
import { requireServices, serve, stopOnSignal } from './serve.ts';

// The server alone, against the database of the environment: `npm run serve`. Jobs are worked off by `npm run work`.
const serving = serve({ ...requireServices(readEnv(process.env)), site: builtSite(), work: false, warm: true });
// Heard while it starts, too: it then ends as soon as it can be ended.
stopOnSignal(async () => (await serving).close());
await serving;
