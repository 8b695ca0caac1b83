import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { plantingFaults } from './unplanted.mjs';

test('a longer file without a fault is named, and an entry of the list that nothing needs', () => {
  const tree = mkdtempSync(join(tmpdir(), 'handwise-unplanted-'));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  const write = (path, text) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  const lines = (count) => 'x\n'.repeat(count);
  write('contract/src/trades.ts', lines(400));
  write('contract/src/bare.ts', lines(61));
  write('contract/src/listed.ts', lines(61));
  write('contract/src/short.ts', lines(60));
  write('contract/src/long.test.ts', lines(61));
  write('server/src/kit/deep/made.generated.ts', lines(61));
  write('server/src/domains/prices/planted.ts', lines(61));
  const faults = [{ file: 'server/src/domains/prices/planted.ts' }];
  expect(plantingFaults(tree, faults, ['contract/src/listed.ts'])).toEqual([
    'contract/src/bare.ts has 61 lines and no fault is planted in it',
  ]);
  expect(
    plantingFaults(
      tree,
      [...faults, { file: 'contract/src/bare.ts' }],
      ['contract/src/listed.ts', 'contract/src/bare.ts', 'contract/src/gone.ts'],
    ),
  ).toEqual([
    'tools/mutants/unplanted.mjs: contract/src/bare.ts is gone or has a fault by now: take it out',
    'tools/mutants/unplanted.mjs: contract/src/gone.ts is gone or has a fault by now: take it out',
  ]);
});
