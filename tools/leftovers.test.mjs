// Runs a file of tests that starts all that tests can start, in a copy of the tree, and sees that nothing of it is left.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodePath, root } from './install.mjs';
import { copyInto } from './tree-copy.mjs';

const planted = `
import { existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { faultWorld } from './faults/fault-world.ts';
import { startPostgres } from './postgres.ts';
import { testApp } from './test-app.ts';
import { smallDisk } from './test-disk.ts';
import { testDatabase } from './testing/database.ts';

await testApp();
const world = await faultWorld({ databaseUrl: (await testDatabase()).url });
await world.startServer();
const forgotten = await startPostgres({ dataDir: mkdtempSync(join(tmpdir(), 'forgotten-')) });
smallDisk(64);
test('fails', async () => {
  // Where clusters lie that PostgreSQL could not have reached here.
  const notes = readdirSync(tmpdir(), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('postgres-lies-in'));
  const clusters = notes.map((name) => readFileSync(join(tmpdir(), name), 'utf8').trim());
  const databases = [inject('postgresUrl'), forgotten.url];
  // Whoever waits for the file finds all of it.
  const ready = process.env['PLANTED_READY'] ?? '';
  writeFileSync(ready + '.part', JSON.stringify({ tmp: tmpdir(), databases, clusters }));
  renameSync(ready + '.part', ready);
  await expect.poll(() => existsSync(process.env['PLANTED_FAIL_NOW'] ?? ''), { timeout: 300_000 }).toBe(true);
  expect(1).toBe(2);
}, 300_000);
`;

const folder = mkdtempSync(join(tmpdir(), 'handwise-leftovers-'));
const copy = join(folder, 'tree');
beforeAll(() => {
  mkdirSync(copy);
  copyInto(copy, root);
  writeFileSync(join(copy, 'sandbox/src/planted.test.ts'), planted);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The processes in whose environment stands this temporary folder, or one below it. */
const processesIn = (path) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const isIn = readFileSync(`/proc/${id}/environ`, 'utf8').includes(`TMPDIR=${path}`);
        return isIn ? [readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });

const endings = [
  ['fails', (run, failNow) => writeFileSync(failNow, '')],
  ['is told to stop (SIGINT)', (run) => run.kill('SIGINT')],
  ['is told to end (SIGTERM)', (run) => run.kill('SIGTERM')],
  ['is killed (SIGKILL)', (run) => run.kill('SIGKILL')],
];

test.runIf(process.platform === 'linux').each(endings)(
  'a run of tests that %s leaves no process, folder or database behind',
  async (_, end) => {
    const own = mkdtempSync(join(folder, 'run-'));
    const [tmp, ready, failNow] = ['tmp', 'ready', 'fail-now'].map((name) => join(own, name));
    mkdirSync(tmp);
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_|NODE_COMPILE_CACHE)/.test(name)));
    const run = spawn(nodePath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'sandbox/src/planted.test.ts'], {
      cwd: copy,
      env: { ...env, TMPDIR: tmp, PLANTED_READY: ready, PLANTED_FAIL_NOW: failNow },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (said += chunk));
    const ended = once(run, 'exit');
    await expect.poll(() => existsSync(ready) || run.exitCode !== null, { timeout: 180_000 }).toBe(true);
    expect([existsSync(ready), said]).toEqual([true, expect.anything()]);
    // It did start what could be left behind.
    const started = JSON.parse(readFileSync(ready, 'utf8'));
    expect(started.tmp.startsWith(tmp)).toBe(true);
    expect(new Set(started.databases).size).toBe(2);
    expect(processesIn(tmp).length).toBeGreaterThan(3);

    end(run, failNow);
    const [code] = await ended;
    expect(code).not.toBe(0);
    await expect.poll(() => processesIn(tmp), { timeout: 120_000 }).toEqual([]);
    expect(readdirSync(tmp)).toEqual([]);
    expect(started.clusters.filter((cluster) => existsSync(cluster))).toEqual([]);
    expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(tmp);
  },
  400_000,
);
