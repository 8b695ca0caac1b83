import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, withOwnNode } from './install.mjs';

const installed = () =>
  [
    process.env.CHROMIUM_PATH,
    // The headless shell saves a quarter of the journeys' CPU time.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
  ].find((path) => path && existsSync(path));

const attempt = (command, args, env = process.env) =>
  spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;

function asRoot(...command) {
  const [first, ...rest] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...command];
  return attempt(first, rest, { ...process.env, DEBIAN_FRONTEND: 'noninteractive' });
}
const addPackages = (...names) => asRoot('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names);

/** Installs WebKit and Firefox for the journeys that walk in other engines. Without them, those journeys are skipped and say so. */
export function installEngines() {
  const commands = { '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver', '/usr/bin/Xvfb': 'xvfb', '/usr/bin/firefox-esr': 'firefox-esr' };
  const missing = Object.entries(commands).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return;
  console.log(`Installing ${missing.join(', ')} from the system’s packages (once) …`);
  const isDone = existsSync('/usr/bin/apt-get') && asRoot('apt-get', 'update', '-qq') && addPackages(...missing);
  if (!isDone) console.log(`Not installed: ${missing.join(', ')}. Journeys in WebKit or Firefox will be skipped.`);
}

/**
 * The browser for journeys: an installed one, else the system's package, else Playwright's download.
 * Returns its path, or an empty string for Playwright's own. Throws if there is none.
 */
export function findChromium() {
  const found = installed();
  if (found) return found;
  if (existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium from the system’s packages (once) …');
    const isInstalled = asRoot('apt-get', 'update', '-qq') && ['chromium-headless-shell', 'chromium'].some((name) => addPackages(name));
    const path = installed();
    if (isInstalled && path) return path;
  }
  console.log('Downloading Playwright’s Chromium (once) …');
  if (attempt(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), 'install', '--only-shell', 'chromium'], withOwnNode()))
    return '';
  throw new Error('The journeys need Chromium. Install it (apt-get install chromium-headless-shell), or set CHROMIUM_PATH to one.');
}
