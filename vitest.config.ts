import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const cwd = import.meta.dirname;
const tests = '{contract,proof,server,sandbox,demo,web,commands,tools}/**/*.test.{ts,tsx,mjs}';
// `npm run test:faults` runs the files that kill or freeze a server, a database or a network; `npm test` runs the others.
const isFaultTest = (file: string) => /\.faults\.test\.\w+$/.test(file);
const inTier = { main: (file: string) => !isFaultTest(file), faults: isFaultTest }[process.env['TEST_TIER'] ?? ''] ?? (() => true);
// A test of the test runner names files that aren't tests by their names.
const all = globSync(process.env['TEST_FILES']?.split(' ') ?? tests, {
  cwd,
  exclude: ['**/node_modules', '**/build'],
}).filter(inTier);
// A file that replaces or reloads a module needs a process to itself. The others share one per worker, which loads the server once, so state at
// the top of a module is shared between files.
const alone = all.filter((file) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(join(cwd, file), 'utf8')));
// A file that presses and types needs a document.
const inDocument = all.filter((file) => file.endsWith('.dom.test.tsx'));
const shared = all.filter((file) => !alone.includes(file) && !inDocument.includes(file));

export default defineConfig({
  test: {
    globalSetup: 'sandbox/src/testing/global-setup.ts',
    setupFiles: ['sandbox/src/testing/compile-cache.ts', 'sandbox/src/testing/leave-nothing.ts'],
    // One more than two cores, because tests mostly wait for the database.
    maxWorkers: Math.max(3, availableParallelism()),
    // Long enough for a busy machine; only a test that never ends meets it. Stryker has its own limits, and its code is many times slower.
    testTimeout: 'STRYKER_MUTATOR_WORKER' in process.env ? 600_000 : 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 90_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'alone', include: alone, isolate: true, globalSetup: [] } },
      { extends: true, test: { name: 'document', include: inDocument, isolate: true, globalSetup: [], environment: 'happy-dom' } },
      {
        extends: true,
        test: { name: 'shared', include: shared, isolate: false, globalSetup: [], setupFiles: 'sandbox/src/testing/quick-passwords.ts' },
      },
    ],
  },
});
