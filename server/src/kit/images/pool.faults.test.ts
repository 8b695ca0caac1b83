import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { maxPhotos } from '@handwise/contract/selling/form-rules';
import { blackPng, plain } from '@handwise/sandbox/testing/picture-files';
import { processFacts, startedProcesses } from '@handwise/sandbox/testing/processes';
import type { AppError } from '../errors.ts';
import { PicturePool, defaultImageLimits, defaultQueue } from './pool.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-pool-'));
// The picture process has low priority: on a busy machine it gets a small part of a core.
vi.setConfig({ testTimeout: 900_000 });
const before = startedProcesses('images/worker');
afterAll(async () => {
  vi.resetConfig();
  // Idle processes live for a minute, and the next test file counts child processes.
  const own = () => startedProcesses('images/worker').filter((id) => !before.includes(id));
  for (const id of own()) process.kill(id, 'SIGKILL');
  await vi.waitUntil(() => own().length === 0, { timeout: 90_000 });
  rmSync(dir, { recursive: true, force: true });
});

let made = 0;
function file(data: Buffer) {
  const path = join(dir, String(++made));
  writeFileSync(path, data);
  return path;
}

const workers = () => startedProcesses('images/worker');
/** The newly started process. */
function newWorker(known: readonly number[]) {
  const id = workers().find((one) => !known.includes(one));
  if (id === undefined) throw new Error('no process was started');
  return id;
}

const small = file(await plain(300, 200).jpeg().toBuffer());
/** Takes 90 MB and half a second of work. */
const large = file(blackPng(5_000, 5_000, { kind: 'rgb', depth: 8, interlaced: true }));

const isMade = { kind: 'picture', result: { width: 300 } };
const isTooCostly = { kind: 'refused', why: { reason: 'too_costly' } };

/** Takes half a second of work and little memory. */
const slow = file(blackPng(7_000, 7_000, { interlaced: true }));

test('limits a process to 385 MB and the decoding of a picture to 5 seconds of CPU time', () => {
  expect(defaultImageLimits).toEqual({ memory: 385_000_000, seconds: 5, hangMs: 60_000, idleMs: 60_000 });
});

test('a user may queue the photos of two listings, a small part of the queue', () => {
  expect(defaultQueue.perClient?.waiting).toBeGreaterThanOrEqual(2 * (maxPhotos + 1));
  expect((defaultQueue.perClient?.waiting ?? 0) / defaultQueue.waiting).toBeLessThan(0.05);
});

test('limits apply to each picture separately', async () => {
  const pool = new PicturePool({ ...defaultImageLimits, seconds: 1.5 });
  const known = workers();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => pool.run('logo', slow)));
  expect(outcomes.map((outcome) => outcome.kind)).toEqual(Array.from({ length: 8 }, () => 'logo'));
  expect(workers().filter((id) => !known.includes(id))).toHaveLength(1);
});

test('alternates between users, and rejects a user with too many queued pictures', async () => {
  const pool = new PicturePool(defaultImageLimits, { running: 1, waiting: 100, perClient: { running: 1, waiting: 6 } });
  const made: string[] = [];
  const upload = async (name: string, userId: string) => {
    const outcome = await pool.run('picture', small, userId).catch((error: AppError) => error.code);
    made.push(typeof outcome === 'string' ? `${name} ${outcome}` : name);
  };
  const first = Array.from({ length: 8 }, (_, index) => upload(`a${index}`, 'a'));
  const second = Array.from({ length: 2 }, (_, index) => upload(`b${index}`, 'b'));
  await Promise.all([...first, ...second]);
  expect(made).toEqual(['a7 too_many_requests', 'a0', 'a1', 'b0', 'a2', 'b1', 'a3', 'a4', 'a5', 'a6']);
});

test.each([
  ['memory', large, { memory: 150_000_000 }],
  ['work', slow, { seconds: 0.15 }],
])('rejects a picture above the limit of %s, and converts the concurrent ones', async (_, culprit, limit) => {
  const pool = new PicturePool({ ...defaultImageLimits, ...limit });
  const paths = [small, small, culprit, small, small, small, small];
  const outcomes = await Promise.all(paths.map((path) => pool.run('picture', path)));
  expect(outcomes).toMatchObject(paths.map((path) => (path === culprit ? isTooCostly : isMade)));
  expect(await new PicturePool().run('logo', culprit)).toMatchObject({ kind: 'logo' });
});

describe.runIf(process.platform === 'linux')('a process', () => {
  test('that is killed fails no picture', async () => {
    const pool = new PicturePool();
    const known = workers();
    await pool.run('picture', small);
    const id = newWorker(known);
    const pending = Array.from({ length: 3 }, () => pool.run('logo', large));
    process.kill(id, 'SIGKILL');
    expect((await Promise.all(pending)).map((outcome) => outcome.kind)).toEqual(Array.from({ length: 3 }, () => 'logo'));
    expect(workers()).not.toContain(id);
  });

  test('that hangs is killed, and its pictures are converted', async () => {
    const pool = new PicturePool();
    const known = workers();
    await pool.run('picture', small);
    const id = newWorker(known);
    process.kill(id, 'SIGSTOP');
    expect(await pool.run('picture', small)).toMatchObject(isMade);
    expect(workers()).not.toContain(id);
  });

  test('that takes too long twice says nothing about the picture', async () => {
    const pool = new PicturePool({ ...defaultImageLimits, hangMs: 50 });
    await expect(pool.run('picture', large)).rejects.toMatchObject({ code: 'overloaded' });
  });

  test('that is idle is ended, and started again on demand', async () => {
    const pool = new PicturePool({ ...defaultImageLimits, idleMs: 50 });
    const known = workers();
    await pool.run('picture', small);
    const id = newWorker(known);
    expect(id).toBeGreaterThan(0);
    await expect.poll(() => workers().includes(id)).toBe(false);
    expect(await pool.run('picture', small)).toMatchObject(isMade);
  });

  test('ignores the terminal’s signal and finishes while the server stops', async () => {
    const pool = new PicturePool();
    const known = workers();
    await pool.run('picture', small);
    const pending = pool.run('logo', large);
    const id = newWorker(known);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(id, signal);
    expect(await pending).toMatchObject({ kind: 'logo' });
    expect(workers()).toContain(id);
  });

  test('does not keep an idle server alive, and ends with it', async () => {
    const program = `
      import { PicturePool } from '${join(import.meta.dirname, 'pool.ts')}';
      import { readFileSync } from 'node:fs';
      const outcome = await new PicturePool().run('picture', '${small}');
      const [id] = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').split(' ');
      console.log(outcome.kind, id);`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const [kind, id] = line.toString().trim().split(' ');
    expect([kind, (await once(server, 'exit'))[0]]).toEqual(['picture', 0]);
    await expect.poll(() => existsSync(`/proc/${id}`)).toBe(false);
  });

  test('that does not start is an internal error, not an invalid picture', async () => {
    const pool = new PicturePool({ ...defaultImageLimits, memory: -600_000_000 });
    await expect(pool.run('picture', small)).rejects.toThrow('could not be started');
  });

  test('has no secrets of the server, low priority and a memory limit', async () => {
    vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_not_for_decoders');
    const known = workers();
    await new PicturePool().run('picture', small);
    const id = newWorker(known);
    const { environment, niceness, maxDataBytes } = processFacts(id);
    expect(environment.filter((one) => /^(STRIPE_|DATABASE_|PATH=)/.test(one))).toEqual([]);
    expect(environment).toContain('MALLOC_ARENA_MAX=2');
    expect(niceness).toBe(5);
    expect(maxDataBytes).toBeLessThan(1_500_000_000);
  });
});
