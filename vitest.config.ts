import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,proof,server,sandbox,demo,web,tools}/**/*.test.{ts,tsx,mjs}'],
    exclude: ['**/node_modules/**', '**/build/**'],
    globalSetup: 'sandbox/src/test-database.ts',
    // Two cores: more workers only wait for each other and for PostgreSQL.
    maxWorkers: 2,
    // Only so that a test which waits for what never comes ends some time: a busy machine is none that fails.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000, interval: 20 } },
  },
});
