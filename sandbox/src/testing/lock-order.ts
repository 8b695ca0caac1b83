import { setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '@handwise/server/kit/database';

/** A transaction held rows of one table while it waited for rows of another, or for an earlier row of the same table. */
export type Pair = { held: string; awaited: string };

/** An advisory lock that blocks commits. */
const commit = sql.lit(4711);

/** Tables whose changes are not audited; their transactions wait at the commit instead. */
const waitsAtCommit = [
  'listings',
  'reviews',
  'draw_entries',
  'reward_entries',
  'renewals',
  'conversations',
  'quotes',
  'visits',
  'invitations',
];

/** Locked last by every audited transaction. */
const last = 'audit_head';

class RollBack extends Error {}

/**
 * Determines the order in which a transaction locks rows of these tables: each table in turn is locked by another transaction, and the rows
 * held by the waiting one are read. It is then cancelled, so that it can be repeated on the same state.
 */
export async function openLockOrder(db: Db, tables: readonly string[]) {
  await sql`create function wait_at_commit() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${commit}); return null; end $$`.execute(db);
  for (const table of waitsAtCommit)
    await sql`create constraint trigger zz_wait_at_commit after insert or update on ${sql.table(table)}
      deferrable initially deferred for each row execute function wait_at_commit()`.execute(db);
  const keys = await sql<{ name: string; key: string }>`
    select relname as name, string_agg(quote_ident(attname), ', ' order by place) as key
    from pg_class join pg_index on indrelid = pg_class.oid and indisprimary, unnest(indkey) with ordinality as part (number, place)
    join pg_attribute on attnum = part.number
    where attrelid = pg_class.oid and relname = any(${[...tables]}) group by relname`.execute(db);
  const keyOf = new Map(keys.rows.map(({ name, key }) => [name, key]));

  const freeRows = tables.map(
    (table) => sql`${sql.table(`free_${table}`)} as materialized (select ctid from ${sql.table(table)} for no key update skip locked)`,
  );
  const lockedRows = tables.map(
    (table) => sql`
      select ${sql.lit(table)} as name, ctid::text as row, row_number() over (order by ${sql.raw(keyOf.get(table) ?? '')}) as place
      from ${sql.table(table)} where ctid not in (select ctid from ${sql.table(`free_${table}`)})`,
  );
  /** The locked rows by table, in the order of their keys. */
  async function locked(): Promise<Map<string, string[]>> {
    const { rows } = await sql<{ name: string; row: string }>`
      with ${sql.join(freeRows)} ${sql.join(lockedRows, sql` union all `)} order by name, place`.execute(db);
    return new Map([...Map.groupBy(rows, ({ name }) => name)].map(([name, some]) => [name, some.map(({ row }) => row)]));
  }

  async function findWaiting(): Promise<{ pid: number; event: string } | undefined> {
    const { rows } = await sql<{ pid: number; event: string }>`
      select pid, wait_event as event from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows[0];
  }

  type Seen = { rows: Map<string, string[]>; atCommit: boolean };

  /** The rows that the work has locked when it reaches the held ones, or its commit; undefined if it reaches neither. */
  async function whileHeld(work: () => Promise<unknown>, held: RawBuilder<unknown>): Promise<Seen | undefined> {
    let seen: Seen | undefined;
    const transaction = db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${commit})`.execute(tx);
      await held.execute(tx);
      let isOver = false;
      const working = work()
        .catch(() => {})
        .finally(() => (isOver = true));
      for (;;) {
        const waiting = await findWaiting();
        if (isOver) break;
        if (waiting) {
          seen ??= { rows: await locked(), atCommit: waiting.event === 'advisory' };
          // Not only once, because a job goes on with the next row when one has failed.
          await sql`select pg_cancel_backend(${waiting.pid})`.execute(db);
        }
        await pause(2);
      }
      await working;
      throw new RollBack();
    });
    await transaction.catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error;
    });
    return seen;
  }

  const allOf = (table: string) => sql`select from ${sql.table(table)} for no key update`;
  const oneOf = (table: string, row: string) => sql`select from ${sql.table(table)} where ctid = ${row}::tid for no key update`;

  /** The tables with existing rows that a transaction locks, and its pairs of held and awaited ones. */
  return async (work: () => Promise<unknown>): Promise<{ taken: string[]; pairs: Pair[] }> => {
    const end = await whileHeld(work, allOf(last));
    if (!end) throw new Error('it takes no lock');
    end.rows.delete(last);
    const taken = [...end.rows.keys()];
    const pairs: Pair[] = end.atCommit ? [] : taken.map((held) => ({ held, awaited: last }));
    for (const [table, rows] of end.rows) {
      const seen = await whileHeld(work, allOf(table));
      // A transaction that skips locked rows reaches its end.
      if (seen && !seen.atCommit) for (const held of seen.rows.keys()) if (held !== table) pairs.push({ held, awaited: table });
      const [first, ...others] = rows;
      if (first === undefined || others.length === 0) continue;
      const atFirst = await whileHeld(work, oneOf(table, first));
      if (atFirst && !atFirst.atCommit && others.some((row) => atFirst.rows.get(table)?.includes(row)))
        pairs.push({ held: table, awaited: table });
      // Users are checked row by row, because another user's account may be locked later.
      if (table !== 'users') continue;
      for (const row of rows) {
        const atRow = await whileHeld(work, oneOf(table, row));
        if (atRow && !atRow.atCommit) for (const held of atRow.rows.keys()) if (held !== table) pairs.push({ held, awaited: table });
      }
    }
    return { taken: end.atCommit ? taken : [...taken, last], pairs };
  };
}
