import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server for test databases. */
    postgresUrl: string;
    /** The migrated database that test databases are copied from. */
    templateDatabase: string;
  }
}

/** A copy of the migrated template, dropped after the test file. */
export const testDatabase = () => newDatabase(`template ${inject('templateDatabase')} strategy file_copy`);

/** An empty database, dropped after the test file. */
export const emptyDatabase = () => newDatabase('template template0');

async function newDatabase(template: string) {
  const base = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: base });
  await admin.connect();
  await admin.query(`create database ${name} ${template}`);
  afterAll(async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { url: base.replace(/postgres$/, name) };
}
