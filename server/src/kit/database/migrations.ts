import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const migrationsDir = join(import.meta.dirname, '../../../migrations');

type Migration = { name: string; sql: string; checksum: string; formerChecksum?: string };

/** Checksums of files as they were before PostgreSQL 15 to 17 were supported. On 18 they do the same as now. */
const formerChecksums: Readonly<Record<string, string>> = {
  '001-kit.sql': 'f9fd11d27d6d4872ed5c71eb6d105053c0b46563646e5918e9d88c5cd48ed712',
  '018-draws.sql': '87ffb28529bdbe2f67d49d93fc8d851ca461ea5e4acb7ffeb05d082b49393e37',
};

export async function readMigrations(dir = migrationsDir): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), 'utf8');
      const formerChecksum = formerChecksums[name];
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), ...(formerChecksum && { formerChecksum }) };
    }),
  );
}

/** How a migration waits for locks. */
const lockRetries = {
  /** Timeout of one attempt. Every later query on the table queues behind it for as long. */
  lockMs: 2_000,
  /** Between two attempts, in which the queued queries run. */
  retryMs: 1_000,
  /** A backup, for example, holds some locks for minutes. */
  tries: 300,
};

/**
 * Applies pending migrations in the order of their names, each file in one transaction. A file that begins with `-- outside a transaction` is applied
 * statement by statement, and from its beginning after an interruption. Several servers may call this at once: one works, the others wait. Throws if
 * an applied file was changed afterwards.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  waiting: Partial<typeof lockRetries> = {},
): Promise<string[]> {
  return withMigrationLock(client, async () => {
    // The duration of some grows with the size of a table.
    await client.query('set statement_timeout = 0');
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const added: string[] = [];
    for (const { name, sql, checksum, formerChecksum } of migrations) {
      const known = applied.get(name);
      if (known === checksum || (known && known === formerChecksum)) continue;
      if (known) throw new Error(`Migration ${name} was changed after it had been applied. Add a new one, or use an empty database.`);
      const record = () => client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
      try {
        if (sql.startsWith(outsideMark)) await applyStatements(client, sql, record);
        else await applyInTransaction(client, sql, record, { ...lockRetries, ...waiting });
      } catch (error) {
        throw new Error(`Migration ${name} failed`, { cause: error });
      }
      added.push(name);
    }
    return added;
  });
}

/** Runs `work` in one process at a time. Reentrant on the same connection. */
export async function withMigrationLock<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await acquireLock(client);
  try {
    return await work();
  } finally {
    // A lost connection has released the lock already.
    await client.query("select pg_advisory_unlock(hashtext('handwise migrations'))").catch(() => {});
  }
}

const pollMs = 100;

// Polls, because a waiting statement holds a snapshot that `create index concurrently` in another process would wait for.
async function acquireLock(client: pg.ClientBase) {
  const text = "select pg_try_advisory_lock(hashtext('handwise migrations')) as is_ours";
  while (!(await client.query<{ is_ours: boolean }>(text)).rows[0]?.is_ours) await pause(pollMs);
}

/** First line of a migration with `create index concurrently`, which can't run in a transaction. */
const outsideMark = '-- outside a transaction';

async function applyStatements(client: pg.ClientBase, sql: string, record: () => Promise<unknown>) {
  // It waits for all transactions without blocking any.
  await client.query('set lock_timeout = 0');
  for (const statement of sql.split(/;\s*$/m)) if (statement.trim() !== '') await client.query(statement);
  await record();
}

const lockNotAvailable = '55P03';
const deadlock = '40P01';

async function applyInTransaction(
  client: pg.ClientBase,
  sql: string,
  record: () => Promise<unknown>,
  { lockMs, retryMs, tries }: typeof lockRetries,
) {
  for (let left = tries; ; left -= 1) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockMs}`);
      await client.query(sql);
      await record();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const isLockError = error instanceof Error && 'code' in error && [lockNotAvailable, deadlock].includes(String(error.code));
      if (!isLockError || left <= 1) throw error;
      await pause(retryMs);
    }
  }
}
