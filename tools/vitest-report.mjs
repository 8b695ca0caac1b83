// Counts the tests of a run and lists what failed, also errors outside of any test, which Vitest's JSON report leaves out.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './install.mjs';
import { failure } from './report.mjs';

/**
 * A reporter of Vitest. It writes `{ passed, failed, flaky, failures }` to the file named by `TEST_REPORT`.
 * @public Vitest loads it.
 */
export default class Report {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failures = [
      ...tests.filter((test) => test.result().state === 'failed').map(failureOfTest),
      ...modules.flatMap(failuresOfFile),
      ...unhandledErrors.map((error) => failure(`outside of any test: ${error.name ?? 'Error'}`, error.stack ?? error.message)),
    ];
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    writeFileSync(process.env.TEST_REPORT, JSON.stringify({ passed, failed: failures.length, flaky: [], failures }));
  }
}

const nameOf = (module) => relative(root, module.moduleId);

const failureOfTest = (test) => failure(`${nameOf(test.module)} › ${test.fullName}`, test.result().errors?.[0]?.message);

/** What failed around a file's tests, such as an import or a hook, and files that didn't end. */
function failuresOfFile(module) {
  const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
  if (errors.length > 0) return errors.map((error) => failure(nameOf(module), error.message));
  return ['failed', 'passed', 'skipped'].includes(module.state()) ? [] : [failure(nameOf(module), 'did not end')];
}
