import { startJourneys, withSite } from './site.mjs';

// The journeys of one tier; arguments are passed to Playwright. A separate process, because they run beside the other tests.
process.exit((await withSite((env) => startJourneys(process.argv.slice(2), env).ended)) ?? 1);
