import { printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';

/** What a listing takes in the database with all its indexes, and how many indexes there are. */
export async function benchSize({ client, listings }: Stage): Promise<void> {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `select 'rows' as name, pg_table_size('listings')::float as bytes
     union all select relname, pg_relation_size(indexrelid)::float from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = 'listings'::regclass order by bytes desc`,
  );
  const { rows: counted } = await client.query<{ count: number }>('select count(*)::int as count from listings');
  const count = counted[0]?.count ?? 1;
  printTable(
    `Size of ${listings} listings`,
    ['part', 'MB', 'bytes a listing'],
    rows.map(({ name, bytes }) => [name, bytes / 1_048_576, bytes / count]),
  );
  printBars([
    { what: 'kB a listing with its indexes', measured: rows.reduce((sum, { bytes }) => sum + bytes, 0) / count / 1_000, atMost: 1.5 },
    { what: 'indexes on listings', measured: rows.length - 1, atMost: 20 },
  ]);
}
