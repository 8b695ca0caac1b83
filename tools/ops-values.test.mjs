import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { liveCommentSeconds } from '@handwise/contract/live-events';
import { root } from './install.mjs';

// What the values in ops/ promise an operator; ops.test.mjs checks that the parts fit together.

const read = (path) => readFileSync(join(root, 'ops', path), 'utf8');
const withoutComments = (text) => text.replaceAll(/^\s*#.*\n/gm, '');
const valuesOf = (text, name) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
const { services, volumes, 'x-health': health } = parse(read('compose.yaml'), { merge: true });
const apps = ['server1', 'server2', 'worker'];

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'handwise-ops-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const { rules } = parse(read('alerts.yml')).groups[0];
const seconds = (text = '0s') => Number.parseInt(text, 10) * { s: 1, m: 60, h: 3600 }[text.at(-1)];
const compare = { '>': (a, b) => a > b, '<': (a, b) => a < b, '==': (a, b) => a === b };

/** Whether a rule of the form `sum(…) > 5` fires at a value. */
function firesAt(name, value) {
  const [, , sign, limit] = /^(.*) (>|<|==) ([\d.]+)$/.exec(rules.find(({ alert }) => alert === name).expr);
  return compare[sign](value, Number(limit));
}

// Values as the metrics have them: seconds, bytes, numbers.
test.each([
  ['HandwiseDatabaseAway', { quiet: 1, loud: 0 }],
  ['HandwiseSlow', { quiet: 1, loud: 5 }],
  ['HandwiseWaitsForConnections', { quiet: 0, loud: 1 }],
  ['HandwiseConnectionsFreeze', { quiet: 1, loud: 10 }],
  ['HandwiseJobsWait', { quiet: 5 * 60, loud: 30 * 60 }],
  ['HandwiseMailsWait', { quiet: 10 * 60, loud: 2 * 3600 }],
  ['HandwisePaymentsUnchecked', { quiet: 5 * 60, loud: 30 * 60 }],
  ['HandwiseLoopBlocked', { quiet: 0.05, loud: 1 }],
  // Its limit in compose is the other end.
  ['HandwiseMemory', { quiet: 600e6, loud: Number.parseInt(services.server1.mem_limit, 10) * 2 ** 20 }],
  // The log is shipped within 30 seconds.
  ['HandwiseBackupBehind', { quiet: 60, loud: 10 * 60 }],
])('%s is quiet while all is well, and fires when it is not', (name, { quiet, loud }) => {
  expect([firesAt(name, quiet), firesAt(name, loud)]).toEqual([false, true]);
});

test('alerts page within a quarter of an hour, but for the one whose values anybody can send', () => {
  const slow = rules.filter((rule) => rule.labels.severity !== 'page' || seconds(rule.for) > 15 * 60);
  expect(slow.map(({ alert }) => alert)).toEqual(['HandwisePagesSlow']);
  const exprOf = (name) => rules.find(({ alert }) => alert === name).expr;
  // A process that is down has the value 0, and one that was never there has none.
  expect(exprOf('HandwiseServersGone')).toBe('absent(up{job="handwise-server"} == 1)');
  expect(exprOf('HandwiseWorkersGone')).toBe('absent(up{job="handwise-worker"} == 1)');
  // A share of all answers, of server errors only.
  expect(exprOf('HandwiseErrors')).toMatch(/^sum\(rate\((\w+)\{status="5xx"\}\[5m\]\)\) > 0\.0\d \* sum\(rate\(\1\[5m\]\)\)$/);
  expect(exprOf('HandwiseJobsFailed')).toMatch(/^max\((\w+)\) > max\(\1 offset 1h\)$/);
});

test('compose starts nothing before the database is healthy, and waits for its first migration and last checkpoint', () => {
  for (const name of [...apps, 'backup'])
    expect([name, services[name].depends_on.database]).toEqual([name, { condition: 'service_healthy' }]);
  expect(seconds(health.start_period)).toBeGreaterThanOrEqual(600);
  expect(seconds(services.database.stop_grace_period)).toBeGreaterThanOrEqual(60);
  for (const name of apps)
    expect([name, services[name].environment.NODE_ENV, services[name].env_file]).toEqual([name, 'production', '.env']);
});

test('compose gives secrets only to the servers and workers, passwords have no default, and one database is meant throughout', () => {
  for (const [name, service] of Object.entries(services))
    expect([name, service.env_file]).toEqual([name, apps.includes(name) ? '.env' : undefined]);
  expect(
    read('compose.yaml')
      .match(/\$\{POSTGRES_PASSWORD[^}]*\}/g)
      .filter((value) => !value.includes(':?')),
  ).toEqual([]);
  const { POSTGRES_USER: user, POSTGRES_DB: name } = services.database.environment;
  for (const app of apps)
    expect(services[app].environment.DATABASE_URL).toMatch(new RegExp(`^postgres://${user}:.*@database:5432/${name}$`));
  const { PGBACKREST_PG1_USER, PGBACKREST_PG1_DATABASE } = services.backup.environment;
  expect([PGBACKREST_PG1_USER, PGBACKREST_PG1_DATABASE]).toEqual([user, name]);
  const check = services.database.healthcheck.test.join(' ');
  expect(check).toMatch(new RegExp(`^CMD pg_isready .*-h 127\\.0\\.0\\.1 .*-U ${user} -d ${name}$`));
  // Damage on the disk is noticed.
  expect(services.database.environment.POSTGRES_INITDB_ARGS).toContain('--data-checksums');
});

test('what compose must not lose is in a named volume: certificates, files, database and backups', () => {
  const mounts = (name) =>
    Object.fromEntries(
      services[name].volumes.map((one) =>
        one
          .split(/:(?=\/)/)
          .slice(0, 2)
          .toReversed(),
      ),
    );
  for (const app of apps)
    expect([app, mounts(app)['/data'], services[app].volumes.includes('stamps:/data/stamps:ro')]).toEqual([app, 'files', true]);
  expect([mounts('proxy')['/data'], mounts('database')['/var/lib/postgresql']]).toEqual(['proxy', 'database']);
  // A tmpfs or a volume without a name would be gone with its container.
  expect(Object.values(volumes).filter((one) => one !== null)).toEqual([]);
  const { PGBACKREST_REPO1_PATH: repository, PGBACKREST_REPO1_TYPE: type } = services.backup.environment;
  expect([mounts('backup')[repository], type]).toEqual(['${BACKUP_FOLDER:-backup}', '${BACKUP_TYPE:-posix}']);
  for (const name of ['backup', 'restore-test']) expect([name, mounts(name)['/stamps']]).toEqual([name, 'stamps']);
  expect(services.proxy.volumes.find((one) => one.includes('Caddyfile'))).toBe('./Caddyfile:/etc/caddy/Caddyfile:ro');
});

test('the proxy of compose takes HTTP, HTTPS and HTTP/3, and the memory of the database fits into its limit', () => {
  expect(services.proxy.ports).toEqual(['80:80', '443:443', '443:443/udp']);
  const [, buffers] = /shared_buffers=(\d+)MB/.exec(services.database.command.join(' '));
  const bytes = (text) => Number.parseInt(text, 10) * { m: 1, g: 1024 }[text.at(-1)];
  expect(Number(buffers)).toBeLessThanOrEqual(bytes(services.database.mem_limit) / 3);
  expect(bytes(services.database.shm_size)).toBeGreaterThanOrEqual(128);
});

test('the backup is healthy for a day and a little after one, and not before or later', () => {
  const folder = makeFolder();
  const [kind, command] = services.backup.healthcheck.test;
  expect(kind).toBe('CMD-SHELL');
  const isHealthy = () => spawnSync('sh', ['-c', command.replaceAll('/stamps', folder)]).status === 0;
  const stamp = join(folder, 'backed-up');
  expect(isHealthy()).toBe(false);
  writeFileSync(stamp, '');
  for (const [hours, healthy] of [
    [0, true],
    [25, true],
    [30, false],
  ]) {
    const at = Date.now() / 1000 - hours * 3600;
    utimesSync(stamp, at, at);
    expect([hours, isHealthy()]).toEqual([hours, healthy]);
  }
});

const conf = Object.fromEntries(
  [...read('pgbackrest/pgbackrest.conf').matchAll(/^([\w-]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
);

test('two full backups are kept, so that a week back can be reached, in compose and with a PostgreSQL of your own', () => {
  const { PGBACKREST_REPO1_RETENTION_FULL: full, PGBACKREST_STANZA: stanza, PGBACKREST_START_FAST: fast } = services.backup.environment;
  expect(Number(full)).toBeGreaterThanOrEqual(2);
  expect(Number(conf['repo1-retention-full'])).toBeGreaterThanOrEqual(2);
  expect([conf['start-fast'], fast]).toEqual(['y', 'y']);
  expect(read('pgbackrest/pgbackrest.conf')).toContain(`[${stanza}]`);
  // While the repository is away, the log waits for hours, not for minutes.
  expect(conf['archive-push-queue-max']).toMatch(/^\d{2,}GiB$/);
  const patroni = parse(read('patroni/patroni.yml'));
  expect([conf['pg1-path'], conf['pg1-port']]).toEqual([patroni.postgresql.data_dir, patroni.postgresql.listen.split(':')[1]]);
});

test('every timer of systemd is installed, catches up after a machine was off, and starts a unit that is here', () => {
  for (const name of ['handwise-backup@full', 'handwise-backup@diff', 'handwise-restore-test']) {
    const timer = read(`systemd/${name}.timer`);
    expect([name, valuesOf(timer, 'Persistent'), valuesOf(timer, 'WantedBy')]).toEqual([name, ['true'], ['timers.target']]);
    // Without Unit= it starts the service of its own name, or of its template.
    expect(valuesOf(timer, 'Unit')).toEqual([]);
    expect(existsSync(join(root, 'ops/systemd', `${name.replace(/@.*/, '@')}.service`))).toBe(true);
  }
  // Each month, an hour after the backup.
  expect(valuesOf(read('systemd/handwise-restore-test.timer'), 'OnCalendar')[0]).toMatch(/^\*-\*-(0[1-9]|1\d|2[0-8]) 15:00 UTC$/);
  for (const name of ['server', 'worker']) {
    const unit = read(`systemd/handwise-${name}.service`);
    expect([name, valuesOf(unit, 'WantedBy'), valuesOf(unit, 'Restart')]).toEqual([name, ['multi-user.target'], ['always']]);
    // Only the user of the site reads what it stores, and its settings are not in the unit, which everybody may read.
    expect([valuesOf(unit, 'StateDirectoryMode'), valuesOf(unit, 'UMask')]).toEqual([['0700'], ['0077']]);
    expect([valuesOf(unit, 'EnvironmentFile'), unit.includes('Environment=NODE_ENV=production')]).toEqual([
      ['/etc/handwise/handwise.env'],
      true,
    ]);
  }
});

test('systemd notes a backup and a tried restore only when they worked, in a file that the doctor may read', () => {
  for (const name of ['backup@', 'restore-test']) {
    const unit = read(`systemd/handwise-${name}.service`);
    // Of another type, what comes after would not wait for the end.
    expect([name, valuesOf(unit, 'Type'), valuesOf(unit, 'User')]).toEqual([name, ['oneshot'], ['postgres']]);
    // As root, and not after a failure, which "-" would ignore.
    expect(valuesOf(unit, 'ExecStart')[0]).toMatch(/^\//);
    expect(valuesOf(unit, 'ExecStartPost')[0]).toMatch(/^\+\//);
  }
  const folder = makeFolder();
  const [, line] = /^\+\/bin\/sh -c '(.*)'$/.exec(valuesOf(read('systemd/handwise-backup@.service'), 'ExecStartPost')[0]);
  execFileSync('sh', ['-c', line.replaceAll('%%', '%').replaceAll('/var/lib/handwise', folder)]);
  expect(Math.abs(Date.parse(readFileSync(join(folder, 'backed-up'), 'utf8').trim()) - Date.now())).toBeLessThan(60_000);
  expect(statSync(join(folder, 'backed-up')).mode & 0o777).toBe(0o644);
  const restore = read('systemd/handwise-restore-test.service');
  expect(valuesOf(restore, 'Environment').join(' ')).toContain('STAMPS=/tmp');
  expect(valuesOf(restore, 'ExecStartPost')[0]).toMatch(/^\+\/usr\/bin\/install -m 644 \/tmp\/restore-tested /);
});

/** Runs the test of the last backup with stand-ins for its programs, one of which may fail. */
function runRestoreTest(failing) {
  const folder = makeFolder();
  const put = (name, line) => writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const log = join(folder, 'log');
  const endOf = (name) => (name === failing ? 'exit 1' : 'exit 0');
  put('pgbackrest', `echo pgbackrest "$@" to "$PGBACKREST_PG1_PATH" >> ${log}; ${endOf('pgbackrest')}`);
  put('pg_ctl', `echo pg_ctl "$@" >> ${log}; case "$*" in *stop*) exit 0;; esac; ${endOf('pg_ctl')}`);
  put('psql', `case "$*" in *count*) ${failing === 'psql' ? 'exit 1' : 'echo 12'};; *) echo 2026-11-29;; esac`);
  put('sleep', 'exit 0');
  const env = { PATH: `${folder}:${process.env.PATH}`, STAMPS: folder, RESTORED: join(folder, 'restored'), TMPDIR: folder };
  const { status, stdout } = spawnSync('sh', [join(root, 'ops/database/restore-test')], { env, encoding: 'utf8' });
  return {
    works: status === 0,
    says: stdout.trim(),
    isNoted: existsSync(join(folder, 'restore-tested')),
    isLeft: existsSync(join(folder, 'restored/data')),
    done: readFileSync(log, 'utf8').replaceAll(folder, '').split('\n'),
  };
}

test('a backup counts as tested only when it was restored, started and read, and the copy is deleted either way', () => {
  const tested = runRestoreTest();
  expect(tested).toMatchObject({ works: true, isNoted: true, isLeft: false });
  expect(tested.says).toBe('The last backup works: it has 12 accounts, the latest of 2026-11-29.');
  for (const program of ['pgbackrest', 'pg_ctl', 'psql'])
    expect([program, runRestoreTest(program)]).toMatchObject([program, { works: false, isNoted: false, isLeft: false, says: '' }]);
});

test('the restored copy is one of its own: beside the database, deaf to the network, and it writes no log to the backup', () => {
  const [restored, started] = runRestoreTest().done;
  expect(restored).toMatch(/--archive-mode=off restore to \/restored\/data$/);
  expect(started).toContain('-D /restored/data ');
  for (const setting of ["listen_addresses='' ", 'archive_mode=off ', 'unix_socket_directories='])
    expect(started).toContain(`-c ${setting}`);
});

/** The lines of each location of nginx. */
const locations = [...read('nginx.conf').matchAll(/^ {4}location (.+?) \{\n([\s\S]*?)^ {4}\}/gm)].map(([, name, lines]) => [
  name,
  withoutComments(lines),
]);

test('no proxy sends a write again that a server may have done', () => {
  const settings = withoutComments(read('nginx.conf')).match(/proxy_next_upstream .*;/g);
  expect(settings.length).toBeGreaterThan(2);
  // A refusal by 503 has done nothing; an error or a missing answer may have.
  expect(settings.filter((one) => one.includes('non_idempotent'))).toEqual(['proxy_next_upstream http_503 non_idempotent;']);
  const caddy = withoutComments(read('Caddyfile'));
  expect(caddy).not.toMatch(/lb_retry_match|lb_retries/);
  expect(caddy.slice(caddy.indexOf('handle_errors'))).toMatch(/@reads method GET HEAD\n\s+handle @reads \{\n\s+reverse_proxy \{/);
  const haproxy = withoutComments(read('haproxy.cfg'))
    .split(/^(?=backend )/m)
    .slice(1);
  expect(haproxy).toHaveLength(2);
  for (const backend of haproxy) expect(backend).toContain('http-request disable-l7-retry unless { method GET HEAD OPTIONS }\n');
});

test('nginx caches pages only, by host and address, and not for who has just written', () => {
  expect(locations.length).toBeGreaterThan(5);
  const [, cookie] = /writeCookie = '(\w+)=/.exec(readFileSync(join(root, 'server/src/kit/cache/write-cookie.ts'), 'utf8'));
  const cached = locations.filter(([, lines]) => lines.includes('proxy_cache '));
  expect(cached.map(([name]) => name)).toEqual(['/']);
  const [[, lines]] = cached;
  expect(lines).toMatch(/proxy_cache_key \$scheme\$http_host\$request_uri;/);
  expect(lines).toContain(`proxy_cache_bypass $cookie_${cookie};`);
  for (const name of ['/api/', '/files/', '= /api/events']) expect(locations.map(([one]) => one)).toContain(name);
});

test('proxies encrypt everything, with no TLS before 1.2, and wait longer for events than the server is silent', () => {
  const nginx = withoutComments(read('nginx.conf'));
  expect(nginx).toMatch(/listen 80;[^}]*return 308 https:\/\/\$host\$request_uri;/);
  expect(nginx.match(/ssl_protocols .*;/g)).toEqual(['ssl_protocols TLSv1.2 TLSv1.3;']);
  const haproxy = withoutComments(read('haproxy.cfg'));
  expect(haproxy).toMatch(/bind :80\n\s+http-request redirect scheme https code 308\n/);
  expect(haproxy).toContain('ssl-min-ver TLSv1.2');
  const [, events] = locations.find(([name]) => name === '= /api/events');
  const waits = [/proxy_read_timeout (\d+)s;/.exec(events)[1], /timeout server (\d+)s/.exec(haproxy)[1]].map(Number);
  for (const wait of waits) expect(wait).toBeGreaterThan(2 * liveCommentSeconds);
  // An upload or a search is not cut off either.
  expect(Number(/^ {4}proxy_read_timeout (\d+)s;/m.exec(nginx)[1])).toBeGreaterThanOrEqual(30);
});

test('a server that is ill gets no requests, and without any the site still says what is wrong', () => {
  const caddy = withoutComments(read('Caddyfile'));
  expect(caddy).toMatch(/health_uri \/api\/health\n/);
  const haproxy = withoutComments(read('haproxy.cfg'));
  const [healthy, any] = haproxy.split(/^(?=backend )/m).slice(1);
  expect(healthy).toContain('option httpchk GET /api/health\n');
  expect(healthy).toMatch(/^ +server one 127\.0\.0\.1:3000 check$/m);
  expect(any).toMatch(/^ +server one 127\.0\.0\.1:3000$/m);
  expect(haproxy).toContain('use_backend any_server if { nbsrv(healthy_servers) eq 0 }\n    default_backend healthy_servers\n');
  // nginx asks no server how it is, so none may be left out for an answer that each would give.
  const [, servers] = /upstream handwise \{([^}]*)\}/.exec(withoutComments(read('nginx.conf')));
  expect(servers.match(/server .*;/g)).toEqual(['server 127.0.0.1:3000 max_fails=0;']);
});
