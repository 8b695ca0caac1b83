import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { columns, readLocalities } from './places.data.ts';

const text = readFileSync(join(import.meta.dirname, 'localities.tsv'), 'utf8');
const head = columns.join('\t');
const line = '7\t309\tCambridge\t3434\t-37.89\t175.47\t8300';

test('gives each locality a unique slug within its region', () => {
  const localities = readLocalities(text);
  expect(localities.length).toBeGreaterThan(17_000);
  expect(new Set(localities.map((one) => `${one.regionCode} ${one.slug}`)).size).toBe(localities.length);
});

test.each([
  ['another first line', line, 'must begin with'],
  ['an unknown district', `${head}\n${line.replace('309', '399')}`, 'line 2'],
  ['a code twice', `${head}\n${line}\n${line}`, 'line 3'],
  ['no name', `${head}\n${line.replace('Cambridge', '')}`, 'line 2'],
  ['a position that is no number', `${head}\n${line.replace('175.47', 'east')}`, 'line 2'],
  ['a column missing', `${head}\n${line.replace('\t8300', '')}`, 'line 2'],
  ['a column too many', `${head}\n${line}\tmore`, 'line 2'],
  ['a size that is no number', `${head}\n${line.replace('8300', 'many')}`, 'line 2'],
  ['no code', `${head}\n${line.replace('7', '0')}`, 'line 2'],
])('rejects a file with %s', (_, file, message) => {
  expect(() => readLocalities(file)).toThrow(message);
});

test('adds the code to slugs of the same name and postcode, and the postcode to one named like another district', () => {
  const others = ['8\t309\tCambridge\t3434\t-37.8\t175.4\t1', '9\t309\tTaupō\t3450\t-37.8\t175.4\t1'];
  expect(readLocalities([head, line, ...others].join('\n')).map((one) => one.slug)).toEqual([
    'cambridge-3434-7',
    'cambridge-3434-8',
    'taupo-3450',
  ]);
});
