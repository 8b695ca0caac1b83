import { startJourneys, withSite } from './site.mjs';

// All journeys, for `npm test`: a process of its own, because they run beside the other tests.
process.exit((await withSite((env) => startJourneys([], env).ended)) ?? 1);
