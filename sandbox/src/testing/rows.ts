import type pg from 'pg';

/** Inserts rows keyed by column in one statement and returns their ids. */
export async function insertRows(client: pg.Client | pg.Pool, table: string, rows: readonly Record<string, unknown>[]): Promise<string[]> {
  const columns = Object.keys(rows[0] ?? {}).join();
  const inserted = await client.query<{ id: string }>(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb) returning id`,
    [JSON.stringify(rows)],
  );
  return inserted.rows.map(({ id }) => id);
}
