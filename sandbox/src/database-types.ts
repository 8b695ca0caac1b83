import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, readMigrations } from '@handwise/server/kit/migrations';
import pg from 'pg';
import { startPostgres } from './postgres.ts';

// Writes the types of the database for the type checker, from the database itself: the migrations are applied to an empty
// one and read back. Does nothing while the migrations are the same.
const serverDir = join(import.meta.dirname, '../../server');
const target = join(serverDir, 'src/kit/database.generated.ts');
const migrations = await readMigrations();
const checksum = createHash('sha256')
  .update(migrations.map((one) => one.checksum).join())
  .digest('hex');

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(`// ${checksum}\n`)) {
  const dataDir = mkdtempSync(join(tmpdir(), 'handwise-types-'));
  const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } });
  try {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await migrate(client, migrations);
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
      '--log-level',
      'warn',
    ];
    execFileSync(process.execPath, [cli, ...flags], { stdio: 'inherit' });
    writeFileSync(target, `// ${checksum}\n${readFileSync(target, 'utf8')}`);
  } finally {
    await postgres.remove();
  }
}
