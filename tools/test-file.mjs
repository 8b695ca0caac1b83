import { install } from './install.mjs';
import { startTests } from './tests.mjs';

// The tests of the named files; other arguments are passed to Vitest, such as `-t 'part of a title'`.
const args = process.argv.slice(2);
if (args.length === 0) {
  console.error('Which file? For example: npm run test:file -- server/src/kit/jobs/jobs.test.ts');
  process.exit(1);
}
await install();
process.exit((await startTests(args).ended) ?? 1);
