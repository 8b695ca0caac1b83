import { installEngines } from './chromium.mjs';
import { startJourneys, withSite } from './site.mjs';

// The journeys of one tier; arguments are passed to Playwright. A separate process, because they run beside the other tests.
// The journeys in other engines are in the second tier.
if (process.argv.includes('--grep-invert=@main')) installEngines();
process.exit((await withSite((env) => startJourneys(process.argv.slice(2), env).ended)) ?? 1);
