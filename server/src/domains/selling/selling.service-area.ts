import { type CountryCode, markets } from '@handwise/contract/markets';
import { districtOfCode, findDistrict, regionsOf } from '@handwise/contract/places/regions';
import type { listingForm } from '@handwise/contract/selling/forms';
import { maxServiceDistricts, serviceAreaProblems } from '@handwise/contract/listings/service-area';
import type { z } from 'zod';
import { invalidField } from '../../kit/errors.ts';
import { baseName, baseNamed, basesStarting, localityOf } from '../places/places.service.ts';

type Given = Pick<z.output<typeof listingForm>, 'base' | 'serviceRadiusKm' | 'serviceDistricts'>;
type Place = { country: CountryCode; district_code: number };
type ServiceArea = { base_locality_code: number | null; service_radius_km: number | null; service_districts: number[] | null };

const none: ServiceArea = { base_locality_code: null, service_radius_km: null, service_districts: null };

/**
 * Where a listing is based and where it comes to. What is not given stays as it was `before`, as far as it still fits: a base lies in the
 * listing's district. Throws `invalid_input` for a place that there is not.
 */
export function serviceAreaOf(given: Given, place: Place, before: ServiceArea = none): ServiceArea {
  const base = given.base === undefined ? keptBase(place, before) : given.base === '' ? null : namedBase(place, given.base);
  const districts = given.serviceDistricts === undefined ? undefined : districtsOf(place, given.serviceDistricts);
  if (given.serviceRadiusKm && districts) throw invalidField('serviceDistricts', serviceAreaProblems.both);
  if (given.serviceRadiusKm && base === null) throw invalidField('base', serviceAreaProblems.radiusNeedsBase);
  // Whichever of the two is given takes the other's place.
  const radius = given.serviceRadiusKm === undefined ? (districts ? null : before.service_radius_km) : given.serviceRadiusKm;
  const kept = given.serviceRadiusKm || !before.service_districts ? null : withOwn(place, before.service_districts);
  return {
    base_locality_code: base,
    service_radius_km: base === null ? null : radius,
    service_districts: districts === undefined ? kept : districts,
  };
}

/** Where a listing of a district can be based, as far as it is typed. Throws `invalid_input` for a district that there is not. */
export function basesIn(name: string, begins: string): { bases: string[]; named: string | null } {
  const found = findDistrict(name);
  if (!found) throw invalidField('district', 'There is no such district');
  const { code } = found.district;
  const named = baseNamed(code, begins);
  return { bases: basesStarting(code, begins), named: named ? (baseName(named.code) ?? null) : null };
}

const keptBase = ({ district_code: district }: Place, { base_locality_code: code }: ServiceArea) =>
  code !== null && localityOf(code)?.districtCode === district ? code : null;

function namedBase({ district_code: district }: Place, name: string): number {
  const found = baseNamed(district, name);
  if (!found) throw invalidField('base', `There is no such town or suburb in ${districtOfCode(district)?.name}`);
  return found.code;
}

function districtsOf(place: Place, names: readonly string[]): number[] | null {
  if (names.length === 0) return null;
  const codes = names.map((name) => {
    const found = findDistrict(name, regionsOf(place.country));
    if (!found) throw invalidField('serviceDistricts', `There is no district “${name}” in ${markets[place.country].name}`);
    return found.district.code;
  });
  return withOwn(place, codes);
}

function withOwn({ district_code: own }: Place, codes: readonly number[]): number[] {
  const all = [...new Set([own, ...codes])].toSorted((one, other) => one - other);
  if (all.length > maxServiceDistricts) throw invalidField('serviceDistricts', `Choose at most ${maxServiceDistricts} districts`);
  return all;
}
