import { printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';

/** What a listing takes in the database with all its indexes, and how many indexes there are. */
export async function benchSize({ client, listings }: Stage): Promise<void> {
  const { rows } = await client.query<{ name: string; megabytes: number; each: number }>(
    `select name, bytes / 1048576 as megabytes, bytes / (select count(*) from listings) as each from (
       select 'rows' as name, pg_table_size('listings')::float as bytes
       union all select relname, pg_relation_size(indexrelid)::float from pg_index join pg_class on pg_class.oid = indexrelid
       where indrelid = 'listings'::regclass
     ) as parts order by bytes desc`,
  );
  printTable(
    `Size of ${listings} listings`,
    ['part', 'MB', 'bytes a listing'],
    rows.map(({ name, megabytes, each }) => [name, megabytes, each]),
  );
  printBars([
    { what: 'kB a listing with its indexes', measured: rows.reduce((sum, { each }) => sum + each, 0) / 1_000, atMost: 1.5 },
    { what: 'indexes on listings', measured: rows.length - 1, atMost: 20 },
  ]);
}
