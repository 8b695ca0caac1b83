// Runs tests that start every kind of process, and a bench with its servers, and expects that none is left over.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nodePath, root } from './install.mjs';

const folder = mkdtempSync(join(tmpdir(), 'handwise-leftovers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The processes with this temporary folder, or one below it, in their environment. */
const processesIn = (path) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const isIn = readFileSync(`/proc/${id}/environ`, 'utf8').includes(`TMPDIR=${path}`);
        return isIn ? [readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
      } catch {
        // The process has ended meanwhile.
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
  'a test run that %s leaves no process, folder or database behind',
  async (_, end) => {
    const own = mkdtempSync(join(folder, 'run-'));
    const [tmp, ready, failNow] = ['tmp', 'ready', 'fail-now'].map((name) => join(own, name));
    mkdirSync(tmp);
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_|NODE_COMPILE_CACHE)/.test(name)));
    // In the tree itself, to reuse the caches of this run.
    const run = spawn(nodePath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run'], {
      cwd: root,
      env: { ...env, TMPDIR: tmp, TEST_FILES: 'sandbox/src/runs/starts-all.ts', PLANTED_READY: ready, PLANTED_FAIL_NOW: failNow },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = once(run, 'exit');
    await expect.poll(() => existsSync(ready) || run.exitCode !== null, { timeout: 180_000 }).toBe(true);
    expect([existsSync(ready), output]).toEqual([true, expect.anything()]);
    // Every kind of process has been started.
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

// One listing, because only the bench's processes matter. Its database is deleted afterwards.
const listings = 1;
const ofBench = join(root, `.data/bench-${listings}`);
const startedByBench = [/\/postgres /, /server\/src\/main\.ts/, /bench\/src\/floor\.ts/];

afterAll(() => rmSync(ofBench, { recursive: true, force: true }));

test.runIf(process.platform === 'linux')(
  'a killed bench leaves no process and no folder behind',
  async () => {
    const own = mkdtempSync(join(folder, 'bench-'));
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_)/.test(name)));
    const run = spawn(nodePath, [join(root, 'bench/src/main.ts'), 'memory', '--listings', String(listings)], {
      cwd: root,
      env: { ...env, TMPDIR: own },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = once(run, 'exit');
    // Every kind of process has been started.
    const missing = () => startedByBench.filter((command) => !processesIn(own).some((one) => command.test(one)));
    await expect.poll(() => (run.exitCode === null ? missing() : output), { timeout: 180_000 }).toEqual([]);

    run.kill('SIGKILL');
    await ended;
    await expect.poll(() => processesIn(own), { timeout: 120_000 }).toEqual([]);
    await expect.poll(() => readdirSync(own)).toEqual([]);
  },
  400_000,
);
