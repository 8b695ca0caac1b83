import { districtOfCode, findDistrict, regionCodeOf, regions } from '@handwise/contract/places/regions';
import { kmBetween, type Point } from '@handwise/contract/places/distance';
import { australianCities } from './places.cities.ts';
import type { Official } from './places.import.ts';

const usable = ({ latitude, longitude }: Point) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

// What LINZ has besides places that people live in.
const noPlaces = /lake|bay|park|reserve|harbour/i;
const peopleToAHouse = 2.6;

/**
 * Localities of New Zealand from the CSV of LINZ's "NZ Suburbs and Localities", exported in WGS 84 with its shapes as WKT. Towns that it
 * names as a suburb's major name only are places too. Throws naming the line that cannot be read.
 */
export function readLinz(file: string, text: string): Official[] {
  const [head, ...rows] = readCsv(text);
  const at = columnsOf(file, head ?? [], ['WKT', 'name', 'type', 'major_name', 'territorial_authority', 'population_estimate']);
  const found: Official[] = [];
  const towns = new Map<string, Official[]>();
  for (const [index, row] of rows.entries()) {
    const fail = (what: string): never => {
      throw new Error(`${file}, line ${index + 2}: ${what}`);
    };
    const cell = (name: string) => row[at.get(name) ?? -1] ?? '';
    if (noPlaces.test(cell('type'))) continue;
    const authority = cell('territorial_authority').split(',')[0]?.trim() ?? '';
    const district = authorityOf(authority) ?? fail(`there is no territorial authority “${authority}”`);
    const point = middleOfShape(cell('WKT')) ?? fail('the shape cannot be read');
    if (!usable(point)) fail('the shape is not in degrees: export it in WGS 84 (EPSG:4326)');
    const name = cell('name') || fail('there is no name');
    const people = cell('population_estimate');
    const addresses = /^\d+$/.test(people) ? Math.round(Number(people) / peopleToAHouse) : undefined;
    const one = { name, districtCode: district, ...point, postcodes: [], addresses, isInCapitals: false };
    found.push(one);
    const town = cell('major_name');
    if (town && town !== name) towns.set(`${district} ${town}`, [...(towns.get(`${district} ${town}`) ?? []), { ...one, name: town }]);
  }
  const named = new Set(found.map((one) => `${one.districtCode} ${one.name}`));
  const ofTowns = [...towns]
    .filter(([key]) => !named.has(key))
    .flatMap(([, suburbs]) => (suburbs[0] ? [{ ...suburbs[0], ...middleOf(suburbs) }] : []));
  return [...found, ...ofTowns];
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
const middleOf = (suburbs: readonly Official[]) => ({
  latitude: mean(suburbs.map((one) => one.latitude)),
  longitude: mean(suburbs.map((one) => one.longitude)),
  addresses: suburbs.reduce((sum, one) => sum + (one.addresses ?? 0), 0),
});

const newZealand = regions.filter((region) => region.country === 'NZ');
function authorityOf(name: string): number | undefined {
  const found = findDistrict(name, newZealand) ?? findDistrict(name.replace(/ (City|District|Territory)( Council)?$/, ''), newZealand);
  return found?.district.code;
}

/** The middle of the box around a shape: of what lies across 180°, on one side. */
function middleOfShape(wkt: string): Point | undefined {
  const numbers = wkt.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? [];
  if (!/^(MULTI)?(POLYGON|POINT)/i.test(wkt.trim()) || numbers.length < 2) return undefined;
  const east = numbers.filter((_, index) => index % 2 === 0);
  const north = numbers.filter((_, index) => index % 2 === 1);
  const middle = (of: readonly number[]) =>
    of.reduce((sum, one) => Math.min(sum, one), Infinity) / 2 + of.reduce((sum, one) => Math.max(sum, one), -Infinity) / 2;
  const sides = east.some((one) => one < -90) && east.some((one) => one > 90) ? east.filter((one) => one > 90) : east;
  return { latitude: middle(north), longitude: middle(sides) };
}

const states = new Map(
  ['NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'NT', 'ACT'].map((abbreviation, index) => [
    String(index + 1),
    regions.find((region) => region.abbreviation === abbreviation)?.code ?? 0,
  ]),
);

/**
 * Localities of Australia from files of G-NAF (`…_LOCALITY_psv.psv` with `…_LOCALITY_POINT_psv.psv`, of each state that is to be replaced,
 * and all states are). Throws naming the file and line that cannot be read.
 */
export function readGnaf(files: readonly { name: string; text: string }[]): Official[] {
  const points = new Map<string, Point>();
  for (const { name, text } of files.filter((file) => /_LOCALITY_POINT_psv\.psv$/i.test(file.name))) {
    for (const { cell, fail } of readPsv(name, text, ['LOCALITY_PID', 'LONGITUDE', 'LATITUDE'])) {
      const point = { latitude: Number(cell('LATITUDE') || Number.NaN), longitude: Number(cell('LONGITUDE') || Number.NaN) };
      if (!usable(point)) fail('the position cannot be read');
      points.set(cell('LOCALITY_PID'), point);
    }
  }
  const found: Official[] = [];
  for (const { name, text } of files.filter((file) => /_LOCALITY_psv\.psv$/i.test(file.name))) {
    for (const { cell, fail } of readPsv(name, text, [
      'LOCALITY_PID',
      'DATE_RETIRED',
      'LOCALITY_NAME',
      'PRIMARY_POSTCODE',
      'LOCALITY_CLASS_CODE',
      'STATE_PID',
    ])) {
      if (cell('DATE_RETIRED') !== '' || cell('LOCALITY_CLASS_CODE') !== 'G') continue;
      // 9 are territories beyond the sea, which the product does not have.
      if (cell('STATE_PID') === '9') continue;
      const region = states.get(cell('STATE_PID')) ?? fail(`there is no state ${cell('STATE_PID')}`);
      const point = points.get(cell('LOCALITY_PID')) ?? fail(`${cell('LOCALITY_NAME')} has no position: give its LOCALITY_POINT file too`);
      const postcode = cell('PRIMARY_POSTCODE');
      found.push({
        name: asWritten(cell('LOCALITY_NAME') || fail('there is no name')),
        districtCode: nearestCity(region, point),
        ...point,
        postcodes: /^\d{4}$/.test(postcode) ? [postcode] : [],
        addresses: undefined,
        isInCapitals: true,
      });
    }
  }
  const missing = [...states].filter(([, region]) => !found.some((one) => regionCodeOf(one.districtCode) === region));
  if (missing.length > 0)
    throw new Error(
      `LOCALITY files are missing of ${missing.map(([, region]) => regions.find((one) => one.code === region)?.name).join(', ')}`,
    );
  return found;
}

/** "MOUNT ELIZA" as people write it. */
const asWritten = (name: string) =>
  name
    .toLowerCase()
    .replace(
      /(^|[\s(-])(mc)?([a-z])/g,
      (_, before: string, mc: string | undefined, letter: string) => `${before}${mc ? 'Mc' : ''}${letter.toUpperCase()}`,
    );

function nearestCity(region: number, point: Point): number {
  const [nearest] = australianCities
    .filter(({ districtCode }) => regionCodeOf(districtCode) === region)
    .map((city) => ({ city, km: kmBetween(city, point) }))
    .toSorted((a, b) => a.km - b.km);
  if (!nearest || !districtOfCode(nearest.city.districtCode)) throw new Error(`region ${region} has no cities`);
  return nearest.city.districtCode;
}

type Row = { cell: (name: string) => string; fail: (what: string) => never };

function* readPsv(file: string, text: string, names: readonly string[]): Generator<Row> {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const at = columnsOf(file, head.split('|'), names);
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const cells = line.split('|');
    yield {
      cell: (name) => cells[at.get(name) ?? -1] ?? '',
      fail: (what) => {
        throw new Error(`${file}, line ${index + 2}: ${what}`);
      },
    };
  }
}

function columnsOf(file: string, head: readonly string[], names: readonly string[]): ReadonlyMap<string, number> {
  const missing = names.filter((name) => !head.includes(name));
  if (missing.length > 0) throw new Error(`${file} has no column ${missing.join(', ')}`);
  return new Map(names.map((name) => [name, head.indexOf(name)]));
}

/** Rows of comma separated values, quoted where they hold commas, quotes or lines. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  const body = text.replace(/^\uFEFF/, '');
  while (cells.lastIndex < body.length) {
    const cell = cells.exec(body);
    if (!cell) throw new Error(`line ${rows.length + 1} is no comma separated values`);
    row.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '');
    if (cell[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
