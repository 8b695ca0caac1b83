import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server that tests make their databases on. */
    postgresUrl: string;
    /** The migrated database that each of them is a copy of. */
    templateDatabase: string;
  }
}

/** A copy of the migrated template, dropped after the test file. */
export const testDatabase = () => newDatabase(`template ${inject('templateDatabase')} strategy file_copy`);

/** One with nothing in it, dropped after the test file. */
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
