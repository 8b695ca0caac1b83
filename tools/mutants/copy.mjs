// Faults are planted in a copy: whoever works in the tree meanwhile sees none of them, and an interrupted run leaves none behind.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const leftOut = new Set(['node_modules', '.git', '.data', 'build', '.react-router', 'test-results', 'playwright-report']);
const longest = 180_000;

/** A copy of the tree below the temporary folder, with the packages of the original. */
export function copyTree(root, env) {
  const dir = mkdtempSync(join(tmpdir(), 'handwise-mutants-'));
  cpSync(root, dir, { recursive: true, verbatimSymlinks: true, filter: (path) => !leftOut.has(basename(path)) });
  linkPackages(root, dir);
  const running = new Set();

  /** Runs test files until the first failure: `{ failed, total, by, output }`, `by` being the title that went red. */
  function runTests(tests) {
    const report = join(dir, 'report.json');
    rmSync(report, { force: true });
    const flags = ['--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`];
    // Its own process group: what a broken server left running ends with it.
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...flags, ...tests], {
      cwd: dir,
      env,
      detached: true,
    });
    running.add(child);
    return new Promise((done) => {
      let output = '';
      let isLate = false;
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output = (output + chunk).slice(-4_000)));
      const timer = setTimeout(() => {
        isLate = true;
        endGroup(child);
      }, longest);
      child.once('exit', (code) => {
        clearTimeout(timer);
        running.delete(child);
        endGroup(child);
        done({ code, isLate, output, ...readReport(report) });
      });
    });
  }

  return {
    runTests,
    /** Runs test files with a fault planted, and takes it out again. */
    async tryFault({ file, find, replace, tests }) {
      const path = join(dir, file);
      const right = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        right.replace(find, () => replace),
      );
      try {
        return await runTests(tests);
      } finally {
        writeFileSync(path, right);
      }
    },
    remove() {
      for (const child of running) endGroup(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Links each package, and the workspaces among them to the copy's own. */
function linkPackages(root, dir) {
  const own = join(root, 'node_modules/@handwise');
  const parts = existsSync(own) ? readdirSync(own) : [];
  for (const folder of ['', ...parts]) {
    const from = join(root, folder, 'node_modules');
    if (!existsSync(from)) continue;
    const into = join(dir, folder, 'node_modules');
    mkdirSync(into);
    // What is kept between runs would be shared with the original.
    for (const name of readdirSync(from).filter((name) => name !== '@handwise' && (name === '.bin' || !name.startsWith('.')))) {
      symlinkSync(join(from, name), join(into, name));
    }
  }
  if (parts.length > 0) mkdirSync(join(dir, 'node_modules/@handwise'));
  for (const part of parts) symlinkSync(join(dir, part), join(dir, 'node_modules/@handwise', part));
}

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}

function readReport(path) {
  if (!existsSync(path)) return { failed: 0, total: 0 };
  const { numFailedTests, numTotalTests, testResults } = JSON.parse(readFileSync(path, 'utf8'));
  const red = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => `${basename(name)}: ${title}`),
  );
  return { failed: numFailedTests, total: numTotalTests, by: red[0] };
}
