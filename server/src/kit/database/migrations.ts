import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const migrationsDir = join(import.meta.dirname, '../../../migrations');

type Migration = { name: string; sql: string; checksum: string };

export async function readMigrations(dir = migrationsDir): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** How a migration waits for locks that others hold. */
const patience = {
  /** At once: everybody who comes after it waits behind it for so long. */
  lockMs: 2_000,
  /** From one try to the next. Meanwhile those others go on. */
  pauseMs: 1_000,
  /** A copy of the database that is being made, say, holds some locks for minutes. */
  tries: 300,
};

/**
 * Applies what is missing, each file in one transaction, in the order of the names. A file that begins with `-- outside a transaction` is applied a
 * statement at a time, and all of it again where it was left halfway. Several servers may call it at once: one works, the others wait. Throws where an
 * applied file was changed afterwards, because then nobody knows what the database holds.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  waiting: Partial<typeof patience> = {},
): Promise<string[]> {
  return inTurn(client, async () => {
    // Some take as long as the tables are big.
    await client.query('set statement_timeout = 0');
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const added: string[] = [];
    for (const { name, sql, checksum } of migrations) {
      const known = applied.get(name);
      if (known === checksum) continue;
      if (known) throw new Error(`Migration ${name} was changed after it had been applied. Add a new one, or use an empty database.`);
      const note = () => client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
      try {
        if (sql.startsWith(outside)) await applyOutside(client, sql, note);
        else await applyInside(client, sql, note, { ...patience, ...waiting });
      } catch (error) {
        throw new Error(`Migration ${name} failed`, { cause: error });
      }
      added.push(name);
    }
    return added;
  });
}

/** Does what only one process may do to a database at a time. The same connection may take its turn again in it. */
export async function inTurn<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await takeTurn(client);
  try {
    return await work();
  } finally {
    // Where the connection is lost, so is the lock.
    await client.query("select pg_advisory_unlock(hashtext('handwise migrations'))").catch(() => {});
  }
}

const againMs = 100;

// Asked again and again: a statement that waits holds a snapshot, and an index that another makes concurrently would wait for that.
async function takeTurn(client: pg.ClientBase) {
  const text = "select pg_try_advisory_lock(hashtext('handwise migrations')) as is_ours";
  while (!(await client.query<{ is_ours: boolean }>(text)).rows[0]?.is_ours) await pause(againMs);
}

/** What one that makes indexes `concurrently` begins with: nobody waits for it, and it cannot be in a transaction. */
const outside = '-- outside a transaction';

async function applyOutside(client: pg.ClientBase, sql: string, note: () => Promise<unknown>) {
  // It waits for everybody's transactions, and keeps nobody from going on.
  await client.query('set lock_timeout = 0');
  for (const statement of sql.split(/;\s*$/m)) if (statement.trim() !== '') await client.query(statement);
  await note();
}

const lockNotAvailable = '55P03';
const deadlock = '40P01';

async function applyInside(client: pg.ClientBase, sql: string, note: () => Promise<unknown>, { lockMs, pauseMs, tries }: typeof patience) {
  for (let left = tries; ; left -= 1) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockMs}`);
      await client.query(sql);
      await note();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const isHeldUp = error instanceof Error && 'code' in error && [lockNotAvailable, deadlock].includes(String(error.code));
      if (!isHeldUp || left <= 1) throw error;
      await pause(pauseMs);
    }
  }
}
