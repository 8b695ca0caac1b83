// What the runners' reports count, and the words in which a run ends.

const flakyAllowed = 2;

export const countOfTests = ({ numPassedTests, numFailedTests, success }) => ({
  passed: numPassedTests,
  failed: numFailedTests + (success || numFailedTests > 0 ? 0 : 1),
  flaky: [],
});

/** Journeys that passed only when they were tried again are flaky: a few of them are borne, more have failed. */
export function countOfJourneys({ stats, errors, suites }) {
  const flaky = flakyTitles(suites);
  const isBorne = flaky.length <= flakyAllowed;
  return {
    passed: stats.expected + (isBorne ? flaky.length : 0),
    failed: stats.unexpected + errors.length + (isBorne ? 0 : flaky.length),
    flaky,
  };
}

function flakyTitles(suites) {
  return (suites ?? []).flatMap((suite) => [
    ...(suite.specs ?? []).flatMap(({ title, tests }) =>
      tests.filter(({ status }) => status === 'flaky').map(({ projectName }) => `${title} (${projectName})`),
    ),
    ...flakyTitles(suite.suites),
  ]);
}

/** The lines with which a run ends. The last one counts all, in a form that machines read. */
export function lastLines(counts) {
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  const flaky = counts.flatMap((count) => count.flaky);
  const verdict = flaky.length > flakyAllowed ? `more than ${flakyAllowed} are too many` : `up to ${flakyAllowed} are borne`;
  return [
    ...(flaky.length > 0
      ? [`${flaky.length} flaky, passed only when tried again (${verdict}):`, ...flaky.map((title) => `  ${title}`)]
      : []),
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ];
}
