import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { takeDataDir } from './data-dir.ts';

const umask = process.umask();
const dataDir = mkdtempSync(join(tmpdir(), 'data-dir-'));
afterAll(() => {
  process.umask(umask);
  rmSync(dataDir, { recursive: true, force: true });
});

test('a data folder and what a start creates in it are for their owner alone', async () => {
  process.umask(0o022);
  chmodSync(dataDir, 0o755);
  const release = await takeDataDir(dataDir);
  mkdirSync(join(dataDir, 'mailbox'));
  writeFileSync(join(dataDir, 'mailbox/emails.db'), '');
  const modes = ['.', 'start.pid', 'mailbox', 'mailbox/emails.db'].map((path) => (statSync(join(dataDir, path)).mode & 0o777).toString(8));
  await release();
  expect(modes).toEqual(['700', '600', '700', '600']);
});
