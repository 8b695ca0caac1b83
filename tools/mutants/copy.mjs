// Faults are planted in a copy: whoever works in the tree meanwhile sees none of them, and an interrupted run leaves none behind.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { copyInto } from '../tree-copy.mjs';

const longest = 180_000;

/** A copy of the tree below the temporary folder, with the packages of the original. */
export function copyTree(root, env) {
  const dir = mkdtempSync(join(tmpdir(), 'handwise-mutants-'));
  copyInto(dir, root);
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
