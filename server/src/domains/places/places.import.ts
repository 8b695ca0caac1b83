import { kmBetween, type Point } from '@handwise/contract/places/distance';
import { findDistrictByCode, getRegionCode, findRegionByDistrict, findDistrict, regions } from '@handwise/contract/places/regions';
import { australianCities } from './places.cities.ts';
import { columns, type Locality } from './places.data.ts';
import { toPlaceKey } from './places.data.ts';

/** A locality of an official file. Missing values are taken from the known or the nearest locality. */
export type OfficialLocality = {
  name: string;
  districtCode: number;
  latitude: number;
  longitude: number;
  postcodes: readonly string[];
  addresses: number | undefined;
  /** In capitals in the file, so the known spelling is preferred. */
  isInCapitals: boolean;
};

export type Imported = { localities: readonly Omit<Locality, 'slug'>[]; matched: number; added: number; retired: number };

const getCountry = (one: { districtCode: number }) => findRegionByDistrict(one.districtCode)?.country ?? 'NZ';
const toNameKey = (one: { name: string; districtCode: number }) => `${getRegionCode(one.districtCode)} ${toPlaceKey(one.name)}`;
// Localities of the same name and region that are further apart are different places.
const maxMatchKm = 60;

/**
 * Replaces a country's localities by official ones. Matched localities keep their codes, new ones get the next codes, and the rest are
 * retired: they stay for listings that reference their codes. The other country is unchanged.
 */
export function mergeOfficialLocalities(previousLocalities: readonly Locality[], official: readonly OfficialLocality[]): Imported {
  const countries = new Set(official.map(getCountry));
  const untouched: Imported['localities'] = previousLocalities.filter((one) => !countries.has(one.country));
  const known = new Map<string, Locality[]>();
  for (const one of previousLocalities) {
    if (countries.has(one.country)) known.set(toNameKey(one), [...(known.get(toNameKey(one)) ?? []), one]);
  }
  let next = Math.max(0, ...previousLocalities.map((one) => one.code)) + 1;
  let matched = 0;
  const previous = new Map<OfficialLocality, Locality>();
  for (const one of official) {
    const candidates = known.get(toNameKey(one)) ?? [];
    const [nearest] = candidates
      .map((candidate) => ({ candidate, km: kmBetween(candidate, one) }))
      .filter(({ km }) => km <= maxMatchKm)
      .toSorted((a, b) => a.km - b.km);
    if (!nearest) continue;
    previous.set(one, nearest.candidate);
    candidates.splice(candidates.indexOf(nearest.candidate), 1);
  }
  const localities = official.map((one) => {
    const same = previous.get(one);
    if (same) matched += 1;
    const postcodes = one.postcodes.length > 0 ? one.postcodes : (same?.postcodes ?? findPostcodesNear(one, previousLocalities));
    return {
      code: same?.code ?? next++,
      name: one.isInCapitals ? (same?.name ?? one.name) : one.name,
      country: getCountry(one),
      regionCode: getRegionCode(one.districtCode),
      districtCode: one.districtCode,
      postcodes,
      latitude: one.latitude,
      longitude: one.longitude,
      addresses: one.addresses ?? same?.addresses ?? 0,
      isRetired: false,
    };
  });
  const retired = [...known.values()].flat().map((one) => ({ ...one, isRetired: true }));
  return {
    localities: [...untouched, ...localities, ...retired].toSorted((a, b) => a.code - b.code),
    matched,
    added: localities.length - matched,
    retired: retired.filter((one) => !previousLocalities.some((before) => before.code === one.code && before.isRetired)).length,
  };
}

/** No official file has all postcodes, so the nearest known locality of the district provides one. */
function findPostcodesNear(one: OfficialLocality, localities: readonly Locality[]): readonly string[] {
  const [nearest] = localities
    .filter((other) => other.districtCode === one.districtCode)
    .map((other) => ({ other, km: kmBetween(one, other) }))
    .toSorted((a, b) => a.km - b.km);
  if (!nearest) throw new Error(`${one.name}: no postcode is known in ${findDistrictByCode(one.districtCode)?.name}`);
  return nearest.other.postcodes.slice(0, 1);
}

const roundDegrees = (degrees: number) => String(Math.round(degrees * 1000) / 1000);

/** Formats localities for `readLocalities`. */
export const formatLocalities = (localities: Imported['localities']) =>
  [
    columns.join('\t'),
    ...localities.map((one) =>
      [
        one.code,
        one.districtCode,
        one.name,
        one.postcodes.join(' '),
        roundDegrees(one.latitude),
        roundDegrees(one.longitude),
        one.isRetired ? 'gone' : one.addresses,
      ].join('\t'),
    ),
    '',
  ].join('\n');

const isValidPoint = ({ latitude, longitude }: Point) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

// Types of the LINZ file where no one lives.
const notInhabited = /lake|bay|park|reserve|harbour/i;
const peoplePerHousehold = 2.6;

/**
 * Localities of New Zealand from the CSV of LINZ's "NZ Suburbs and Localities", exported in WGS 84 with shapes as WKT. Towns that appear
 * only as the major name of suburbs are included. Throws an error that names the invalid line.
 */
export function readLinz(file: string, text: string): OfficialLocality[] {
  const [head, ...rows] = readCsv(text);
  const at = findColumns(file, head ?? [], ['WKT', 'name', 'type', 'major_name', 'territorial_authority', 'population_estimate']);
  const found: OfficialLocality[] = [];
  const towns = new Map<string, OfficialLocality[]>();
  for (const [index, row] of rows.entries()) {
    const fail = (what: string): never => {
      throw new Error(`${file}, line ${index + 2}: ${what}`);
    };
    const cell = (name: string) => row[at.get(name) ?? -1] ?? '';
    if (notInhabited.test(cell('type'))) continue;
    const authority = cell('territorial_authority').split(',')[0]?.trim() ?? '';
    const district = findAuthority(authority) ?? fail(`there is no territorial authority “${authority}”`);
    const point = parseShapeCentre(cell('WKT')) ?? fail('the shape cannot be read');
    if (!isValidPoint(point)) fail('the shape is not in degrees: export it in WGS 84 (EPSG:4326)');
    const name = cell('name') || fail('there is no name');
    const people = cell('population_estimate');
    const addresses = /^\d+$/.test(people) ? Math.round(Number(people) / peoplePerHousehold) : undefined;
    const one = { name, districtCode: district, ...point, postcodes: [], addresses, isInCapitals: false };
    found.push(one);
    const town = cell('major_name');
    if (town && town !== name) towns.set(`${district} ${town}`, [...(towns.get(`${district} ${town}`) ?? []), { ...one, name: town }]);
  }
  const named = new Set(found.map((one) => `${one.districtCode} ${one.name}`));
  const ofTowns = [...towns]
    .filter(([key]) => !named.has(key))
    .flatMap(([, suburbs]) => (suburbs[0] ? [{ ...suburbs[0], ...computeCentre(suburbs) }] : []));
  return [...found, ...ofTowns];
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
const computeCentre = (suburbs: readonly OfficialLocality[]) => ({
  latitude: mean(suburbs.map((one) => one.latitude)),
  longitude: mean(suburbs.map((one) => one.longitude)),
  addresses: suburbs.reduce((sum, one) => sum + (one.addresses ?? 0), 0),
});

const newZealand = regions.filter((region) => region.country === 'NZ');
function findAuthority(name: string): number | undefined {
  const found = findDistrict(name, newZealand) ?? findDistrict(name.replace(/ (City|District|Territory)( Council)?$/, ''), newZealand);
  return found?.district.code;
}

/** The middle of a shape's bounding box; of a shape across 180°, only one side counts. */
function parseShapeCentre(wkt: string): Point | undefined {
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
 * Localities of Australia from the G-NAF files `…_LOCALITY_psv.psv` and `…_LOCALITY_POINT_psv.psv` of all states. Throws an error that
 * names the invalid file and line.
 */
export function readGnaf(files: readonly { name: string; text: string }[]): OfficialLocality[] {
  const points = new Map<string, Point>();
  for (const { name, text } of files.filter((file) => /_LOCALITY_POINT_psv\.psv$/i.test(file.name))) {
    for (const { cell, fail } of readPsv(name, text, ['LOCALITY_PID', 'LONGITUDE', 'LATITUDE'])) {
      const point = { latitude: Number(cell('LATITUDE') || Number.NaN), longitude: Number(cell('LONGITUDE') || Number.NaN) };
      if (!isValidPoint(point)) fail('the position cannot be read');
      points.set(cell('LOCALITY_PID'), point);
    }
  }
  const found: OfficialLocality[] = [];
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
      // 9: external territories, which the product does not cover.
      if (cell('STATE_PID') === '9') continue;
      const region = states.get(cell('STATE_PID')) ?? fail(`there is no state ${cell('STATE_PID')}`);
      const point = points.get(cell('LOCALITY_PID')) ?? fail(`${cell('LOCALITY_NAME')} has no position: give its LOCALITY_POINT file too`);
      const postcode = cell('PRIMARY_POSTCODE');
      found.push({
        name: toTitleCase(cell('LOCALITY_NAME') || fail('there is no name')),
        districtCode: findNearestCity(region, point),
        ...point,
        postcodes: /^\d{4}$/.test(postcode) ? [postcode] : [],
        addresses: undefined,
        isInCapitals: true,
      });
    }
  }
  const missing = [...states].filter(([, region]) => !found.some((one) => getRegionCode(one.districtCode) === region));
  if (missing.length > 0)
    throw new Error(
      `LOCALITY files are missing of ${missing.map(([, region]) => regions.find((one) => one.code === region)?.name).join(', ')}`,
    );
  return found;
}

/** "MOUNT ELIZA" to "Mount Eliza", "MCLAREN" to "McLaren". */
const toTitleCase = (name: string) =>
  name
    .toLowerCase()
    .replace(
      /(^|[\s(-])(mc)?([a-z])/g,
      (_, before: string, mc: string | undefined, letter: string) => `${before}${mc ? 'Mc' : ''}${letter.toUpperCase()}`,
    );

function findNearestCity(region: number, point: Point): number {
  const [nearest] = australianCities
    .filter(({ districtCode }) => getRegionCode(districtCode) === region)
    .map((city) => ({ city, km: kmBetween(city, point) }))
    .toSorted((a, b) => a.km - b.km);
  if (!nearest || !findDistrictByCode(nearest.city.districtCode)) throw new Error(`region ${region} has no cities`);
  return nearest.city.districtCode;
}

type Row = { cell: (name: string) => string; fail: (what: string) => never };

function* readPsv(file: string, text: string, names: readonly string[]): Generator<Row> {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const at = findColumns(file, head.split('|'), names);
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

function findColumns(file: string, head: readonly string[], names: readonly string[]): ReadonlyMap<string, number> {
  const missing = names.filter((name) => !head.includes(name));
  if (missing.length > 0) throw new Error(`${file} has no column ${missing.join(', ')}`);
  return new Map(names.map((name) => [name, head.indexOf(name)]));
}

function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  const body = text.replace(/^\uFEFF/, '');
  while (cells.lastIndex < body.length) {
    const cell = cells.exec(body);
    if (!cell) throw new Error(`line ${rows.length + 1} is not comma-separated values`);
    row.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '');
    if (cell[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
