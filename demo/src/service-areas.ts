import { findDistrictByCode, findRegionByDistrict } from '@handwise/contract/places/regions';
import { listLocalities, findBaseByName, findMainTown, type Locality } from '@handwise/server/domains/places/places.service';
import type { Random } from './random.ts';

/** Columns of `listings`. */
export type ServiceAreaRow = { base_locality_code: number | null; service_radius_km: number | null; service_districts: number[] | null };

// Probabilities: has a base; has a radius if it has a base; has districts if it has no radius.
const shares = { base: 0.92, radius: 0.5, districts: 0.15 };
const radii = [5, 10, 15, 20, 20, 25, 30, 30, 50, 50, 75, 100, 150, 200] as const;

let townsByDistrict: ReadonlyMap<number, readonly Locality[]> | undefined;
/** The towns of a district, repeated once per hundred addresses. */
function townsOf(district: number): readonly Locality[] {
  townsByDistrict ??= Map.groupBy(
    listLocalities().flatMap((one) => Array.from({ length: 1 + Math.floor(one.addresses / 100) }, () => one)),
    ({ districtCode }) => districtCode,
  );
  return townsByDistrict.get(district) ?? [];
}

const maxDriveKm = 120;
const neighbours = new Map<number, readonly number[]>();

/** Other districts of the region whose largest town is within `maxDriveKm`, nearest first. */
function neighboursOf(district: number): readonly number[] {
  const found = neighbours.get(district);
  if (found) return found;
  const centreOf = (code: number) =>
    townsOf(code).reduce<Locality | undefined>((one, other) => (one && one.addresses >= other.addresses ? one : other), undefined);
  const centre = centreOf(district);
  const near = (findRegionByDistrict(district)?.districts ?? []).flatMap(({ code }) => {
    const other = code === district ? undefined : centreOf(code);
    if (!centre || !other) return [];
    const north = (other.latitude - centre.latitude) * 111;
    const east = (other.longitude - centre.longitude) * 111 * Math.cos((centre.latitude * Math.PI) / 180);
    const km = Math.hypot(north, east);
    return km <= maxDriveKm ? [{ code, km }] : [];
  });
  const codes = near.toSorted((one, other) => one.km - other.km).map(({ code }) => code);
  neighbours.set(district, codes);
  return codes;
}

/** The base called `town`; a district's own name is its main town. */
const baseOf = (district: number, town: string) =>
  findBaseByName(district, town) ?? (findDistrictByCode(district)?.name === town ? findMainTown(district) : undefined);

/** `town` becomes the base if it is a town of the district. */
export function createServiceArea(random: Random, district: number, town?: string, hasBase = false): ServiceAreaRow {
  const area: ServiceAreaRow = { base_locality_code: null, service_radius_km: null, service_districts: null };
  const towns = townsOf(district);
  if ((random.chance(shares.base) || hasBase) && towns.length > 0) {
    area.base_locality_code = ((town === undefined ? undefined : baseOf(district, town)) ?? random.pick(towns)).code;
    if (random.chance(shares.radius)) area.service_radius_km = random.pick(radii);
  }
  if (area.service_radius_km === null && random.chance(shares.districts)) {
    const chosen = random.sample(neighboursOf(district).slice(0, 4), random.int(1, 3));
    area.service_districts = [district, ...chosen].toSorted((a, b) => a - b);
  }
  return area;
}
