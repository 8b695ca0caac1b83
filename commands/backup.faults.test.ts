import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { type Manifest, openFolder } from '@handwise/sandbox/backup/backup-folder';
import { inDatabase } from '@handwise/sandbox/in-database';
import { type Postgres, startPostgres } from '@handwise/sandbox/postgres';

const root = mkdtempSync(join(tmpdir(), 'handwise-commands-'));
// If this process is root, the database runs as another user.
chmodSync(root, 0o755);
const running: Postgres[] = [];
afterAll(async () => {
  for (const postgres of running) await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});

const dataDir = join(root, 'site');
const backup = join(root, 'backup');
const folder = openFolder(backup);
const secrets = { 'account-keys.json': '{"k":"a"}', 'log-key': 'bG9n', 'prize-keys.json': '{"k":"p"}' };
const write = (path: string, content: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};

type Run = { args?: string[]; env?: Record<string, string>; typed?: string };
async function run(script: 'backup.ts' | 'restore.ts', { args = [], env = {}, typed = '' }: Run) {
  // Without the environment of this machine.
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    env: { PATH, HOME, NODE_ENV: 'test', DATA_DIR: dataDir, ...env },
  });
  child.stdin.end(typed);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
const back = (...args: string[]) => run('backup.ts', { args });
const restored = (name: string, more: Run = {}) =>
  run('restore.ts', { ...more, args: [backup, ...(more.args ?? [])], env: { DATA_DIR: join(root, name), ...more.env } });

// One site and its backup for all tests, with keys and a stored file.
const settings = { shared_buffers: '16MB', max_connections: '10', fsync: 'off' };
const postgres = await startPostgres({ dataDir, settings });
running.push(postgres);
await inDatabase(
  postgres.url,
  `create table files (key text, objects text[], state text default 'attached');
  insert into files values ('one', '{pictures/aa/one.webp}')`,
);
write(join(dataDir, 'files/pictures/aa/one.webp'), 'one');
for (const [name, content] of Object.entries(secrets)) write(join(dataDir, name), content);

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
/** Creates a copy of some days ago, with a stored file that no other copy names. */
function copyOf(days: number): string {
  const base = `base-${daysAgo(days).replaceAll(/[-:]|\.\d+/g, '')}`;
  const file = `pictures/old/${days}.webp`;
  const manifest: Manifest = {
    systemIdentifier: '1',
    startedAt: daysAgo(days),
    wholeAt: daysAgo(days),
    firstWal: '000000010000000000000001',
    sha256: {},
  };
  write(join(backup, base, 'manifest.json'), JSON.stringify(manifest));
  write(join(backup, base, 'files.txt'), `${file}\n`);
  write(join(folder.files, file), String(days));
  const longAgo = new Date(daysAgo(100));
  utimesSync(join(folder.files, file), longAgo, longAgo);
  return base;
}
const oldFiles = () => readdirSync(join(folder.files, 'pictures/old')).toSorted();

test('copies nothing, says why and exits with 1 when a backup fails', async () => {
  const usage = /^No backup was made: npm run backup -- <folder> \[--keep <days>\] \[--keys <another folder>\]\n$/;
  const inside = /^No backup was made: --keys must not lie in the backup/;
  const wrong = [
    [{}, usage],
    [{ args: [backup, '--keep', '0'] }, usage],
    [{ args: [backup, '--keep', 'all'] }, usage],
    [{ args: [backup, '--keep', '0.5'] }, usage],
    [{ args: [backup, '--keys', backup] }, inside],
    [{ args: [backup, '--keys', join(backup, 'keys')] }, inside],
    [{ args: [backup], env: { DATABASE_URL: 'postgres://127.0.0.1:1/site' } }, /DATABASE_URL names a database of your own.*pgBackRest/],
    [{ args: [backup], env: { DATA_DIR: join(root, 'nowhere') } }, /there is no database in /],
  ] as const;
  const answers = await Promise.all(wrong.map(([how]) => run('backup.ts', { ...how, args: 'args' in how ? [...how.args] : [] })));
  expect(answers.map(({ code }) => code)).toEqual(wrong.map(() => 1));
  for (const [index, { output }] of answers.entries()) expect(output).toMatch(wrong[index]?.[1] ?? /^$/);
  expect(existsSync(backup)).toBe(false);
});

test('stores the keys in the folder of --keys, readable by their owner only, and lists them without it', async () => {
  const keys = join(root, 'elsewhere/keys');
  const { code, output } = await back(backup, '--keys', keys);
  expect([code, output]).toEqual([0, expect.stringContaining(`The keys are in ${keys}.`)]);
  expect(readdirSync(keys).toSorted()).toEqual(['README', ...Object.keys(secrets)]);
  for (const [name, content] of Object.entries(secrets)) {
    expect(readFileSync(join(keys, name), 'utf8')).toBe(content);
    expect(statSync(join(keys, name)).mode & 0o777).toBe(0o600);
  }
  expect(statSync(keys).mode & 0o777).toBe(0o700);
  const copied = new Set(readdirSync(backup, { recursive: true }).map((path) => String(path).split('/').at(-1)));
  expect(Object.keys(secrets).filter((name) => copied.has(name))).toEqual([]);
});

test('deletes copies older than --keep (two weeks by default), except the one before its first day, and the files that only they name', async () => {
  const [first = ''] = folder.bases();
  const [old40, old20, old10] = [copyOf(40), copyOf(20), copyOf(10)];
  // The running site archives into this folder.
  const without = await run('backup.ts', { env: { BACKUP_DIR: backup } });
  expect([without.code, without.output]).toEqual([0, expect.stringMatching(/not in the backup: keep them elsewhere \(--keys <folder>\)/)]);
  expect(without.output).toMatch(/Deleted what is older than 14 days: 1 copies, \d+ segments, 1 files\./);
  expect([folder.bases().includes(old40), oldFiles()]).toEqual([false, ['10.webp', '20.webp']]);
  const shorter = await back(backup, '--keep', '5');
  expect(shorter.output).toMatch(/Deleted what is older than 5 days: 1 copies, \d+ segments, 1 files\./);
  expect(shorter.output).toMatch(/It does not include what is written from now on\./);
  expect(without.output).not.toMatch(/It does not include what is written from now on\./);
  const left = folder.bases();
  expect([left.includes(old20), left.slice(0, 2), left.length, oldFiles()]).toEqual([false, [old10, first], 4, ['10.webp']]);
});

test('makes the backup without stored files that are missing or unreadable, names all of them and exits with 2', async () => {
  const key = (name: string) => `pictures/lost/${name}.webp`;
  await inDatabase(postgres.url, `insert into files values ('lost', '{${['gone', 'one', 'two'].map(key).join()}}')`);
  write(join(dataDir, 'files', key('one')), 'one');
  // A file that no user can read, not even root.
  symlinkSync('two.webp', join(dataDir, 'files', key('two')));
  const before = folder.bases().length;
  const { code, output } = await back(backup);
  expect(output).toContain(`2 stored files that the database names are not in the backup:\n  ${key('gone')}\n  ${key('two')} (ELOOP)\n`);
  expect([code, folder.bases().length]).toEqual([2, before + 1]);
  const names = readFileSync(join(backup, folder.bases().at(-1) ?? '', 'files.txt'), 'utf8').split('\n');
  expect(names).toEqual(expect.arrayContaining([key('one'), 'pictures/aa/one.webp']));
  expect(readFileSync(join(folder.files, key('one')), 'utf8')).toBe('one');
  await inDatabase(postgres.url, `delete from files where key = 'lost'`);
  rmSync(join(dataDir, 'files/pictures/lost'), { recursive: true });
  expect(await back(backup)).toMatchObject({ code: 0 });
});

test('removes what a killed run left behind, and refuses while another run copies the same database', async () => {
  for (let parts: string[] = []; parts.length === 0; parts = folder.parts()) {
    const killed = spawn(process.execPath, [join(import.meta.dirname, 'backup.ts'), backup], {
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'test', DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    await expect.poll(() => folder.parts().length > 0 || killed.exitCode !== null).toBe(true);
    killed.kill('SIGKILL');
    if (killed.exitCode === null && killed.signalCode === null) await once(killed, 'exit');
  }
  const [part] = folder.parts();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  // The killed run's connection ends as soon as the database notices.
  await expect
    .poll(async () => (await client.query(`select pg_try_advisory_lock(hashtext('handwise backup')) as locked`)).rows)
    .toEqual([{ locked: true }]);
  expect(await back(backup)).toEqual({ code: 1, output: 'No backup was made: another backup of this database is running\n' });
  expect(folder.parts()).toEqual([part]);
  await client.end();
  const { code, output } = await back(backup);
  expect([code, output]).toEqual([0, expect.stringContaining('Done after')]);
  expect(folder.parts()).toEqual([]);
});

test('changes nothing when a restore lacks its confirmation word, a time with its zone or a complete copy', async () => {
  const usage = /^Nothing was restored: npm run restore -- <folder> \[--until/;
  const runs = await Promise.all([
    run('restore.ts', { env: { DATA_DIR: join(root, 'asked') } }),
    restored('asked', { args: ['--until', '2026-11-22T18:30:00'] }),
    restored('asked', { args: ['--until', 'yesterday'] }),
    restored('asked', { args: ['--until', '2000-01-01T00:00:00Z'] }),
    restored('asked', { typed: 'yes\n' }),
    restored('asked', { env: { DATABASE_URL: 'postgres://127.0.0.1:1/site' } }),
    run('restore.ts', { args: [backup, '--yes'] }),
  ]);
  expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 1));
  const reasons = [usage, usage, usage, /can be restored from /, /it was not confirmed/, /pgBackRest/, /must not be there/];
  for (const [index, reason] of reasons.entries()) expect(runs[index]?.output).toMatch(reason);
  const whole = join(backup, folder.bases().at(-1) ?? '', 'postgres/PG_VERSION');
  const version = readFileSync(whole, 'utf8');
  writeFileSync(whole, '17\n');
  const damaged = await restored('asked', { args: ['--yes'] });
  writeFileSync(whole, version);
  expect([damaged.code, damaged.output]).toEqual([1, expect.stringMatching(/the copy is damaged: PG_VERSION was changed/)]);
  expect(existsSync(join(root, 'asked')) ? readdirSync(join(root, 'asked')) : []).toEqual([]);
});

test('restores the site with the confirmation word, and names the keys that are missing in folder and environment', async () => {
  const target = join(root, 'back');
  write(join(target, 'log-key'), secrets['log-key']);
  const { code, output } = await restored('back', {
    typed: 'restore\n',
    env: { PRIZE_KEYS: JSON.stringify({ k2027: Buffer.alloc(32, 7).toString('base64') }) },
  });
  expect([code, output]).toEqual([0, expect.stringMatching(/Restored in [\d.]+ s, with 1 stored files\./)]);
  expect(/put these keys into \S+: (.*)\. Without/.exec(output)?.[1]).toBe('account-keys.json');
  expect(readFileSync(join(target, 'files/pictures/aa/one.webp'), 'utf8')).toBe('one');
  const again = await startPostgres({ dataDir: target, settings });
  running.push(again);
  const client = new pg.Client({ connectionString: again.url });
  await client.connect();
  expect((await client.query('select key from files')).rows).toEqual([{ key: 'one' }]);
  await client.end();
  await again.stop();
});

test('names a missing file, restores the rest and exits with 1', async () => {
  rmSync(join(folder.files, 'pictures/aa/one.webp'));
  const { code, output } = await restored('without', { args: ['--yes'] });
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/1 files that the database names are missing or damaged, such as pictures\/aa\/one\.webp/),
  ]);
  expect(existsSync(join(root, 'without/postgres/PG_VERSION'))).toBe(true);
});
