import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { StartupError } from '@handwise/server/startup-error';
import { getCluster, hasCluster, getPasswordFile } from './postgres-cluster.ts';
import { type Postgres, freePort, startPostgres, usePostgres } from './postgres.ts';

// If this process is root, PostgreSQL must still be able to enter the folder.
const root = mkdtempSync(join(tmpdir(), 'handwise-clusters-'));
const running = new Set<Postgres>();
afterAll(async () => {
  for (const postgres of running) await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});
const settings = { shared_buffers: '16MB', max_connections: '10', fsync: 'off' };

async function start(dataDir: string, options: Partial<Parameters<typeof startPostgres>[0]> = {}) {
  const postgres = await startPostgres({ dataDir, settings, ...options });
  running.add(postgres);
  return postgres;
}
async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows.map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}
async function stop(postgres: Postgres) {
  await postgres.stop();
  running.delete(postgres);
}
/** Starts a folder's database and expects the data written first. */
async function expectData(dataDir: string) {
  const postgres = await start(dataDir);
  expect(await query(postgres.url, 'select word from words')).toEqual(['written first']);
  await stop(postgres);
}
async function newDataDir(name: string) {
  const dataDir = join(root, name);
  const postgres = await start(dataDir);
  await query(postgres.url, `create table words as select 'written first' as word`);
  await stop(postgres);
  return dataDir;
}
const faultOf = (dataDir: string) =>
  start(dataDir).then(
    () => 'started',
    (error: unknown) => (error instanceof StartupError ? error.message : error),
  );

const dataDir = await newDataDir('site');
const aside = join(root, 'aside');
const cluster = join(dataDir, 'postgres');
const version = join(cluster, 'PG_VERSION');
const password = getPasswordFile(dataDir);

/** Damages of a file, each with its repair. */
const damages = {
  removed: (file: string) => renameSync(file, aside),
  renamed: (file: string) => renameSync(file, `${file}.old`),
  emptied: (file: string) => {
    cpSync(file, aside, { preserveTimestamps: true });
    truncateSync(file);
  },
  'cut off': (file: string) => {
    cpSync(file, aside);
    truncateSync(file, Math.floor(readFileSync(file).length / 2));
  },
  overwritten: (file: string) => {
    cpSync(file, aside);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0, 0, 64));
  },
  // A file that no user can read, not even root.
  unreadable: (file: string) => {
    renameSync(file, aside);
    mkdirSync(file);
  },
};
function undo(file: string) {
  rmSync(file, { recursive: true, force: true });
  renameSync(existsSync(aside) ? aside : `${file}.old`, file);
}

test.each(['removed', 'renamed', 'emptied', 'cut off'] as const)(
  'a start sets a new password and finds the data when the password was %s',
  async (damage) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    damages[damage](password);
    await expectData(dataDir);
    expect(warned.mock.calls).toEqual([[`${password} was missing or wrong: the database has a new password.`]]);
    warned.mockRestore();
    for (const path of [aside, `${password}.old`]) rmSync(path, { force: true });
    await expectData(dataDir);
  },
);

const findFolderError =
  /^The database is missing: \S+\/postgres is not there or empty, though \S+\/postgres-password is there\. Nothing was changed\./;
const changed = { file: version, message: /PG_VERSION (is missing|is damaged|cannot be read)\b.*Nothing was changed\. Put it back/ };
const control = {
  file: join(cluster, 'global/pg_control'),
  message:
    /^\S+\/postgres\/global\/pg_control (is missing|is damaged|cannot be read)\b.* Nothing was changed\. Put it back as it was, or .*npm run restore/,
};
test.each([
  ['the password', 'unreadable', { file: password, message: /postgres-password cannot be written \(\w+\)\. Move away what is there/ }],
  ['the cluster', 'removed', { file: cluster, message: findFolderError }],
  ['the cluster', 'renamed', { file: cluster, message: findFolderError }],
  ['the cluster', 'unreadable', { file: cluster, message: findFolderError }],
  ['PG_VERSION', 'removed', changed],
  ['PG_VERSION', 'renamed', changed],
  ['PG_VERSION', 'emptied', changed],
  ['PG_VERSION', 'unreadable', changed],
  ['pg_control', 'removed', control],
  ['pg_control', 'emptied', control],
  ['pg_control', 'overwritten', control],
  ['pg_control', 'unreadable', control],
] as const)(
  'a start refuses and changes nothing when %s was %s, and finds the data when it is back',
  async (_, damage, { file, message }) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    damages[damage](file);
    const before = readdirSync(dataDir);
    expect(await faultOf(dataDir)).toMatch(message);
    expect(readdirSync(dataDir)).toEqual(before);
    undo(file);
    await expectData(dataDir);
    vi.restoreAllMocks();
  },
);

const standIns = JSON.stringify({ stripe: `http://127.0.0.1:${await freePort()}` });
const stage = () =>
  spawn(process.execPath, [join(import.meta.dirname, 'stage.ts')], {
    env: { PATH: process.env['PATH'], TMPDIR: tmpdir(), DATA_DIR: dataDir, DEMO_DATA: '0', STAND_INS: standIns },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

test('a start leaves the database of a running one alone if start.pid is missing or damaged', async () => {
  const child = stage();
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output).toContain('The stand-ins are there.');
  const file = join(dataDir, 'start.pid');
  for (const damage of ['emptied', 'removed', 'unreadable'] as const) {
    damages[damage](file);
    expect(await faultOf(dataDir)).toBe(
      `DATA_DIR is ${dataDir}, which a running start uses (process ${child.pid}). Stop it first, or set another.`,
    );
    undo(file);
  }
  expect(await query((await usePostgres(dataDir)).url, 'select word from words')).toEqual(['written first']);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(output).not.toContain('unexpectedly');
});

test('a start rejects a cluster of another major version in one sentence and exits with 1', async () => {
  const written = readFileSync(version, 'utf8');
  writeFileSync(version, '17\n');
  const child = stage();
  const output = text(child.stderr);
  const [code] = (await once(child, 'exit')) as [number];
  expect([code, (await output).trimEnd().split('\n')]).toEqual([
    1,
    [
      'Not started:',
      expect.stringMatching(/^ {2}\S+ was created by PostgreSQL 17, but this version of Handwise runs PostgreSQL 18\. .*pg_dump/),
    ],
  ]);
  writeFileSync(version, written);
  await expectData(dataDir);
});

test('finds the same database in a data folder that root has moved or copied, and in no other folder', async () => {
  const moved = join(root, 'moved');
  renameSync(dataDir, moved);
  await expectData(moved);
  const copy = join(root, 'copy');
  cpSync(moved, copy, { recursive: true });
  renameSync(moved, dataDir);
  await expectData(copy);
  await expectData(dataDir);
  expect([hasCluster(moved), hasCluster(join(root, 'nowhere')), existsSync(join(root, 'nowhere'))]).toEqual([false, false, false]);
});

test('a start ends the server that a killed start left behind, also if its folder was moved', async () => {
  const left = await start(dataDir);
  const moved = join(root, 'moved-while-running');
  renameSync(dataDir, moved);
  expect(await query((await usePostgres(moved)).url, 'select word from words')).toEqual(['written first']);
  await expectData(moved);
  await expect(query(left.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  renameSync(moved, dataDir);
  // The process id of a server that is gone now belongs to another program.
  writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n1\n${new URL(left.url).port}\n\n127.0.0.1\n`);
  await expectData(dataDir);
});

test('finds a cluster that an earlier version stored elsewhere, and notices its loss', async () => {
  const earlier = await newDataDir('earlier');
  const elsewhere = join(root, 'elsewhere');
  const note = join(earlier, 'postgres-lies-in');
  renameSync(join(earlier, 'postgres'), elsewhere);
  writeFileSync(note, `${elsewhere}\n`);
  expect(getCluster(earlier)).toBe(elsewhere);
  await expectData(earlier);
  rmSync(getPasswordFile(earlier));
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await expectData(earlier);
  vi.restoreAllMocks();
  for (const damage of ['removed', 'renamed', 'emptied', 'cut off', 'unreadable'] as const) {
    damages[damage](note);
    expect(await faultOf(earlier)).toMatch(/^The database is missing/);
    undo(note);
    await expectData(earlier);
  }
});

test('an interrupted first start leaves no incomplete cluster', async () => {
  const first = join(root, 'first');
  mkdirSync(join(first, 'postgres-new/base'), { recursive: true });
  writeFileSync(join(first, 'postgres-new/PG_VERSION'), '18\n');
  const postgres = await start(first);
  expect(await query(postgres.url, 'select 1')).toEqual([1]);
  await stop(postgres);
  expect(readdirSync(first).toSorted()).toEqual(['postgres', 'postgres-password']);
});

test('restarts a killed server and reports each crash once, until it is stopped', async () => {
  const lines: string[] = [];
  const postgres = await start(dataDir, { onCrash: (line) => lines.push(line) });
  for (let kills = 1; kills <= 2; kills += 1) {
    await query(postgres.url, `insert into words values ('${kills}')`);
    process.kill(Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    await expect.poll(() => query(postgres.url, 'select count(*)::int from words').catch(() => [])).toEqual([kills + 1]);
    expect(lines).toEqual(Array.from({ length: kills }, () => 'The database ended unexpectedly (SIGKILL) and is restarted.'));
  }
  await stop(postgres);
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
  expect(lines).toHaveLength(2);
});
