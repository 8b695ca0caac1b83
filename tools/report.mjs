// Counts from the journeys' report, and the last lines of a run.
import { stripVTControlCharacters } from 'node:util';

const flakyAllowed = 2;

/** Journeys that passed only when retried are flaky; a few are tolerated, more count as failed. */
export function countOfJourneys({ stats, errors, suites }) {
  const flaky = titles(suites, 'flaky').map(({ title, results }) => failure(title, results[0].error?.message));
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
export function failure(title, message = '', count = linesOfReason) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [title, ...lines.slice(0, count).map((line) => `  ${line.trim().slice(0, 200)}`)];
}

/** The last lines of a run. The very last one has the counts in a machine-readable form. */
export function lastLines(counts) {
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  const flaky = counts.flatMap((count) => count.flaky);
  const failures = counts.flatMap((count) => count.failures ?? []);
  const verdict = flaky.length > flakyAllowed ? `more than ${flakyAllowed} are too many` : `up to ${flakyAllowed} are tolerated`;
  return [
    ...(failures.length > 0 ? ['Failed:', ...failures.flat().map((line) => `  ${line}`)] : []),
    ...(flaky.length > 0
      ? [`${flaky.length} flaky, passed only when retried (${verdict}):`, ...flaky.flat().map((line) => `  ${line}`)]
      : []),
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
