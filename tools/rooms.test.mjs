import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { data, roomFaults } from './rooms.mjs';

/** A tree of files with so many lines each, and what is found in it. */
function faultsOf(files, exceptions = []) {
  const tree = mkdtempSync(join(tmpdir(), 'handwise-rooms-'));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  writeFileSync(join(tree, '.gitignore'), 'build/\n*.generated.ts\n');
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(join(tree, dirname(path)), { recursive: true });
    writeFileSync(join(tree, path), 'x\n'.repeat(lines));
  }
  return roomFaults(tree, exceptions);
}
const folderOf = (folder, count) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/one-${index}.${index % 2 ? 'svg' : 'css'}`, 1]));

test('a folder of the web with a file too many is named, and a file with a line too many', () => {
  expect(
    faultsOf({ ...folderOf('web/app/domains/plans', 30), ...folderOf('web/app/ui', 32), 'server/src/a.ts': 300, 'web/app/b.css': 301 }),
  ).toEqual([
    'web/app/ui holds 32 files, 2 more than a folder of the web may',
    'web/app/b.css has 301 lines, 1 more than a file may that is neither a test nor data',
  ]);
  expect(faultsOf(folderOf('web/app/ui', 31))).toEqual(['web/app/ui holds 31 files, 1 more than a folder of the web may']);
});

test('what lies in the folders below is theirs, and folders elsewhere may hold more', () => {
  expect(faultsOf({ ...folderOf('web/app/ui', 20), ...folderOf('web/app/ui/forms', 20), ...folderOf('contract/src', 40) })).toEqual([]);
});

test.each(['ts', 'tsx', 'mjs', 'cjs', 'js', 'css', 'sql', 'html'])('a long file is found that ends in %s', (end) => {
  expect(faultsOf({ ...folderOf('web', 5), [`tools/long.${end}`]: 400 })).toEqual([
    `tools/long.${end} has 400 lines, 100 more than a file may that is neither a test nor data`,
  ]);
});

test('tests, journeys and what is no source may be longer, and so may what is made and not kept', () => {
  const long = ['a.test.ts', 'b.test.tsx', 'c.e2e.ts', 'd.svg', 'e.json', 'f.tsv', 'g.md', 'h.generated.ts', 'build/i.js'];
  expect(faultsOf({ ...folderOf('web', 12), ...Object.fromEntries(long.map((name) => [`e2e/${name}`, 500])) })).toEqual([]);
});

test('what counts as data may be longer, and an entry that nothing needs is refused', () => {
  const tree = { ...folderOf('web', 12), 'demo/words-a.ts': 400, 'demo/words-b.ts': 20, 'demo/trades.ts': 300 };
  expect(faultsOf(tree, [['demo/words-*.ts', 'words']])).toEqual([]);
  expect(
    faultsOf(tree, [
      ['demo/*.ts', 'all'],
      ['demo/trades.ts', 'trades'],
    ]),
  ).toEqual(['tools/rooms.mjs: no file of more than 300 lines is demo/trades.ts']);
});

test('half of the source files have fewer than 80 lines', () => {
  expect(faultsOf({ 'a.ts': 1, 'b.ts': 79, 'c.ts': 200 })).toEqual([]);
  expect(faultsOf({ 'a.ts': 1, 'b.ts': 85, 'c.ts': 200 })).toEqual(['the median of 3 source files is 85 lines, 6 more than it may be']);
});

test('each kind of data says why it is data', () => {
  for (const [pattern, why] of data) expect([pattern, why.length > 10]).toEqual([pattern, true]);
});
