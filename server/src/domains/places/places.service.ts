import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type CountryCode, markets } from '@handwise/contract/markets';
import type { Point } from '@handwise/contract/places/distance';
import { findDistrictByCode, findRegionByCode } from '@handwise/contract/places/regions';
import type { Tx } from '../../kit/database/database.ts';
import { australianCities } from './places.cities.ts';
import { type Locality, readLocalities } from './places.data.ts';
import { toPlaceKey } from './places.data.ts';
import { mergeOfficialLocalities, formatLocalities } from './places.import.ts';
import { readGnaf, readLinz } from './places.import.ts';
import { compareRank, type NamedPlace } from './places.index.ts';
import { buildPlaceIndexes } from './places.lookups.ts';
import type { Nearby } from './places.lookups.ts';
import * as queries from './places.queries.ts';
import { matchPlaceName } from './places.rules.ts';

export type { Locality } from './places.data.ts';
export type { Nearby } from './places.lookups.ts';

/** A place that a text names. `label` identifies it: "Cambridge, Waikato"; `corrected`: the text contained a typing error. */
export type Place = {
  kind: NamedPlace['kind'];
  name: string;
  label: string;
  country: CountryCode;
  regionCode?: number;
  districtCode?: number;
  localityCode?: number;
  slug?: string;
  latitude?: number;
  longitude?: number;
  corrected: boolean;
  /** The name in te reo Māori or an Aboriginal language that it was found by, if it is not `name`. */
  alsoCalled?: string;
};

const maxPlaces = 10;
const productFile = join(import.meta.dirname, 'localities.tsv');

let loaded: ReturnType<typeof buildPlaceIndexes> | undefined;

// Loaded on first use, so that tests and tools without places do not wait for it.
const load = () => (loaded ??= buildPlaceIndexes(readFileSync(productFile, 'utf8')));

/** Loads the places before the first use, because that takes more than half a second. */
export const preloadPlaces = (): void => void load();

/**
 * Finds at most ten places that a text names in a market (null: both), likeliest first, those of the preferred country before others of the same name.
 * Time is bounded for long and hostile texts.
 */
export function listPlacesByName(text: string, market: CountryCode | null, preferred: CountryCode | null = null): Place[] {
  const { found, corrected } = matchPlaceName(load().index, text, market, preferred);
  return found.slice(0, maxPlaces).map((one) => toPlace(one, corrected));
}

/** Places whose names, with or without region, have this prefix, biggest first; towns of the preferred country before those of the other. */
export function listPlacesByPrefix(
  prefix: string,
  market: CountryCode | null,
  limit: number,
  preferred: CountryCode | null = null,
): Place[] {
  const key = toPlaceKey(prefix.slice(0, 120));
  if (!key) return [];
  const isElsewhere = (one: NamedPlace) => Number(preferred !== null && one.kind === 'town' && one.country !== preferred);
  const found = load()
    .index.listByPrefix(key)
    .filter((one) => market === null || one.country === market)
    .toSorted((a, b) => isElsewhere(a) - isElsewhere(b) || compareRank(a, b));
  // A place of several names is suggested once.
  return [...new Map(found.toReversed().map((one) => [one.rank, one])).values()]
    .toReversed()
    .slice(0, limit)
    .map((one) => toPlace(one, false));
}

export const listLocalities = (): readonly Locality[] => load().localities;

/** The unique name of a base within its district, which `findBaseByName` accepts. */
export function findBaseName(code: number): string | undefined {
  const base = findLocality(code);
  return base && load().bases.nameOf(base);
}

/** Finds a town or suburb of a district by name, ignoring macrons and abbreviations. */
export const findBaseByName = (districtCode: number, text: string): Locality | undefined => load().bases.find(districtCode, text);

/** Names of a district's towns and suburbs with this prefix, in alphabetical order. */
export const listBaseNames = (districtCode: number, text: string): string[] => load().bases.listNames(districtCode, text);

export const findLocality = (code: number): Locality | undefined => load().byCode(code);

/** A label that distinguishes localities of the same name: "Newtown, Wellington". */
export function findLocalityLabel(code: number): string | undefined {
  const locality = findLocality(code);
  return locality && formatLabel('town', locality.name, findRegionByCode(locality.regionCode)?.name, locality);
}

export const findLocalityBySlug = (regionCode: number, slug: string): Locality | undefined => load().bySlug({ regionCode, slug });

/** Nearest first. */
export const listNearestLocalities = (point: Point, count: number): Nearby[] => load().nearestLocalities.nearest(point, count);

export const findNearestLocality = (point: Point): Nearby | undefined => listNearestLocalities(point, 1)[0];

/** The town that stands for a district's position: its namesake, else in Australia the one nearest to the city, in New Zealand the biggest. */
export function findMainTown(districtCode: number): Locality | undefined {
  const known = load().mainTowns.get(districtCode);
  if (known) return known;
  const key = toPlaceKey(findDistrictByCode(districtCode)?.name ?? '');
  const inDistrict = load().localities.filter((one) => one.districtCode === districtCode);
  const city = australianCities.find((one) => one.districtCode === districtCode);
  const found =
    inDistrict.find((one) => toPlaceKey(one.name) === key) ??
    // Queenstown is the main town of Queenstown-Lakes.
    inDistrict.toSorted((a, b) => b.addresses - a.addresses).find((one) => key.startsWith(`${toPlaceKey(one.name)} `)) ??
    (city
      ? load().nearestLocalities.nearest(city, 1, (one) => one.districtCode === districtCode)[0]?.locality
      : inDistrict.toSorted((a, b) => b.addresses - a.addresses)[0]);
  if (found) load().mainTowns.set(districtCode, found);
  return found;
}

/** The biggest localities that satisfy `fits`. */
export const listBiggestLocalities = (fits: (locality: Locality) => boolean, count: number): Locality[] =>
  load()
    .localities.filter(fits)
    .toSorted((a, b) => b.addresses - a.addresses)
    .slice(0, count);

/** Syncs the table of localities with the file. Codes are never deleted, because listings may reference them. */
export async function syncLocalities(tx: Tx): Promise<void> {
  const checksum = createHash('sha256').update(readFileSync(productFile)).digest('hex');
  if (await queries.hasChecksum(tx, checksum)) return;
  await queries.upsertLocalities(tx, load().all);
  await queries.saveChecksum(tx, checksum);
}

/**
 * Imports official localities into the product's file: LINZ from a CSV, G-NAF from its `LOCALITY` files, each for a whole country. Throws
 * on invalid input without changing the file.
 */
export function importPlaces(files: readonly string[], target = productFile) {
  const read = files.map((path) => ({ name: basename(path), text: readFileSync(path, 'utf8') }));
  const others = read.filter(({ name }) => !/\.(csv|psv)$/i.test(name));
  if (read.length === 0 || others.length > 0)
    throw new Error(`Give files that end with .csv (LINZ) or .psv (G-NAF)${others.map(({ name }) => `, not ${name}`).join('')}`);
  const isGnaf = ({ name }: { name: string }) => /\.psv$/i.test(name);
  const official = read.filter((file) => !isGnaf(file)).flatMap(({ name, text }) => readLinz(name, text));
  if (read.some(isGnaf)) official.push(...readGnaf(read.filter(isGnaf)));
  const { localities, ...counts } = mergeOfficialLocalities(readLocalities(readFileSync(target, 'utf8')), official);
  const text = formatLocalities(localities);
  readLocalities(text);
  writeFileSync(`${target}.new`, text);
  renameSync(`${target}.new`, target);
  return { localities: localities.length, ...counts };
}

function toPlace({ kind, name, country, regionCode, districtCode, locality, alsoCalled }: NamedPlace, corrected: boolean): Place {
  const region = regionCode === undefined ? undefined : findRegionByCode(regionCode);
  const at = locality ?? (districtCode === undefined ? undefined : findMainTown(districtCode));
  return {
    kind,
    name: kind === 'country' ? markets[country].name : name,
    label: formatLabel(kind, name, region?.name, locality),
    country,
    ...(regionCode !== undefined && { regionCode }),
    ...(districtCode !== undefined && { districtCode }),
    ...(locality && { localityCode: locality.code, slug: locality.slug }),
    ...(at && { latitude: at.latitude, longitude: at.longitude }),
    corrected,
    ...(alsoCalled !== undefined && { alsoCalled }),
  };
}

function formatLabel(kind: Place['kind'], name: string, region: string | undefined, locality: Locality | undefined): string {
  if (kind === 'country' || kind === 'region') return name;
  const isShared = locality !== undefined && /-\d+$/.test(locality.slug);
  return `${name}, ${region}${isShared ? ` ${locality.postcodes[0]}` : ''}`;
}
