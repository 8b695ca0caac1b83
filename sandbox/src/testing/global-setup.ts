import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { inDatabase } from '../in-database.ts';
import { getVersion } from '../postgres-cluster.ts';
import { startPostgres } from '../postgres.ts';
import { openRunFolder } from '../runs/run-folder.ts';

/**
 * One PostgreSQL for the whole run, with a migrated template: a copy of it takes a test file 50 ms.
 * @public Vitest calls it.
 */
export default async function setup(project: TestProject) {
  const run = openRunFolder('handwise-tests-');
  const postgres = await startOwn(join(run.memory, 'postgres'));
  if (programs) console.warn(`Tests run on PostgreSQL ${getVersion(programs)}.`);
  const template = `template_${randomUUID().replaceAll('-', '')}`;
  await inDatabase(postgres.url, `create database ${template}`);
  await prepareDatabase(postgres.url.replace(/postgres$/, template));
  project.provide('postgresUrl', postgres.url);
  project.provide('templateDatabase', template);
  return async () => {
    await inDatabase(postgres.url, `drop database ${template} with (force)`);
    await postgres.remove();
    await run.close();
  };
}

// The folder of another PostgreSQL than the embedded one, such as /usr/lib/postgresql/15.
const programs = process.env['TEST_POSTGRES'];

// The data need not survive a crash.
const startOwn = (dataDir: string) =>
  startPostgres({
    dataDir,
    programs,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '128MB', max_wal_size: '256MB' },
  });
