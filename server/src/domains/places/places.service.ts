import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Point } from '@handwise/contract/places/distance';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { districtOfCode, regionOfCode } from '@handwise/contract/places/regions';
import type { Tx } from '../../kit/database/database.ts';
import { australianCities } from './places.cities.ts';
import { type Locality, readLocalities } from './places.data.ts';
import { byRank, type Named } from './places.index.ts';
import { keyOfPlace } from './places.names.ts';
import { loadPlaces } from './places.loaded.ts';
import type { Nearby } from './places.near.ts';
import { importOfficial, writeFile } from './places.import.ts';
import { readGnaf, readLinz } from './places.official.ts';
import * as queries from './places.queries.ts';
import { match } from './places.rules.ts';

export type { Locality } from './places.data.ts';
export type { Nearby } from './places.near.ts';

/** A place that a text names. `label` says which: "Cambridge, Waikato"; `corrected`: the text had it with a typing error. */
export type Place = {
  kind: Named['kind'];
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
};

const most = 10;
const productFile = join(import.meta.dirname, 'localities.tsv');

let loaded: ReturnType<typeof loadPlaces> | undefined;

// Read at the first question: tests and tools that ask nothing do not wait for it.
const load = () => (loaded ??= loadPlaces(readFileSync(productFile, 'utf8')));

/** Reads the places before the first question: it takes more than half a second. */
export const readPlaces = (): void => void load();

/** What a text names in a market (null: in both countries), the likeliest first, at most ten. Takes no longer for long and hostile texts. */
export function placesNamed(text: string, market: CountryCode | null): Place[] {
  const { found, corrected } = match(load().index, text, market);
  return found.slice(0, most).map((one) => asPlace(one, corrected));
}

/** Places whose names begin so, with the region behind them or without, the biggest first. */
export function placesStarting(prefix: string, market: CountryCode | null, limit: number): Place[] {
  const key = keyOfPlace(prefix.slice(0, 120));
  if (!key) return [];
  return load()
    .index.starting(key)
    .filter((one) => market === null || one.country === market)
    .toSorted(byRank)
    .slice(0, limit)
    .map((one) => asPlace(one, false));
}

/** All localities there are. */
export const allLocalities = (): readonly Locality[] => load().localities;

/** How a base is named within its district, so that `baseNamed` finds it again. */
export function baseName(code: number): string | undefined {
  const base = localityOf(code);
  return base && load().bases.nameOf(base);
}

/** The town or suburb of a district that a text names, spelled so but for macrons and short forms. */
export const baseNamed = (districtCode: number, text: string): Locality | undefined => load().bases.named(districtCode, text);

/** The names of a district's towns and suburbs that begin so, by the alphabet. */
export const basesStarting = (districtCode: number, text: string): string[] => load().bases.starting(districtCode, text);

export const localityOf = (code: number): Locality | undefined => load().byCode(code);

/** How a town or suburb is told from others of its name: "Newtown, Wellington". */
export function labelOfLocality(code: number): string | undefined {
  const locality = localityOf(code);
  return locality && labelOf('town', locality.name, regionOfCode(locality.regionCode)?.name, locality);
}

export const localityBySlug = (regionCode: number, slug: string): Locality | undefined => load().bySlug({ regionCode, slug });

/** The localities nearest to a point, the nearest first. */
export const localitiesNear = (point: Point, count: number): Nearby[] => load().nearness.nearest(point, count);

export const nearestLocality = (point: Point): Nearby | undefined => localitiesNear(point, 1)[0];

/** The town that a district is reckoned from: the one of its name, else in Australia the one at the city's middle, in New Zealand the biggest. */
export function mainTownOf(districtCode: number): Locality | undefined {
  const known = load().mainTowns.get(districtCode);
  if (known) return known;
  const key = keyOfPlace(districtOfCode(districtCode)?.name ?? '');
  const inDistrict = load().localities.filter((one) => one.districtCode === districtCode);
  const city = australianCities.find((one) => one.districtCode === districtCode);
  const found =
    inDistrict.find((one) => keyOfPlace(one.name) === key) ??
    (city
      ? load().nearness.nearest(city, 1, (one) => one.districtCode === districtCode)[0]?.locality
      : inDistrict.toSorted((a, b) => b.addresses - a.addresses)[0]);
  if (found) load().mainTowns.set(districtCode, found);
  return found;
}

/** The localities that `fits` takes, the biggest first, at most so many. */
export const biggestLocalities = (fits: (locality: Locality) => boolean, count: number): Locality[] =>
  load()
    .localities.filter(fits)
    .toSorted((a, b) => b.addresses - a.addresses)
    .slice(0, count);

/** Brings the table of localities to what the file says. Codes are never removed: listings may hold them. */
export async function syncLocalities(tx: Tx): Promise<void> {
  const checksum = createHash('sha256').update(readFileSync(productFile)).digest('hex');
  if (await queries.isWrittenFrom(tx, checksum)) return;
  await queries.writeLocalities(tx, load().all);
  await queries.noteSource(tx, checksum);
}

/**
 * Puts official localities into the product's file (or another): those of LINZ from a CSV, those of G-NAF from its `LOCALITY` files, each for its
 * whole country. Throws naming what cannot be read, and then nothing is changed.
 */
export function importPlaces(files: readonly string[], target = productFile) {
  const read = files.map((path) => ({ name: basename(path), text: readFileSync(path, 'utf8') }));
  const others = read.filter(({ name }) => !/\.(csv|psv)$/i.test(name));
  if (read.length === 0 || others.length > 0)
    throw new Error(`Give files that end with .csv (LINZ) or .psv (G-NAF)${others.map(({ name }) => `, not ${name}`).join('')}`);
  const isGnaf = ({ name }: { name: string }) => /\.psv$/i.test(name);
  const official = read.filter((file) => !isGnaf(file)).flatMap(({ name, text }) => readLinz(name, text));
  if (read.some(isGnaf)) official.push(...readGnaf(read.filter(isGnaf)));
  const { localities, ...counts } = importOfficial(readLocalities(readFileSync(target, 'utf8')), official);
  const text = writeFile(localities);
  readLocalities(text);
  writeFileSync(`${target}.new`, text);
  renameSync(`${target}.new`, target);
  return { localities: localities.length, ...counts };
}

function asPlace({ kind, name, country, regionCode, districtCode, locality }: Named, corrected: boolean): Place {
  const region = regionCode === undefined ? undefined : regionOfCode(regionCode);
  const at = locality ?? (districtCode === undefined ? undefined : mainTownOf(districtCode));
  return {
    kind,
    name: kind === 'country' ? markets[country].name : name,
    label: labelOf(kind, name, region?.name, locality),
    country,
    ...(regionCode !== undefined && { regionCode }),
    ...(districtCode !== undefined && { districtCode }),
    ...(locality && { localityCode: locality.code, slug: locality.slug }),
    ...(at && { latitude: at.latitude, longitude: at.longitude }),
    corrected,
  };
}

function labelOf(kind: Place['kind'], name: string, region: string | undefined, locality: Locality | undefined): string {
  if (kind === 'country' || kind === 'region') return name;
  const isShared = locality !== undefined && /-\d+$/.test(locality.slug);
  return `${name}, ${region}${isShared ? ` ${locality.postcodes[0]}` : ''}`;
}
