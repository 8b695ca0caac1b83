import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDatabase } from '@handwise/server/prepare-database';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

/** One PostgreSQL for the whole run, with a migrated template: a copy of it takes a test file 50 ms. */
export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'handwise-tests-'));
  // Nothing here must outlive a crash.
  const postgres = await startPostgres({
    dataDir,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '128MB' },
  });
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query('create database template');
  const url = postgres.url.replace(/postgres$/, 'template');
  await prepareDatabase(url);
  await admin.end();
  project.provide('postgresUrl', postgres.url);
  return () => postgres.remove();
}
