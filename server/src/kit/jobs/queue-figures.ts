import { sql } from 'kysely';
import type { Reader } from '../database/database.ts';
import { failedQueue } from './queues.ts';

type Row = { name: string; due: number; retrying: number; waiting: number; oldest_due: number | null; oldest: number | null };

/** What waits in the queues, by the database's clock. Ages in seconds. */
export async function readQueueFigures(db: Reader) {
  const { rows } = await sql<Row>`
    select name, count(*)::int as waiting,
      (count(*) filter (where start_after <= now()))::int as due,
      (count(*) filter (where state = 'retry'))::int as retrying,
      extract(epoch from now() - min(start_after))::float as oldest_due,
      extract(epoch from now() - min(created_on))::float as oldest
    from pgboss.job where state in ('created', 'retry') group by name`.execute(db);
  const queues = rows.filter(({ name }) => name !== failedQueue);
  const sum = (of: (row: Row) => number) => queues.reduce((total, row) => total + of(row), 0);
  return {
    due: sum((row) => row.due),
    retrying: sum((row) => row.retrying),
    oldestDueSeconds: Math.max(0, ...queues.map((row) => row.oldest_due ?? 0)),
    failed: rows.find(({ name }) => name === failedQueue)?.waiting ?? 0,
    /** Of the oldest job of each queue that waits, from when it was sent. */
    ages: new Map(queues.map((row) => [row.name, row.oldest ?? 0] as const)),
  };
}
