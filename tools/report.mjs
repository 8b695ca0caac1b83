// Counts from the runners' reports, and the last lines of a run.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './install.mjs';

const flakyAllowed = 2;

export const countOfTests = ({ numPassedTests, numFailedTests, success, testResults = [] }) => ({
  passed: numPassedTests,
  failed: numFailedTests + (success || numFailedTests > 0 ? 0 : 1),
  flaky: [],
  failures: testResults.flatMap(failuresOfFile),
});

/** A file that failed before its tests ran has no failed test, so the file itself is listed. */
function failuresOfFile({ name, status, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [failure(file, message)] : [];
  return failed.map(({ fullName, failureMessages }) => failure(`${file} › ${fullName}`, failureMessages[0]));
}

/** Journeys that passed only when retried are flaky; a few are tolerated, more count as failed. */
export function countOfJourneys({ stats, errors, suites }) {
  const flaky = titles(suites, 'flaky').map(({ title }) => title);
  const isTolerated = flaky.length <= flakyAllowed;
  return {
    passed: stats.expected + (isTolerated ? flaky.length : 0),
    failed: stats.unexpected + errors.length + (isTolerated ? 0 : flaky.length),
    flaky,
    failures: [
      ...titles(suites, 'unexpected').map(({ title, results }) => failure(title, results?.at(-1)?.error?.message)),
      ...errors.map(({ message }) => failure('the journeys', message)),
    ],
  };
}

function titles(suites, wanted) {
  return (suites ?? []).flatMap((suite) => [
    ...(suite.specs ?? []).flatMap(({ title, tests }) =>
      tests.filter(({ status }) => status === wanted).map(({ projectName, results }) => ({ title: `${title} (${projectName})`, results })),
    ),
    ...titles(suite.suites, wanted),
  ]);
}

const linesOfReason = 6;

/** The title with the first lines of the message; the whole message is further up. */
function failure(title, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [title, ...lines.slice(0, linesOfReason).map((line) => `  ${line.trim().slice(0, 200)}`)];
}

/** The last lines of a run. The very last one has the counts in a machine-readable form. */
export function lastLines(counts) {
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  const flaky = counts.flatMap((count) => count.flaky);
  const failures = counts.flatMap((count) => count.failures ?? []);
  const verdict = flaky.length > flakyAllowed ? `more than ${flakyAllowed} are too many` : `up to ${flakyAllowed} are tolerated`;
  return [
    ...(failures.length > 0 ? ['Failed:', ...failures.flat().map((line) => `  ${line}`)] : []),
    ...(flaky.length > 0 ? [`${flaky.length} flaky, passed only when retried (${verdict}):`, ...flaky.map((title) => `  ${title}`)] : []),
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ];
}

/** Buffers output until `show`, after which it is passed on at once. */
export function bufferOutput(stream) {
  const chunks = [];
  let isShown = false;
  return {
    write: (chunk) => void (isShown ? stream.write(chunk) : chunks.push(chunk)),
    show() {
      isShown = true;
      for (const chunk of chunks.splice(0)) stream.write(chunk);
    },
  };
}
