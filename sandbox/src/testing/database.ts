import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import type { Db, Tx } from '@handwise/server/kit/database';

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

/** Inserts rows keyed by column in one statement and returns their ids. */
export async function insertRows(client: pg.Client | pg.Pool, table: string, rows: readonly Record<string, unknown>[]): Promise<string[]> {
  const columns = Object.keys(rows[0] ?? {}).join();
  const inserted = await client.query<{ id: string }>(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb) returning id`,
    [JSON.stringify(rows)],
  );
  return inserted.rows.map(({ id }) => id);
}

class RollBack extends Error {}

/** Runs statements without triggers and foreign keys, returns what `read` returns, and rolls back. */
export async function readWithoutConstraints<Seen>(db: Db, read: (tx: Tx) => Promise<Seen>, statements: readonly RawBuilder<unknown>[]) {
  const seen: Seen[] = [];
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      for (const statement of statements) await statement.execute(tx);
      seen.push(await read(tx));
      throw new RollBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error;
    });
  const [first] = seen;
  if (first === undefined) throw new Error('no statement was measured');
  return first;
}
