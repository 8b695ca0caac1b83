import { districtOfCode, regionOfCode } from '@handwise/contract/places';
import { allLocalities, baseNamed, type Locality } from '@handwise/server/domains/places/places.service';
import type { Random } from './random.ts';

/** Where a listing is based and where it comes to, as its row has it. */
export type ServiceAreaRow = { base_locality_code: number | null; service_radius_km: number | null; service_districts: number[] | null };

// Most say where they are based; of these about half say how far they come, most of them not far.
const shares = { base: 0.7, radius: 0.5, districts: 0.15 };
const radii = [5, 10, 15, 20, 20, 25, 30, 30, 50, 50, 75, 100, 150, 200] as const;

let known: ReadonlyMap<number, readonly Locality[]> | undefined;
/** The towns of a district, each as often as it has a hundred addresses. */
function townsOf(district: number): readonly Locality[] {
  known ??= Map.groupBy(
    allLocalities().flatMap((one) => Array.from({ length: 1 + Math.floor(one.addresses / 100) }, () => one)),
    ({ districtCode }) => districtCode,
  );
  return known.get(district) ?? [];
}

/** The service area of a listing of a district; `town`: what it is called after, where that is a town there. */
export function serviceAreaOf(random: Random, district: number, town?: string): ServiceAreaRow {
  const area: ServiceAreaRow = { base_locality_code: null, service_radius_km: null, service_districts: null };
  const towns = townsOf(district);
  if (random.chance(shares.base) && towns.length > 0) {
    area.base_locality_code = ((town === undefined ? undefined : baseNamed(district, town)) ?? random.pick(towns)).code;
    if (random.chance(shares.radius)) area.service_radius_km = random.pick(radii);
  }
  if (area.service_radius_km === null && random.chance(shares.districts)) {
    const others = regionOfCode(Math.floor(district / 100))?.districts ?? [];
    const chosen = [1, 2, 3].slice(0, random.int(1, 3)).flatMap(() => (others.length > 0 ? [random.pick(others).code] : []));
    area.service_districts = [...new Set([district, ...chosen])].filter((code) => districtOfCode(code)).toSorted((a, b) => a - b);
  }
  return area;
}
