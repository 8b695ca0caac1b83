import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bufferOutput, countOfJourneys, countOfTests, lastLines } from './report.mjs';
import { root } from './install.mjs';

/** A Playwright report with this many flaky journeys. */
const report = (flaky, { expected = 10, unexpected = 0, errors = [] } = {}) => ({
  stats: { expected, unexpected, flaky, skipped: 0 },
  errors,
  suites: [
    {
      specs: [{ title: 'passes', tests: [{ projectName: 'desk', status: 'expected' }] }],
      suites: [
        {
          specs: Array.from({ length: flaky }, (_, n) => ({
            title: `wavers ${n + 1}`,
            tests: [{ projectName: 'phone', status: 'flaky' }],
          })),
        },
      ],
    },
  ],
});
const checks = { passed: 3, failed: 0, flaky: [] };

test('names and counts a journey that passed only when retried as flaky', () => {
  const journeys = countOfJourneys(report(2));
  expect(journeys).toEqual({ passed: 12, failed: 0, flaky: ['wavers 1 (phone)', 'wavers 2 (phone)'], failures: [] });
  expect(lastLines([checks, journeys])).toEqual([
    '2 flaky, passed only when retried (up to 2 are tolerated):',
    '  wavers 1 (phone)',
    '  wavers 2 (phone)',
    '15 passed, 0 failed',
  ]);
});

test('counts more than two flaky journeys as failed', () => {
  const journeys = countOfJourneys(report(3));
  expect(journeys).toMatchObject({ passed: 10, failed: 3 });
  expect(lastLines([checks, journeys]).at(-1)).toBe('13 passed, 3 failed');
  expect(lastLines([checks, journeys])[0]).toBe('3 flaky, passed only when retried (more than 2 are too many):');
});

test('prints only the counts of passed and failed in the last line', () => {
  expect(lastLines([checks, countOfJourneys(report(0, { unexpected: 2 }))])).toEqual(['13 passed, 2 failed']);
  expect(countOfTests({ numPassedTests: 5, numFailedTests: 1, success: false })).toMatchObject({ passed: 5, failed: 1, flaky: [] });
});

test('counts a failed run without a failed test as one failure', () => {
  expect(countOfTests({ numPassedTests: 5, numFailedTests: 0, success: false })).toMatchObject({ passed: 5, failed: 1, flaky: [] });
});

test('names failures of every runner at the end, with the first lines of their messages', () => {
  const tests = countOfTests({
    numPassedTests: 5,
    numFailedTests: 1,
    success: false,
    testResults: [
      {
        name: join(root, 'server/src/held.test.ts'),
        status: 'passed',
        message: '',
        assertionResults: [{ fullName: 'holds', status: 'passed' }],
      },
      {
        name: join(root, 'server/src/red.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'holds', status: 'passed', failureMessages: [] },
          {
            fullName: 'counts › once',
            status: 'failed',
            failureMessages: ['Error: \u001b[31mexpected 1\u001b[39m\n\n  to be 2\n3\n4\n5\n6\n7'],
          },
        ],
      },
      { name: join(root, 'server/src/unread.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
    ],
  });
  const unexpected = {
    title: 'falls',
    tests: [{ projectName: 'desk', status: 'unexpected', results: [{ error: { message: 'not seen' } }] }],
  };
  const journeys = countOfJourneys({
    ...report(0, { unexpected: 1, errors: [{ message: 'no browser' }] }),
    suites: [{ suites: [{ specs: [unexpected] }] }],
  });
  expect(lastLines([{ ...checks, failed: 1, failures: [['format']] }, tests, journeys])).toEqual([
    'Failed:',
    '  format',
    '  server/src/red.test.ts › counts › once',
    '    Error: expected 1',
    '    to be 2',
    '    3',
    '    4',
    '    5',
    '    6',
    '  server/src/unread.test.ts',
    '    no such module',
    '  falls (desk)',
    '    not seen',
    '  the journeys',
    '    no browser',
    '18 passed, 4 failed',
  ]);
});

test('shows buffered output in one piece, and later output at once', () => {
  const shown = [];
  const { write, show } = bufferOutput({ write: (chunk) => shown.push(chunk) });
  write('a');
  write('b');
  expect(shown).toEqual([]);
  show();
  expect(shown).toEqual(['a', 'b']);
  write('c');
  expect(shown).toEqual(['a', 'b', 'c']);
  show();
  expect(shown).toEqual(['a', 'b', 'c']);
});
