import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const cwd = import.meta.dirname;
const tests = '{contract,proof,server,sandbox,demo,web,tools}/**/*.test.{ts,tsx,mjs}';
// What is no test of ours, but is run as one by a test of the tests.
const all = globSync(process.env['TEST_FILES'] ?? tests, {
  cwd,
  exclude: ['**/node_modules', '**/build'],
});
// What replaces a module, or loads it anew, has a process to itself. All others share one for each worker, which
// loads the server once: whatever is kept at the top of a module is kept for the next file.
const alone = all.filter((file) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(join(cwd, file), 'utf8')));
const shared = all.filter((file) => !alone.includes(file));

// Passwords cost what they must in a process to itself only.
const quick = { '@node-rs/argon2': join(cwd, 'sandbox/src/testing/quick-argon2.ts') };

// They wait for processes that start and end: beside them others have the cores.
const waiting = /(\/faults\/[\w-]+|\/serve|\/starting|\/staging|\/leftovers|\/pool)\.test\.\w+$/;

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.toSorted((a, b) => Number(waiting.test(b.moduleId)) - Number(waiting.test(a.moduleId)));
  }
}

export default defineConfig({
  test: {
    globalSetup: 'sandbox/src/test-database.ts',
    setupFiles: ['sandbox/src/testing/compile-cache.ts', 'sandbox/src/testing/leave-nothing.ts'],
    // One more than two cores, because much of it is waiting.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: WaitingFirst },
    // Only so that a test which waits for what never comes ends some time: a busy machine is none that fails.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'alone', include: alone, isolate: true, globalSetup: [] } },
      { extends: true, resolve: { alias: quick }, test: { name: 'shared', include: shared, isolate: false, globalSetup: [] } },
    ],
  },
});
