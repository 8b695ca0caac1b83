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

/**
 * Applies what is missing, each file in one transaction, in the order of the names. Several servers may call it at once:
 * one works, the others wait. Throws where an applied file was changed afterwards, because then nobody knows what the
 * database holds.
 */
export async function migrate(client: pg.ClientBase, migrations: readonly Migration[]): Promise<string[]> {
  await takeTurn(client);
  try {
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
      await client.query('begin');
      try {
        await client.query(sql);
        await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`Migration ${name} failed`, { cause: error });
      }
      added.push(name);
    }
    return added;
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
