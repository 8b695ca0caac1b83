// Migrations and the main journeys on the oldest PostgreSQL that is supported, as Debian 12 has it. All other tests run on the embedded one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const programs = '/usr/lib/postgresql/15';
const root = join(import.meta.dirname, '../..');
const missing = existsSync(join(programs, 'bin/initdb')) ? undefined : `${programs} is missing: apt-get install postgresql-15`;

/** What people do, with every kind of statement: signing up, publishing, searching, writing, paying, and what is counted and drawn from it. */
const journeys = [
  'server/src/kit/database/migrations.test.ts',
  'server/src/kit/database/database-health.test.ts',
  'server/src/domains/accounts/accounts.test.ts',
  'server/src/domains/selling/selling.publish.test.ts',
  'server/src/domains/search/search.test.ts',
  'server/src/domains/messages/messages.test.ts',
  'server/src/domains/payments/payments.test.ts',
  'server/src/domains/analytics/analytics.test.ts',
  'server/src/domains/funnel/funnel.test.ts',
  'server/src/domains/draws/draws.test.ts',
  'server/test/schema-constraints.test.ts',
];

const patience = 900_000;

test(
  'people sign up, publish, search, write and pay on PostgreSQL 15',
  async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    expect(journeys.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    // Without this run's own variables, which choose files and workers.
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...journeys], {
      cwd: root,
      env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, TEST_POSTGRES: programs },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    afterAll(() => void child.kill());
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) console.error(output.slice(-8_000));
    expect(code).toBe(0);
    expect(output).toContain('Tests run on PostgreSQL 15.');
    // All of the files ran.
    expect(output).toMatch(new RegExp(`Test Files .*${journeys.length} passed`));
  },
  patience,
);
