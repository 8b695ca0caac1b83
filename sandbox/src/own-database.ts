import { resolve } from 'node:path';
import { readEnv } from '@handwise/server/env';
import { hasCluster } from './postgres-cluster.ts';
import { usePostgres } from './postgres.ts';

// Runs an operator's command of the server: `own-database.ts <script> …`. Without DATABASE_URL it gets the embedded database of DATA_DIR, running or
// not.
const [node = '', , script = '', ...args] = process.argv;
process.argv = [node, script, ...args];
const { databaseUrl, dataDir } = readEnv(process.env);
const embedded = !databaseUrl && hasCluster(dataDir) ? await usePostgres(dataDir) : undefined;
try {
  if (embedded) process.env['DATABASE_URL'] = embedded.url;
  await import(resolve(script));
} finally {
  await embedded?.stop();
}
