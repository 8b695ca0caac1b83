import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { columns } from './places.data.ts';
import { buildPlaceIndexes } from './places.lookups.ts';
import { importPlaces } from './places.service.ts';

const folder = mkdtempSync(join(tmpdir(), 'places-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head = columns.join('\t');
const had = [
  '1\t309\tCambridge\t3434\t-37.89\t175.47\t8300',
  '2\t309\tOld Mill\t3450\t-37.9\t175.4\t10',
  '3\t301\tHillcrest\t3216\t-37.8\t175.32\t0',
  '4\t1801\tSaint Kilda\t3182\t-37.86\t144.98\t9000',
];

const linz = (rows: string[]) => ['WKT,id,name,type,major_name,territorial_authority,population_estimate', ...rows].join('\r\n');
const box = (west: number, south: number, east: number, north: number) =>
  `"MULTIPOLYGON (((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south})))"`;
const usualRows = [
  `${box(175.4, -37.95, 175.5, -37.85)},1,Cambridge,Locality,,Waipa District,20800`,
  `${box(175.3, -37.81, 175.33, -37.79)},2,Hillcrest,Suburb,Hamilton,"Hamilton City, Waikato District",9100`,
  `${box(175.27, -37.76, 175.29, -37.74)},3,"Rototuna ""North""",Suburb,Hamilton,Hamilton City,`,
  `${box(175, -38, 176, -37)},4,Hamilton Lake,Lake,,Hamilton City,0`,
];

/** Imports these files into a copy of the small file. */
function importing(files: Record<string, string>) {
  const target = join(folder, 'localities.tsv');
  writeFileSync(target, [head, ...had, ''].join('\n'));
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const read = () => readFileSync(target, 'utf8');
  return { run: () => importPlaces(paths, target), read };
}

test('replaces a country’s localities, keeps the codes of matched ones and retires the rest', () => {
  const { run, read } = importing({ 'nz.csv': linz(usualRows) });
  expect(run()).toEqual({ localities: 6, matched: 2, added: 2, retired: 1 });
  expect(read().trimEnd().split('\n').slice(1)).toEqual([
    '1\t309\tCambridge\t3434\t-37.9\t175.45\t8000',
    '2\t309\tOld Mill\t3450\t-37.9\t175.4\tgone',
    '3\t301\tHillcrest\t3216\t-37.8\t175.315\t3500',
    '4\t1801\tSaint Kilda\t3182\t-37.86\t144.98\t9000',
    '5\t301\tRototuna "North"\t3216\t-37.75\t175.28\t0',
    '6\t301\tHamilton\t3216\t-37.775\t175.298\t3500',
  ]);
  const { index, bySlug, byCode, nearestLocalities, localities } = buildPlaceIndexes(read());
  expect(localities.length).toBeGreaterThan(1);
  expect(localities.filter((one) => bySlug(one) !== one || byCode(one.code) !== one)).toEqual([]);
  expect([index.find('old mill'), bySlug({ regionCode: 3, slug: 'old-mill' }), byCode(2)?.name]).toEqual([[], undefined, 'Old Mill']);
  expect(nearestLocalities.nearest({ latitude: -37.9, longitude: 175.4 }, 1)[0]?.locality.name).toBe('Cambridge');
  expect(index.find('cambridge')).toHaveLength(1);
});

test('changes nothing when the same file is imported again', () => {
  const first = importing({ 'nz.csv': linz(usualRows) });
  first.run();
  const before = first.read();
  expect(first.run()).toEqual({ localities: 6, matched: 4, added: 0, retired: 0 });
  expect(first.read()).toBe(before);
});

test('treats a distant place of the same name as new', () => {
  const { run } = importing({
    'nz.csv': linz([`${box(175.1, -37, 175.2, -36.9)},1,Cambridge,Locality,,Thames-Coromandel District,10`].concat(usualRows.slice(1))),
  });
  expect(run).toThrow('Cambridge: no postcode is known in Thames-Coromandel');
});

const abbreviations = ['NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'NT', 'ACT'];
const localityHead =
  'LOCALITY_PID|DATE_CREATED|DATE_RETIRED|LOCALITY_NAME|PRIMARY_POSTCODE|LOCALITY_CLASS_CODE|STATE_PID|GNAF_LOCALITY_PID|GNAF_RELIABILITY_CODE';
const pointHead = 'LOCALITY_POINT_PID|DATE_CREATED|DATE_RETIRED|LOCALITY_PID|PLANIMETRIC_ACCURACY|LONGITUDE|LATITUDE';
const gnaf = (change: (lines: string[]) => string[] = (lines) => lines): Record<string, string> => ({
  'AUS_LOCALITY_psv.psv': [
    localityHead,
    ...change([
      ...abbreviations.map((name, index) => `l${name}|2020-01-01||${name} TOWN|${1000 + index}|G|${index + 1}|x|5`),
      'kilda|2020-01-01||ST KILDA||G|2|x|5',
      'mac|2020-01-01||MCLAREN FLAT (NORTH)|5171|G|4|x|5',
      'old|2020-01-01|2021-01-01|GONE|5171|G|4|x|5',
      'hill|2020-01-01||A HILL|5171|U|4|x|5',
      'far|2020-01-01||NORFOLK ISLAND|2899|G|9|x|5',
    ]),
    '',
  ].join('\n'),
  'AUS_LOCALITY_POINT_psv.psv': [
    pointHead,
    ...[...abbreviations.map((name) => `l${name}`), 'kilda', 'mac'].map((pid) => `p|2020-01-01||${pid}||144.9|-37.8`),
    '',
  ].join('\n'),
});

test('imports current G-NAF localities in title case under the nearest listed city of their state', () => {
  const { run, read } = importing(gnaf());
  expect(run()).toEqual({ localities: 13, matched: 1, added: 9, retired: 0 });
  const lines = read().trimEnd().split('\n').slice(1);
  expect(lines.slice(0, 4)).toEqual([...had.slice(0, 3), '4\t1801\tSaint Kilda\t3182\t-37.8\t144.9\t9000']);
  expect(lines).toContain('5\t1708\tNsw Town\t1000\t-37.8\t144.9\t0');
  expect(lines.at(-1)).toBe('13\t2002\tMcLaren Flat (North)\t5171\t-37.8\t144.9\t0');
});

test.each([
  ['no file', {}, 'Give files'],
  ['another kind of file', { 'nz.txt': '' }, 'not nz.txt'],
  ['a column missing', { 'nz.csv': 'WKT,name\n' }, 'nz.csv has no column type, major_name'],
  [
    'an unknown authority',
    { 'nz.csv': linz([`${box(175, -38, 176, -37)},1,X,Suburb,,Narnia District,1`]) },
    'nz.csv, line 2: there is no territorial authority “Narnia District”',
  ],
  [
    'a shape in metres',
    { 'nz.csv': linz([`${box(1_800_000, 5_800_000, 1_800_100, 5_800_100)},1,X,Suburb,,Hamilton City,1`]) },
    'export it in WGS 84',
  ],
  ['no shape', { 'nz.csv': linz([',1,X,Suburb,,Hamilton City,1']) }, 'line 2: the shape cannot be read'],
  ['no name', { 'nz.csv': linz([`${box(175, -38, 176, -37)},1,,Suburb,,Hamilton City,1`]) }, 'line 2: there is no name'],
  ['a locality without a position', gnaf((lines) => [...lines, 'new|2020-01-01||NEWTOWN|3000|G|2|x|5']), 'NEWTOWN has no position'],
  ['an unknown state', gnaf((lines) => [...lines, 'kilda|2020-01-01||NEWTOWN|3000|G|12|x|5']), 'there is no state 12'],
  ['a state missing', gnaf((lines) => lines.filter((line) => !line.includes('|7|x'))), 'LOCALITY files are missing of Northern Territory'],
  [
    'a position that is none',
    { ...gnaf(), 'X_LOCALITY_POINT_psv.psv': `${pointHead}\np|d||lNSW||east|-37.8\n` },
    'X_LOCALITY_POINT_psv.psv, line 2: the position cannot be read',
  ],
])('rejects %s with a reason and changes nothing', (_, files, reason) => {
  const { run, read } = importing(files);
  const before = read();
  expect(run).toThrow(reason);
  expect(read()).toBe(before);
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
});
