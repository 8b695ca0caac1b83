import { kmBetween } from '@handwise/contract/places/distance';
import { districtOfCode, regionCodeOf, regionOfDistrict } from '@handwise/contract/places/regions';
import { columns, type Locality } from './places.data.ts';
import { keyOfPlace } from './places.names.ts';

/** A locality as an official file has it. What the file does not say is taken from what is known of the place, or is near it. */
export type Official = {
  name: string;
  districtCode: number;
  latitude: number;
  longitude: number;
  postcodes: readonly string[];
  addresses: number | undefined;
  /** The file has it in capitals: the spelling that is known is better. */
  isInCapitals: boolean;
};

export type Imported = { localities: readonly Omit<Locality, 'slug'>[]; kept: number; added: number; gone: number };

const countryOf = (one: { districtCode: number }) => regionOfDistrict(one.districtCode)?.country ?? 'NZ';
const nameKey = (one: { name: string; districtCode: number }) => `${regionCodeOf(one.districtCode)} ${keyOfPlace(one.name)}`;
// Of one name and region, what is further apart are two places.
const farthestKm = 60;

/**
 * The product's places after official ones took the place of their country's. A place that remains keeps its code, what is new gets
 * the next, and what is gone stays under its code for those who point at it, found by nobody else. The other country stays as it is.
 */
export function importOfficial(had: readonly Locality[], official: readonly Official[]): Imported {
  const countries = new Set(official.map(countryOf));
  const untouched: Imported['localities'] = had.filter((one) => !countries.has(one.country));
  const known = new Map<string, Locality[]>();
  for (const one of had) {
    if (countries.has(one.country)) known.set(nameKey(one), [...(known.get(nameKey(one)) ?? []), one]);
  }
  let next = Math.max(0, ...had.map((one) => one.code)) + 1;
  let kept = 0;
  const matched = new Map<Official, Locality>();
  for (const one of official) {
    const candidates = known.get(nameKey(one)) ?? [];
    const [nearest] = candidates
      .map((candidate) => ({ candidate, km: kmBetween(candidate, one) }))
      .filter(({ km }) => km <= farthestKm)
      .toSorted((a, b) => a.km - b.km);
    if (!nearest) continue;
    matched.set(one, nearest.candidate);
    candidates.splice(candidates.indexOf(nearest.candidate), 1);
  }
  const localities = official.map((one) => {
    const same = matched.get(one);
    if (same) kept += 1;
    const postcodes = one.postcodes.length > 0 ? one.postcodes : (same?.postcodes ?? postcodesNear(one, had));
    return {
      code: same?.code ?? next++,
      name: one.isInCapitals ? (same?.name ?? one.name) : one.name,
      country: countryOf(one),
      regionCode: regionCodeOf(one.districtCode),
      districtCode: one.districtCode,
      postcodes,
      latitude: one.latitude,
      longitude: one.longitude,
      addresses: one.addresses ?? same?.addresses ?? 0,
      isGone: false,
    };
  });
  const gone = [...known.values()].flat().map((one) => ({ ...one, isGone: true }));
  return {
    localities: [...untouched, ...localities, ...gone].toSorted((a, b) => a.code - b.code),
    kept,
    added: localities.length - kept,
    gone: gone.filter((one) => !had.some((before) => before.code === one.code && before.isGone)).length,
  };
}

/** No official file of localities has all postcodes: the nearest known place of the district lends its own. */
function postcodesNear(one: Official, had: readonly Locality[]): readonly string[] {
  const [nearest] = had
    .filter((other) => other.districtCode === one.districtCode)
    .map((other) => ({ other, km: kmBetween(one, other) }))
    .toSorted((a, b) => a.km - b.km);
  if (!nearest) throw new Error(`${one.name}: no postcode is known in ${districtOfCode(one.districtCode)?.name}`);
  return nearest.other.postcodes.slice(0, 1);
}

const short = (degrees: number) => String(Math.round(degrees * 1000) / 1000);

/** The file of the product, as `readLocalities` reads it. */
export const writeFile = (localities: Imported['localities']) =>
  [
    columns.join('\t'),
    ...localities.map((one) =>
      [
        one.code,
        one.districtCode,
        one.name,
        one.postcodes.join(' '),
        short(one.latitude),
        short(one.longitude),
        one.isGone ? 'gone' : one.addresses,
      ].join('\t'),
    ),
    '',
  ].join('\n');
