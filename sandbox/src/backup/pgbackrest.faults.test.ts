import { expect, test } from 'vitest';
import { openRunFolder } from '../runs/run-folder.ts';
import { drillBackRest, findBackRest } from './pgbackrest.ts';

const found = findBackRest();

test('pgBackRest, set up as in ops/, restores exactly the moment before a mistake', async ({ skip, onTestFinished }) => {
  if ('missing' in found) return skip(found.missing);
  const run = openRunFolder('handwise-pgbackrest-');
  onTestFinished(() => run.close());
  const drill = await drillBackRest(run.path, found.programs);
  expect(drill.before).toBeGreaterThan(10);
  expect([drill.restored, drill.after]).toEqual([drill.before, 0]);
  // The backup was taken among the writes, so that it alone holds fewer.
  const [, accounts] = /^The last backup works: it has (\d+) accounts, the latest of .+\.$/.exec(drill.tested) ?? [];
  expect(Number(accounts)).toBeGreaterThan(0);
  expect(Number(accounts)).toBeLessThan(drill.before);
});
