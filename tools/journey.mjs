import { install } from './install.mjs';
import { startJourneys, withSite } from './site.mjs';

// The journeys of one file of e2e/src, or those of a title given with `-g`; other arguments are passed to Playwright.
const args = process.argv.slice(2);
if (args.length === 0) {
  console.error('Which journey? For example: npm run journey -- visitor --project=desk');
  process.exit(1);
}
await install();
process.exit(await withSite(async (env) => (await startJourneys(['--reporter=list', ...args], env).ended) ?? 1));
