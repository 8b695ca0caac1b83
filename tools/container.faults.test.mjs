// The image of ops/Containerfile, built and run by Podman as operators do. No registry of images is asked: Debian's packages make the base, and the
// builder has this machine's npm. Podman's storage in the user's cache folder keeps base, packages and image, so that an unchanged image is not
// built again.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '../sandbox/src/postgres.ts';
import { testApp } from '../sandbox/src/testing/app.ts';
import { hashOfFiles, nodePath, root } from './install.mjs';

const patience = 1_800_000;
const mostBytes = 400_000_000;
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'handwise-images');

function findMissing() {
  if (process.getuid?.() !== 0) return 'Images are built as root here.';
  const missing = ['podman', 'mmdebstrap', 'runc'].filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return missing.length === 0 ? undefined : `${missing.join(', ')} missing: apt-get install podman mmdebstrap runc`;
}
const missing = findMissing();

// Both are needed where crun, or the kernel's own limits, do not work.
const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000'];
const storage = ['--root', join(cache, 'storage'), '--runroot', join(cache, 'run'), '--runtime', 'runc', '--cgroup-manager', 'cgroupfs'];
async function podman(...args) {
  try {
    const { stdout } = await promisify(execFile)('podman', [...storage, ...args], { maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  } catch (error) {
    throw new Error(`podman ${args.join(' ')} failed: ${`${error.stdout}\n${error.stderr}`.slice(-4_000)}`, { cause: error });
  }
}
const exists = (image) =>
  podman('image', 'exists', image).then(
    () => true,
    () => false,
  );

/** As docker.io/library/debian:bookworm-slim, without documentation and translations. */
async function makeBase() {
  const base = 'localhost/handwise-base';
  if (await exists(base)) return base;
  mkdirSync(cache, { recursive: true });
  const file = join(cache, 'base.tar');
  const options = [
    '--variant=apt',
    // Without the program that merges folders and its Perl.
    '--include=usr-is-merged',
    '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr',
    '--dpkgopt=force-unsafe-io',
    '--customize-hook=rm -rf "$1/usr/share/doc" "$1/usr/share/locale" "$1/usr/share/man"',
  ];
  await promisify(execFile)('mmdebstrap', [...options, 'bookworm', file, 'http://deb.debian.org/debian']);
  await podman('import', file, base);
  rmSync(file);
  return base;
}

/** As docker.io/library/node:24-bookworm-slim. */
async function makeBuilder(base) {
  const version = execFileSync(nodePath, ['--version'], { encoding: 'utf8' }).trim();
  const builder = `localhost/handwise-builder:${version}`;
  if (await exists(builder)) return builder;
  const folder = mkdtempSync(join(tmpdir(), 'handwise-builder-'));
  const npm = join(dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())), '..');
  cpSync(nodePath, join(folder, 'node'), { dereference: true });
  cpSync(npm, join(folder, 'npm'), { recursive: true, dereference: true });
  cpSync(certificates, join(folder, 'certificates'), { dereference: true });
  writeFileSync(
    join(folder, 'Containerfile'),
    `FROM ${base}
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY certificates ${certificates}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && chmod +x /usr/local/lib/node_modules/npm/bin/npm-cli.js
ENV NODE_EXTRA_CA_CERTS=${certificates} npm_config_cafile=${certificates}
`,
  );
  await podman('build', '--network', 'host', ...limits, '-t', builder, folder);
  rmSync(folder, { recursive: true });
  return builder;
}

/** What the image is built from. */
function hashOfSources() {
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  const isHeld = (name) =>
    /(^|\/)package(-lock)?\.json$/.test(name) || !/^(bench|demo|docs|e2e|sandbox|\.\w+)\/|^ops\/(?!Containerfile)|\.test\.\w+$/.test(name);
  const held = names.split('\0').filter((name) => name !== '' && isHeld(name));
  return hashOfFiles(held.map((name) => join(root, name))).slice(0, 16);
}

/** The image of the working tree, built unless its sources are those of the last build. */
async function makeImage() {
  const image = `localhost/handwise:${hashOfSources()}`;
  if (await exists(image)) return image;
  const base = await makeBase();
  const sources = [
    '--build-arg',
    `BUILDER=${await makeBuilder(base)}`,
    '--build-arg',
    `RUNTIME=${base}`,
    '-f',
    join(root, 'ops/Containerfile'),
  ];
  const build = (tag, ...more) => podman('build', '--network', 'host', ...limits, ...sources, ...more, '-t', tag, root);
  const startedAt = performance.now();
  // By name, so that they are not deleted with what the last build left.
  for (const target of ['packages', 'production']) await build(`localhost/handwise-${target}`, '--target', target);
  await build(image);
  console.warn(`The image was built in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
  const old = (await podman('images', '--format', '{{.Repository}}:{{.Tag}}', 'localhost/handwise')).split('\n');
  for (const name of old.filter((one) => one !== image && one !== '')) await podman('rmi', name).catch(() => {});
  await podman('image', 'prune', '--force');
  return image;
}

test(
  'the image runs servers and commands as an unprivileged user with a read-only root, and is at most 400 MB',
  async ({ skip, onTestFinished }) => {
    if (missing !== undefined) skip(missing);
    const image = await makeImage();
    const bytes = Number(await podman('image', 'inspect', '--format', '{{.Size}}', image));
    console.warn(`The image has ${Math.round(bytes / 1_000_000)} MB.`);
    expect(bytes).toBeLessThanOrEqual(mostBytes);

    const { given, parts } = await testApp();
    const { email } = await given.confirmed(await given.user());
    const port = await freePort();
    const key = Buffer.alloc(32, 3).toString('base64');
    const environment = {
      SANDBOX: '1',
      DATABASE_URL: parts.databaseUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      APP_URL: `http://127.0.0.1:${port}`,
      STRIPE_SECRET_KEY: 'sk_test_image',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_image',
      STRIPE_WEBHOOK_SECRET: 'whsec_image',
      SMTP_URL: 'smtp://127.0.0.1:1',
      LOG_KEY: key,
      PRIZE_KEYS: JSON.stringify({ first: key }),
      ACCOUNT_KEYS: JSON.stringify({ first: key }),
    };
    // As the first lines of the Containerfile say, on this machine's network, where the database is.
    const options = [
      ...limits,
      ...'--network host --read-only --tmpfs /tmp --cap-drop all --security-opt no-new-privileges'.split(' '),
      ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ];
    const run = (...args) => podman('run', '--rm', ...options, image, ...args);

    const server = await podman('run', '--detach', ...options, image);
    onTestFinished(async () => void (await podman('rm', '--force', '--volumes', server)));
    const health = () =>
      fetch(`${environment.APP_URL}/api/health`).then(
        ({ status }) => status,
        () => 0,
      );
    for (const end = Date.now() + 300_000; (await health()) !== 200; await pause(200)) {
      if ((await podman('inspect', '--format', '{{.State.Running}}', server)) !== 'true') throw new Error(await podman('logs', server));
      if (Date.now() > end) throw new Error('the server in the image was not ready within five minutes');
    }
    const page = await fetch(environment.APP_URL);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('</html>')]);
    const pid = await podman('inspect', '--format', '{{.State.Pid}}', server);
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);

    // Where it can write: its data and /tmp.
    const tryWriting = `for (const folder of ['/data', '/tmp', '/opt/handwise', '/usr/local/bin', '/etc']) {
      try { require('fs').writeFileSync(folder + '/written', ''); console.log(folder); } catch (error) { console.log(error.code); } }`;
    expect((await run('--eval', tryWriting)).split('\n')).toEqual(['/data', '/tmp', 'EROFS', 'EROFS', 'EROFS']);

    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const commands = Object.values(scripts).flatMap((script) => /^node tools\/command\.mjs ([\w-]+)$/.exec(script)?.slice(1) ?? []);
    expect(commands.length).toBeGreaterThan(5);
    const list = `console.log(require('fs').readdirSync('commands').join('\\n'))`;
    expect((await run('--eval', list)).split('\n')).toEqual(expect.arrayContaining(commands.map((name) => `${name}.ts`)));
    expect(await run('commands/audit.ts')).toMatch(/^The ledger balances\./);
    expect(await run('commands/admin-grant.ts', email)).toBe(`${email} is now an administrator.`);
    await expect(run('commands/entry-owner.ts', '00')).rejects.toThrow('There is no entry 00.');
    expect(await run('commands/doctor.ts', '--no-email', 'push keys')).toContain('ok   push keys');
    expect(await run('commands/payments-check.ts', '--events')).toContain('payment_intent.succeeded');

    // Node itself gets the signal, and ends by itself.
    await podman('stop', '--time', '20', server);
    expect(await podman('inspect', '--format', '{{.State.ExitCode}}', server)).toBe('0');
  },
  patience,
);
