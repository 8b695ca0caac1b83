import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './install.mjs';

/** Runs Vitest on files with these texts and returns its exit code and our report. */
function runTests(files) {
  const folder = mkdtempSync(join(tmpdir(), 'handwise-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const report = join(folder, 'report.json');
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--globals', '--root', folder];
  const { status } = spawnSync(process.execPath, [...args, `--reporter=${join(root, 'tools/vitest-report.mjs')}`], {
    env: { PATH: process.env.PATH, TEST_REPORT: report },
  });
  return { status, ...JSON.parse(readFileSync(report, 'utf8')) };
}

test('an error outside of any test is named and counts as a failure', () => {
  const { status, passed, failed, failures } = runTests({
    'late.test.mjs': `test('ends before the error', () => void setTimeout(() => { throw new TypeError('too late') }, 20));
      test('waits', () => new Promise((done) => setTimeout(done, 200)));`,
  });
  expect(status).toBe(1);
  expect({ passed, failed }).toEqual({ passed: 2, failed: 1 });
  expect(failures[0][0]).toBe('outside of any test: TypeError');
  expect(failures[0].join('\n')).toContain('too late');
  expect(failures[0].join('\n')).toContain('late.test.mjs');
});

test('failed tests, failed hooks and files that cannot be read are named with their reasons', () => {
  const { failed, passed, failures } = runTests({
    'a.test.mjs': `describe('sums', () => { test('add up', () => expect(1 + 1).toBe(3)); test('hold', () => {}); });`,
    'b.test.mjs': `import './missing.mjs'; test('never runs', () => {});`,
    'c.test.mjs': `afterAll(() => { throw new Error('left open') }); test('passes', () => {});`,
  });
  expect({ passed, failed }).toEqual({ passed: 2, failed: 3 });
  const named = failures.map(([title, reason]) => `${title.split('/').at(-1)}: ${reason}`).toSorted();
  expect(named).toEqual([
    expect.stringMatching(/^a\.test\.mjs › sums > add up: .*expected 2 to be 3/),
    expect.stringMatching(/^b\.test\.mjs: .*missing\.mjs/),
    expect.stringMatching(/^c\.test\.mjs: .*left open/),
  ]);
});

test('a green run has no failures', () => {
  expect(runTests({ 'a.test.mjs': `test('passes', () => {}); test.skip('skipped', () => {});` })).toEqual({
    status: 0,
    passed: 1,
    failed: 0,
    flaky: [],
    failures: [],
  });
});
