// Faults are planted in a copy: whoever works in the tree meanwhile sees none of them, and an interrupted run leaves none behind.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyInto } from '../tree-copy.mjs';

/**
 * A copy of the tree below the temporary folder, with the packages of the original and a tester that stays (`tester.mjs`).
 * `templates` makes the migrated database that tests copy, where the tree has one.
 */
export function copyTree(root, env, templates) {
  const dir = mkdtempSync(join(tmpdir(), 'handwise-mutants-'));
  copyInto(dir, root);
  let tester;
  let untouched;

  /** Runs test files until the first failure: `{ isGreen, failed, total, by, output }`, `by` being the title that went red. */
  async function runTests(tests, { limit, changed, template }) {
    tester ??= startTester(dir, env);
    const current = tester;
    const result = await current.run({ tests: tests.map((test) => join(dir, test)), changed, template }, limit);
    // What did not come to its end is not asked again.
    if (!result.isOver) {
      current.end();
      tester = undefined;
    }
    return result;
  }

  /** The database of the tree without a fault: made before the first one is planted. */
  const prepared = async () => templates && (untouched ??= await templates.make(dir));

  return {
    runTests: async (tests, limit) => runTests(tests, { limit, template: (await prepared())?.name }),
    /** Runs test files with a fault planted, and takes it out again. */
    async tryFault({ file, find, replace, tests }, limit) {
      const usual = await prepared();
      const path = join(dir, file);
      const right = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        right.replace(find, () => replace),
      );
      let own;
      try {
        if (usual?.isMadeFrom(file)) own = await templates.make(dir);
        return await runTests(tests, { limit, changed: path, template: (own ?? usual)?.name });
      } catch (error) {
        return { isGreen: false, failed: 0, total: 0, output: error.message };
      } finally {
        writeFileSync(path, right);
        await own?.drop();
      }
    },
    remove() {
      tester?.end();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function startTester(dir, env) {
  // Its own process group: what a broken server left running ends with it.
  const child = fork(join(import.meta.dirname, 'tester.mjs'), { cwd: dir, env, detached: true, silent: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output = (output + chunk).slice(-4_000)));
  return {
    run(order, limit) {
      output = '';
      return new Promise((done) => {
        const settle = (result) => {
          clearTimeout(timer);
          child.removeAllListeners();
          done(result);
        };
        const timer = setTimeout(() => settle({ isOver: false, isLate: true }), limit);
        child.once('message', (result) => settle({ isOver: true, ...result, output: result.output || output }));
        child.once('exit', () => settle({ isOver: false, isGreen: false, failed: 0, total: 0, output }));
        child.send(order, () => {
          // One that is gone has ended: that is heard.
        });
      });
    },
    end() {
      try {
        process.kill(-Number(child.pid), 'SIGKILL');
      } catch {
        // Nobody of the group is left.
      }
    },
  };
}
