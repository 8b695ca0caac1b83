import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,sandbox,web}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/build/**'],
    globalSetup: 'sandbox/src/test-database.ts',
    // Two cores: more workers only wait for each other and for PostgreSQL.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
