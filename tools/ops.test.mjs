import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { contractCalls } from '@handwise/sandbox/testing/calls';
import { settingNames } from '@handwise/server/env';
import { made, questions } from '../commands/setup.mjs';
import { memoryEnvironment, root, serverFlags } from './install.mjs';

const read = (path) => readFileSync(join(root, 'ops', path), 'utf8');
const valuesOf = (text, name) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

const memorySettings = Object.entries(memoryEnvironment).map(([name, value]) => `${name}=${value}`);

test.each([
  ['server', 'server/src/main.ts'],
  ['worker', 'server/src/work.ts'],
])('the unit of a %s starts the program directly, without privileges and with enough time to stop', (name, program) => {
  const unit = read(`systemd/handwise-${name}.service`);
  expect(valuesOf(unit, 'ExecStart')).toEqual([['/opt/handwise/node_modules/node/bin/node', ...serverFlags, program].join(' ')]);
  expect(existsSync(join(root, program))).toBe(true);
  expect(Number(valuesOf(unit, 'TimeoutStopSec')[0])).toBeGreaterThan(9);
  expect(valuesOf(unit, 'KillMode')).toEqual(['mixed']);
  expect(valuesOf(unit, 'User')).toEqual(['handwise']);
  for (const [setting, value] of Object.entries({
    NoNewPrivileges: 'yes',
    ProtectSystem: 'strict',
    CapabilityBoundingSet: '',
    ProtectHome: 'yes',
  }))
    expect([setting, valuesOf(unit, setting)]).toEqual([setting, [value]]);
  const environment = valuesOf(unit, 'Environment').flatMap((line) => line.split(' '));
  expect(environment).toEqual(expect.arrayContaining(memorySettings));
  // The only writable folder is the configured one.
  const [folder] = valuesOf(unit, 'StateDirectory');
  expect(valuesOf(unit, 'Environment')).toContain(`DATA_DIR=/var/lib/${folder}`);
});

test('the image starts the server directly, not as root, with one writable folder', () => {
  const image = read('Containerfile')
    .split(/^FROM /m)
    .at(-1);
  const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(image)[1]);
  expect(entry.slice(1)).toEqual(serverFlags);
  expect(/^ENV (.*)$/m.exec(image)[1].split(' ')).toEqual(expect.arrayContaining(memorySettings));
  expect(JSON.parse(/^CMD (.*)$/m.exec(image)[1])).toEqual(['server/src/main.ts']);
  expect(/^USER (.*)$/m.exec(image)[1]).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  const [, dataDir] = /^ENV .*DATA_DIR=(\S+)/m.exec(image);
  expect(image).toContain(`VOLUME ${dataDir}\n`);
});

/** Optional packages, such as each system's binaries, that the lock file lacks. */
function missingOptionals(packages) {
  const isLocked = (folder, name) => {
    for (let from = folder; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
      if (packages[`${from && `${from}/`}node_modules/${name}`]) return true;
      if (!from) return false;
    }
  };
  return Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(folder, name))
      .map((name) => `${folder}: ${name}`),
  );
}

test('package-lock.json has an entry for each optional dependency', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  expect(missingOptionals(packages)).toEqual([]);
  const fewer = { ...packages };
  delete fewer['node_modules/@oxlint/binding-darwin-arm64'];
  expect(missingOptionals(fewer)).toEqual(['node_modules/oxlint: @oxlint/binding-darwin-arm64']);
});

test('the image contains neither npm nor test dependencies', () => {
  const stages = read('Containerfile')
    .split(/^FROM /m)
    .slice(1);
  expect(stages.map((stage) => stage.split('\n')[0])).toEqual([
    '${BUILDER} AS packages',
    'packages AS production',
    'packages AS build',
    '${RUNTIME}',
  ]);
  const [packages, production, build, image] = stages;
  const steps = ['rm -rf node_modules', 'npm pkg delete devDependencies', 'npm install --workspace server --workspace web --omit=dev'];
  expect(steps.map((step) => production.indexOf(step)).toSorted((a, b) => a - b)).toEqual(steps.map((step) => production.indexOf(step)));
  expect(production.indexOf(steps[0])).toBeGreaterThan(0);
  const [, removed = ''] = /^RUN rm -rf (.*)$/m.exec(build) ?? [];
  expect(removed.split(' ')).toEqual(expect.arrayContaining(['node_modules', '*/node_modules', 'bench', 'demo', 'e2e', 'sandbox']));
  // Without a part's package file, its packages would be missing.
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const part of workspaces) expect(packages).toContain(`COPY ${part}/package.json ${part}/\n`);
  // The package files without devDependencies replace those of the checkout.
  expect(image.match(/^COPY --from=.*$/gm)).toEqual([
    'COPY --from=production /opt/node /usr/local/bin/handwise-node',
    'COPY --from=build /opt/handwise /opt/handwise',
    'COPY --from=production /opt/handwise /opt/handwise',
  ]);
});

test('the proxies forward host and client address, hide the metrics, and do not buffer events', () => {
  const nginx = read('nginx.conf');
  for (const line of ['Host $http_host', 'X-Forwarded-For $remote_addr', 'X-Forwarded-Proto $scheme', 'X-Forwarded-Host ""'])
    expect(nginx).toContain(`proxy_set_header ${line};`);
  expect(nginx).toMatch(/location = \/metrics \{\s+return 404;/);
  // The log has no queries, which may contain the token of an emailed link.
  expect(nginx.match(/server_name[^}]*?access_log \S+ handwise;/g)).toHaveLength(2);
  expect(nginx.match(/^log_format handwise .*$/m)?.[0]).not.toMatch(/\$(args|query_string|request_uri|request)\b/);
  expect(nginx).toMatch(/location = \/api\/events \{[^}]*proxy_buffering off;/);
  const caddy = read('Caddyfile');
  for (const line of [
    'respond /metrics 404',
    'header_up X-Forwarded-For {remote_host}',
    'header_up -X-Forwarded-Host',
    'flush_interval -1',
  ])
    expect(caddy).toContain(line);
  const haproxy = read('haproxy.cfg');
  for (const line of [
    'return status 404 if { path /metrics }',
    'set-header X-Forwarded-For %[src]',
    'set-header X-Forwarded-Proto https',
    'del-header X-Forwarded-Host',
  ])
    expect(haproxy).toContain(`    http-request ${line}\n`);
  // Its path has no query either.
  expect(haproxy).toMatch(/^ {4}log-format "%ci \[%tr\] \\"%HM %HPO %HV\\" /m);
});

test('no proxy names the port of a worker as that of a second server', () => {
  for (const name of ['nginx.conf', 'Caddyfile', 'haproxy.cfg'])
    expect([name, read(name)]).toEqual([name, expect.not.stringContaining('127.0.0.1:3001')]);
});

test('the proxies buffer every body but those of forms with files, and only those may be large', async () => {
  const nginx = read('nginx.conf');
  const [, pattern = '', settings = ''] = /location ~ (\^\/api\/\S+) \{([^}]*)\}/.exec(nginx) ?? [];
  expect(settings).toContain('proxy_request_buffering off;');
  expect(nginx.match(/proxy_request_buffering/g)).toHaveLength(1);
  const streams = ({ url }) => new RegExp(pattern).test(`/api${url.replaceAll(/:\w+/g, '0b9e')}`);
  const calls = (await contractCalls()).filter(({ method }) => method !== 'GET');
  const urlsOf = (some) => [...new Set(some.map(({ url }) => url))];
  const forms = calls.filter(({ form }) => form);
  expect(forms.length).toBeGreaterThan(5);
  const sizes = forms.map(({ files }) => Object.values(files).reduce((sum, one) => sum + one.maxFiles * one.maxBytes, 1024 * 1024));
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(settings) ?? [];
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThanOrEqual(Math.max(...sizes));
  const others = calls.filter(({ url }) => !forms.some((form) => form.url === url));
  // A URL of a form may also take JSON.
  expect({ forms: urlsOf(forms.filter((one) => !streams(one))), others: urlsOf(others.filter(streams)) }).toEqual({
    forms: [],
    others: [],
  });
  const caddy = read('Caddyfile');
  expect(caddy).toMatch(
    /@uploads header Content-Type multipart\/\*\n\treverse_proxy @uploads \{\n\t\timport servers\n\t\timport health\n\t\}/,
  );
  expect(caddy).toMatch(/\treverse_proxy \{\n\t\timport servers\n\t\timport health\n\t\trequest_buffers 256KiB\n\t\}/);
});

const compose = parse(read('compose.yaml'), { merge: true });
const services = Object.entries(compose.services);
const apps = services.filter(([, { image }]) => image.includes('HANDWISE_IMAGE'));
const image = read('Containerfile')
  .split(/^FROM /m)
  .at(-1);

test('compose has proxy, two servers, a worker, database and backups, each limited, with a health check and a read-only root', () => {
  expect(services.map(([name]) => name).toSorted()).toEqual([
    'backup',
    'database',
    'proxy',
    'restore-test',
    'server1',
    'server2',
    'worker',
  ]);
  for (const [name, service] of services) {
    const { read_only, cap_drop, security_opt, pids_limit, mem_limit, cpus, healthcheck, restart, privileged, ports } = service;
    expect([name, read_only, cap_drop, security_opt, privileged]).toEqual([name, true, ['ALL'], ['no-new-privileges:true'], undefined]);
    expect([name, pids_limit > 0, /^\d+[mg]$/.test(mem_limit), cpus > 0]).toEqual([name, true, true, true]);
    expect([name, Boolean(ports)]).toEqual([name, name === 'proxy']);
    if (service.profiles) continue;
    expect([name, restart, Array.isArray(healthcheck.test), healthcheck.interval]).toEqual([name, 'unless-stopped', true, '5s']);
  }
});

test('compose starts what the image has, as its user, on its ports and with its folder', () => {
  expect(apps.map(([name]) => name)).toEqual(['server1', 'server2', 'worker']);
  const [node] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(image)[1]);
  const exposed = /^EXPOSE (.*)$/m.exec(image)[1].split(' ').map(Number);
  const [, dataDir] = /^VOLUME (.*)$/m.exec(image);
  for (const [name, { command, environment, healthcheck, user, volumes, stop_grace_period }] of apps) {
    // The user of the image is not root; another one could not write the volume.
    expect([name, user, command]).toEqual([name, undefined, name === 'worker' ? ['server/src/work.ts'] : undefined]);
    expect(volumes[0]).toBe(`files:${dataDir}`);
    expect(environment.DATA_DIR).toBe(dataDir);
    expect([environment.PORT, environment.WORK_PORT]).toEqual(exposed);
    const port = name === 'worker' ? environment.WORK_PORT : environment.PORT;
    expect(healthcheck.test.slice(0, 2)).toEqual(['CMD', node]);
    expect(healthcheck.test.at(-1)).toContain(`http://127.0.0.1:${port}/api/health`);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(9);
    expect(environment.TRUST_PROXY).toBe(compose.networks.default.ipam.config[0].subnet);
  }
  expect(compose.services.proxy.environment.SERVERS).toBe('server1:3000 server2:3000');
  const caddy = read('Caddyfile');
  for (const name of Object.keys(compose.services.proxy.environment)) expect(caddy).toContain(`{$${name}:`);
  // The second server is replaced when the first one works again.
  expect(compose.services.server2.depends_on.server1.condition).toBe('service_healthy');
});

test('compose names only variables that the product or setup knows', () => {
  for (const [name, { environment }] of apps)
    expect([name, Object.keys(environment).filter((variable) => !settingNames.includes(variable))]).toEqual([name, []]);
  const known = new Set([...questions.map(({ name }) => name.split('.')[0]), ...Object.keys(made)]);
  const required = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect(required.filter((name) => !known.has(name))).toEqual([]);
  const optional = [...read('compose.yaml').matchAll(/\$\{(\w+):-/g)].map(([, name]) => name);
  const rest = [...new Set(optional)].filter((name) => !known.has(name));
  expect(rest).toEqual(['HANDWISE_IMAGE']);
  // Whatever setup asks for is read by the product or by compose.
  const text = read('compose.yaml');
  expect([...known].filter((name) => !settingNames.includes(name) && !text.includes(`\${${name}:`))).toEqual([]);
});

test('the database keeps its data where its image does, archives its log, and may be backed up beside it', () => {
  const [, version] = /^FROM docker\.io\/library\/postgres:(\d+)/m.exec(read('database/Containerfile'));
  const { database, backup, 'restore-test': restoring } = compose.services;
  expect(database.environment.PGBACKREST_PG1_PATH).toBe(`/var/lib/postgresql/${version}/docker`);
  for (const service of [database, backup]) expect(service.volumes).toContain('database:/var/lib/postgresql');
  // A test must not reach the database, nor write to its backup.
  expect(restoring.volumes.filter((volume) => /^database|socket|\/backup$/.test(volume))).toEqual([]);
  // It tries the backup that is made, in the operator's own folder too.
  const repository = backup.volumes.find((volume) => volume.endsWith(':/backup'));
  expect(repository).toContain('${BACKUP_FOLDER:-backup}');
  expect([database.volumes.includes(repository), restoring.volumes.includes(`${repository}:ro`)]).toEqual([true, true]);
  expect(database.command.filter((_part, index) => index % 2 === 0).slice(1)).toEqual(
    expect.arrayContaining(['archive_mode=on', 'archive_command=pgbackrest archive-push %p', 'archive_timeout=30']),
  );
  for (const service of [backup, restoring]) expect(existsSync(join(root, 'ops/database', service.command[0]))).toBe(true);
  const own = Object.entries(backup.environment);
  expect(Object.entries(database.environment)).toEqual(expect.arrayContaining(own));
  for (const script of ['backup-loop', 'restore-test']) execFileSync('sh', ['-n', join(root, 'ops/database', script)]);
  // The stamps are where the doctor looks for them.
  expect(compose.services.worker.volumes).toContain('stamps:/data/stamps:ro');
});

/** Runs the loop at a moment until it waits: what it asked of pgBackRest, how long it waits, and whether it noted a backup. */
function runBackupLoop(now, works = true) {
  const folder = mkdtempSync(join(tmpdir(), 'handwise-backup-loop-'));
  const put = (name, line) => writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  put('date', `exec /bin/date -d '${now}' "$@"`);
  put('pgbackrest', `echo "$@"; [ "$1" = stanza-create ] || ${works}`);
  put('sleep', 'echo "$1"; kill "$PPID"');
  try {
    const env = { PATH: `${folder}:${process.env.PATH}`, STAMPS: folder };
    const stdio = ['ignore', 'pipe', 'ignore'];
    const output = execFileSync('sh', [join(root, 'ops/database/backup-loop')], { env, stdio, encoding: 'utf8' });
    return [...output.trim().split('\n').slice(1), existsSync(join(folder, 'backed-up'))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the database of compose is backed up at 14:00 UTC, fully on Sundays, and again in ten minutes if that failed', () => {
  expect(runBackupLoop('2026-11-29 14:00:05Z')).toEqual(['--type=full backup', '86395', true]);
  expect(runBackupLoop('2026-11-30 13:00:00Z')).toEqual(['--type=diff backup', '3600', true]);
  expect(runBackupLoop('2026-12-05 14:00:00Z')).toEqual(['--type=diff backup', '86400', true]);
  expect(runBackupLoop('2026-11-29 14:00:05Z', false)).toEqual(['--type=full backup', '600', false]);
});

test('every named volume of compose is declared', () => {
  const named = services
    .flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]))
    .filter((name) => /^[a-z]+$/.test(name));
  expect(new Set([...named, 'backup'])).toEqual(new Set(Object.keys(compose.volumes)));
});

test('settings and their keys never get into the image, whichever engine builds it', () => {
  // Docker reads this file only; Podman reads it where there is no .containerignore, whose patterns would count instead.
  expect(existsSync(join(root, '.containerignore'))).toBe(false);
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  // Without the two stars, a pattern is for the top folder alone.
  expect(ignored).toEqual(expect.arrayContaining(['**/.env', '**/*.env', '.data']));
  expect(ignored.filter((line) => line.startsWith('!'))).toEqual([]);
});

test('timers back up by pgBackRest each night and try a restore each month, and leave their times where the doctor reads them', () => {
  const full = valuesOf(read('systemd/handwise-backup@full.timer'), 'OnCalendar');
  const diff = valuesOf(read('systemd/handwise-backup@diff.timer'), 'OnCalendar');
  expect([full, diff]).toEqual([['Sun 14:00 UTC'], ['Mon..Sat 14:00 UTC']]);
  const stanzas = read('pgbackrest/pgbackrest.conf').match(/^\[(?!global)\w+\]$/gm);
  const backup = read('systemd/handwise-backup@.service');
  expect([stanzas, valuesOf(backup, 'ExecStart')]).toEqual([['[site]'], ['/usr/bin/pgbackrest --stanza=site --type=%i backup']]);
  const [, dataDir] = /^Environment=DATA_DIR=(.*)$/m.exec(read('systemd/handwise-server.service'));
  expect(valuesOf(backup, 'ExecStartPost')[0]).toContain(`> ${dataDir}/backed-up `);
  const restore = read('systemd/handwise-restore-test.service');
  expect(valuesOf(restore, 'ExecStartPost')[0]).toMatch(new RegExp(` ${dataDir}/restore-tested$`));
  const script = read('database/restore-test');
  const line = valuesOf(restore, 'Environment').find((value) => value.startsWith('RESTORE_USER='));
  for (const setting of line.split(' ')) expect(script).toContain(`\${${setting.split('=')[0]}:-`);
  expect(valuesOf(read('systemd/handwise-restore-test.timer'), 'OnCalendar')).toHaveLength(1);
});

test('Patroni promotes only a standby that has every acknowledged write, in time for its settings to agree', () => {
  const patroni = parse(read('patroni/patroni.yml'));
  const { ttl, loop_wait, retry_timeout, synchronous_mode, primary_start_timeout, postgresql } = patroni.bootstrap.dcs;
  expect(ttl).toBeGreaterThanOrEqual(loop_wait + 2 * retry_timeout);
  expect([synchronous_mode, primary_start_timeout, postgresql.use_pg_rewind]).toEqual([true, 0, true]);
  expect(patroni.watchdog.mode).toBe('automatic');
  const haproxy = read('patroni/haproxy.cfg');
  expect(haproxy).toContain('httpchk GET /primary');
  expect(haproxy).toContain('on-marked-down shutdown-sessions');
  // It checks each node's Patroni, of the same addresses and port as there.
  const port = patroni.restapi.listen.split(':')[1];
  const addresses = [...haproxy.matchAll(/^ +server \w+ ([\d.]+):5432 check port (\d+)$/gm)].map(([, address, checked]) => [
    address,
    checked,
  ]);
  expect(addresses).toEqual(patroni.etcd3.hosts.split(',').map((host) => [host.split(':')[0], port]));
});
