import { flushCompileCache } from 'node:module';
import { readEnv } from '@handwise/server/env';
import { stopOnSignal } from '@handwise/server/run';
import { serve } from '@handwise/server/serve';
import { requireServices } from '@handwise/server/services';

// The server as operators run it, with its jobs, for tests that end it in the middle: started by `fault-world.ts`.
const services = requireServices(readEnv(process.env));
const serving = await serve({
  ...services,
  site: null,
  work: true,
  // It is killed before anybody searches much.
  warm: false,
});
stopOnSignal(() => serving.close());
// It never outlives the test run that started it.
process.once('disconnect', () => process.exit(1));
process.send?.('ready');
// Whoever kills it ends it before Node would do so by itself.
flushCompileCache();
