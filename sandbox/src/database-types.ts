import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, readMigrations } from '@handwise/server/kit/migrations';
import { startPostgres } from './postgres.ts';
import { openRunFolder } from './runs/run-folder.ts';

// Writes the types of the database for the type checker: the migrations are applied to an empty
// one, which is read. Does nothing while the migrations are unchanged.
const serverDir = join(import.meta.dirname, '../../server');
const target = join(serverDir, 'src/kit/database/database.generated.ts');
const migrations = await readMigrations();
const checksum = createHash('sha256')
  .update(migrations.map((one) => one.checksum).join())
  .update(readFileSync(import.meta.filename))
  .digest('hex');

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(`// ${checksum}\n`)) {
  const run = openRunFolder('handwise-types-');
  const postgres = await startPostgres({ dataDir: run.memory, settings: { fsync: 'off' } });
  try {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await migrate(client, migrations);
    const pictures = 'ColumnType<StoredPicture[], string | undefined, string>';
    const pdf = 'ColumnType<StoredPdf | null, string | null | undefined, never>';
    const hours = 'ColumnType<Hours | null, string | null | undefined, string | null>';
    const columns = {
      ...(await getStates(client)),
      'listings.pictures': pictures,
      'messages.pictures': pictures,
      'messages.pdf': pdf,
      'quote_requests.pictures': pictures,
      'reviews.pictures': pictures,
      'listings.hours': hours,
    };
    await client.end();
    const packageFile = createRequire(join(serverDir, 'package.json')).resolve('kysely-codegen/package.json');
    const cli = join(packageFile, '../dist/cli/bin.js');
    const flags = [
      '--dialect',
      'postgres',
      '--url',
      postgres.url,
      '--out-file',
      target,
      '--exclude-pattern',
      'migrations',
      '--overrides',
      JSON.stringify({ columns }),
      '--log-level',
      'warn',
    ];
    // Its stderr is part of the error if it fails. Otherwise it is noise: a stack trace per override, because it expects the API that TypeScript had before version 7.
    execFileSync(process.execPath, [cli, ...flags], { stdio: 'pipe' });
    writeFileSync(
      target,
      `// ${checksum}\nimport type { Hours } from '@handwise/contract/facts/hours';\nimport type { StoredPdf, StoredPicture } from '../files/stored-files.ts';\n${readFileSync(target, 'utf8')}`,
    );
  } finally {
    await postgres.stop();
    await run.close();
  }
}

/** Text columns that a constraint limits to a few values, and references to them, as a union of these values. */
async function getStates(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ column: string; definition: string; isNullable: boolean; isGenerated: boolean }>(`
    with held as (
      select conrelid, conkey[1] as attnum, pg_get_constraintdef(oid) as definition from pg_constraint
      where contype = 'c' and array_length(conkey, 1) = 1 and connamespace = 'public'::regnamespace
        and pg_get_constraintdef(oid) ~ '= ANY \\(+ARRAY\\[''.*::text'
      union all
      select pointing.conrelid, of.from_key, pg_get_constraintdef(held.oid)
      from pg_constraint as pointing
        cross join lateral unnest(pointing.conkey, pointing.confkey) as of (from_key, to_key)
        join pg_constraint as held on held.conrelid = pointing.confrelid and held.conkey = array[of.to_key]
      where pointing.contype = 'f' and held.contype = 'c' and pg_get_constraintdef(held.oid) ~ '= ANY \\(+ARRAY\\[''.*::text'
    )
    select relname || '.' || attname as column, definition, not attnotnull as "isNullable", atthasdef as "isGenerated"
    from held join pg_class on pg_class.oid = conrelid join pg_attribute on attrelid = conrelid and pg_attribute.attnum = held.attnum`);
  return Object.fromEntries(
    rows.map(({ column, definition, isNullable, isGenerated }) => {
      const words = [...definition.matchAll(/'([^']*)'::text/g)].map(([, word]) => `'${word}'`);
      const union = [...words, ...(isNullable ? ['null'] : [])].join(' | ');
      return [column, isGenerated ? `Generated<${union}>` : union];
    }),
  );
}
