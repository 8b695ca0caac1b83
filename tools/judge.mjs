import { install } from './install.mjs';
import { startTests } from './tests.mjs';

// What the judged searches show on the demo data; other arguments are passed to Vitest.
await install();
process.exit((await startTests(['sandbox/src/judge/judge.test.ts', ...process.argv.slice(2)], { ...process.env, JUDGE: '1' }).ended) ?? 1);
