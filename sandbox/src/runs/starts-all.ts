// Starts every kind of process, leaves some running and fails on demand, for `tools/leftovers.faults.test.mjs`.
import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { faultWorld } from '../faults/fault-world.ts';
import { startPostgres } from '../postgres.ts';
import { testApp } from '../testing/app.ts';
import { testDatabase } from '../testing/database.ts';
import { smallDisk } from '../testing/disk.ts';

await testApp();
const world = await faultWorld({ databaseUrl: (await testDatabase()).url });
await world.startServer();
const forgotten = await startPostgres({ dataDir: mkdtempSync(join(tmpdir(), 'forgotten-')) });
smallDisk(64);
test('fails', async () => {
  const clusters = [join('/dev/shm', basename(tmpdir())), forgotten.cluster];
  const databases = [inject('postgresUrl'), forgotten.url];
  // Renamed, so that the file is complete when it appears.
  const ready = process.env['PLANTED_READY'] ?? '';
  writeFileSync(`${ready}.part`, JSON.stringify({ tmp: tmpdir(), databases, clusters }));
  renameSync(`${ready}.part`, ready);
  await expect.poll(() => existsSync(process.env['PLANTED_FAIL_NOW'] ?? ''), { timeout: 300_000 }).toBe(true);
  expect(1).toBe(2);
}, 300_000);
