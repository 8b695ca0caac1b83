import { flushCompileCache } from 'node:module';
import { readEnv } from '@handwise/server/env';
import { serve } from '@handwise/server/serve';
import { requireOutsideServices } from '@handwise/server/startup/outside-services';
import { stopOnSignal } from '@handwise/server/startup/run-until-stopped';

// The server with its jobs as operators run it, for tests that kill it; started by `fault-world.ts`.
const env = readEnv(process.env);
const services = requireOutsideServices({ ...env, ...(process.env['WITHOUT_CACHE'] && { htmlCacheBytes: 0 }) });
const serving = await serve({
  ...services,
  site: null,
  work: true,
  // Killed before it serves many searches.
  warm: false,
  drainMs: Number(process.env['DRAIN_MS'] ?? 0),
});
stopOnSignal(() => serving.close());
// It never outlives the test run that started it.
process.once('disconnect', () => process.exit(1));
process.send?.('ready');
// Ends immediately on signals of the tests.
flushCompileCache();
