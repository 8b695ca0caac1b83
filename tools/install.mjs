// Runs on the machine's own Node (20 or later) before anything is installed: plain JavaScript, no dependencies.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules/.installed');

export const hashOfFiles = (paths) => {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
};

/** Every file below a folder, sorted. */
export function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

const running = new Set();
let stopping = false;

/**
 * Starts a command with its output shown; `ended` resolves to its exit code. A signal to this process is passed on to every
 * started command; it waits for them, because they close databases, and exits with a failure.
 */
function startCommand(command, args, options = {}, codeWhenStopped = () => 130) {
  stopTogether();
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  running.add(child);
  const ended = new Promise((done) => {
    const end = (code) => {
      running.delete(child);
      if (stopping && running.size === 0) process.exit(codeWhenStopped(code));
      if (!stopping) done(code);
    };
    child.once('exit', end);
    child.once('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      end(1);
    });
  });
  return { child, ended };
}

let isWatching = false;
function stopTogether() {
  if (isWatching) return;
  isWatching = true;
  const stop = (signal) => {
    stopping = true;
    for (const child of running) child.kill(signal);
    if (running.size === 0) process.exit(130);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => stop(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  // A stopped npm ends its shell but not this process, which then has another parent.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && !stopping && stop('SIGTERM'), 250).unref();
}

/** Runs a command to its end. Exits with the same code if it fails or both are stopped. */
export async function run(command, args, options) {
  const code = await startCommand(command, args, options, (code) => code ?? 0).ended;
  if (code !== 0) process.exit(code ?? 1);
}

/** Installs the packages of package-lock.json unless they are up to date. */
export async function install() {
  const lock = hashOfFiles([join(root, 'package-lock.json')]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing packages (about a minute) …');
  // Hides warnings about the machine's Node, because the product brings its own.
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--include=dev'];
  await run('npm', ['ci', ...flags], { env: { ...process.env, NODE_ENV: '' } });
  writeFileSync(stamp, lock);
}

export const nodePath = join(root, 'node_modules/node/bin/node');

/** The environment of commands that need the product's own Node. */
export const withOwnNode = (extra = {}) => ({
  ...process.env,
  ...extra,
  PATH: `${dirname(nodePath)}:${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
});

/**
 * The memory settings of servers and workers. Responses are short-lived: a nursery of this size frees most of them before they count as old. The heap is
 * swept when it is 60 % larger than what lived in it, not four times as large; 10 % and `--optimize-for-size` cost a server under load a quarter of its
 * time. There is no limit, so that large work such as closing a draw cannot reach one. Outside of the heap, the threads that compress and scale share one
 * allocator arena, because each arena keeps its peak; large blocks are mapped separately and returned when freed.
 */
const memory = JSON.parse(readFileSync(join(root, 'tools/memory.json'), 'utf8'));

export const serverFlags = memory.flags;
export const memoryEnvironment = memory.environment;

// The environment may override these.
const overriddenMemory = () =>
  Object.fromEntries(Object.keys(memoryEnvironment).flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

const ownNode = ({ env, ...options } = {}) => ({ env: withOwnNode({ ...memoryEnvironment, ...overriddenMemory(), ...env }), ...options });

/** Runs a script on the product's own Node. */
export const runNode = (args, options) => run(nodePath, args, ownNode(options));

/** Like `runNode`, but in the background: see `startCommand`. */
export const startNode = (args, options) => startCommand(nodePath, args, ownNode(options));
