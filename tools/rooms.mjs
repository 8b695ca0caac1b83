// What the tree promises about its rooms: no folder of the web is a crowd, no file is too long to be read at once, most are short.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';

const most = { files: 30, lines: 300, median: 79 };
const isSource = /\.(tsx?|[cm]?js|css|sql|html)$/;
const isTest = /\.(test|e2e)\.\w+$/;

/** What may be longer, because it is data that is read by a rule and not line by line. An entry that nothing needs is refused. */
export const data = [
  ['contract/src/trades.ts', 'the names of every trade: one table, by category'],
  ['demo/src/words-*.ts', 'sentences that the demo businesses are made of'],
  ['server/src/domains/search/classifier/training-*.ts', 'sentences that the classifier learns from'],
  ['server/src/domains/search/classifier/held-sentences.ts', 'sentences that the classifier is measured by'],
];

/** The files of a tree but for those that its .gitignore names. Git itself is not asked: an unpacked archive has none. */
function filesOf(tree) {
  const ignored = readFileSync(join(tree, '.gitignore'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/\/$/, ''));
  const below = (folder) =>
    readdirSync(join(tree, folder), { withFileTypes: true })
      .filter(({ name }) => name !== '.git' && !ignored.some((pattern) => matchesGlob(name, pattern)))
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? below(path) : [path];
      });
  return below('');
}

/** As `wc -l` counts them, and what stands behind the last end of a line. */
const linesOf = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

function crowds(files) {
  const folders = Map.groupBy(
    files.filter((path) => path.startsWith('web/app/')),
    (path) => dirname(path),
  );
  return [...folders]
    .filter(([, { length }]) => length > most.files)
    .map(([folder, { length }]) => `${folder} holds ${length} files, ${length - most.files} more than a folder of the web may`);
}

function tooLong(sources, exceptions) {
  const long = sources.filter(({ path, lines }) => lines > most.lines && !isTest.test(path));
  const isData = ({ path }) => exceptions.some(([pattern]) => matchesGlob(path, pattern));
  return [
    ...long
      .filter((one) => !isData(one))
      .map(({ path, lines }) => `${path} has ${lines} lines, ${lines - most.lines} more than a file may that is neither a test nor data`),
    ...exceptions
      .filter(([pattern]) => !long.some(({ path }) => matchesGlob(path, pattern)))
      .map(([pattern]) => `tools/rooms.mjs: no file of more than ${most.lines} lines is ${pattern}`),
  ];
}

function tooLongMostly(sources) {
  // Of two in the middle the longer.
  const median = sources.map(({ lines }) => lines).toSorted((one, other) => one - other)[Math.floor(sources.length / 2)] ?? 0;
  if (median <= most.median) return [];
  return [`the median of ${sources.length} source files is ${median} lines, ${median - most.median} more than it may be`];
}

/** What breaks the promise in a tree, a line each. */
export function roomFaults(tree, exceptions = data) {
  const files = filesOf(tree);
  const sources = files
    .filter((path) => isSource.test(path))
    .map((path) => ({ path, lines: linesOf(readFileSync(join(tree, path), 'utf8')) }));
  return [...crowds(files), ...tooLong(sources, exceptions), ...tooLongMostly(sources)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = roomFaults(root);
  for (const line of faults) console.log(line);
  if (faults.length > 0) process.exitCode = 1;
}
