import type { z } from 'zod';
import { findCategory, findSubCategories } from '@handwise/contract/listings/categories';
import { maxTowns, serviceAreaProblems, type Town } from '@handwise/contract/listings/service-area';
import { maxServiceDistricts } from '@handwise/contract/listings/service-area-form';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { readPhoneNumber } from '@handwise/contract/phone';
import {
  findDistrictByCode,
  findCountry,
  findDistrict,
  findRegion,
  findRegionByCode,
  findRegionByDistrict,
  listRegions,
} from '@handwise/contract/places/regions';
import type { listingForm } from '@handwise/contract/selling/forms';
import { isCountryOpen, isTradeOpen } from '@handwise/contract/site/open';
import { slug } from '@handwise/contract/text';
import { invalidField } from '../../kit/errors.ts';
import {
  findBaseName,
  findBaseByName,
  findMainTown,
  listBaseNames,
  findLocality,
  listPlacesByName,
  listPlacesByPrefix,
} from '../places/places.service.ts';

type Texts = Pick<
  z.output<typeof listingForm>,
  | 'serviceTitle'
  | 'serviceDescription'
  | 'serviceCategory'
  | 'serviceSubCategory'
  | 'services'
  | 'businessTitle'
  | 'businessEmailAddress'
  | 'businessInfo'
  | 'website'
  | 'businessPhone'
  | 'location'
>;

/**
 * The listing's content columns. Throws `invalid_input` for an unknown place or category, and for one that is closed unless it was there `before`, or the
 * listing was paid for: what was sold stands.
 */
export function contentColumns(
  form: Texts,
  market: CountryCode | null,
  { before, isPaid = false }: { before?: { category_code: number; country: CountryCode }; isPaid?: boolean } = {},
) {
  const category = findCategory(form.serviceCategory);
  if (!category) throw invalidField('serviceCategory', 'There is no such category');
  const subCategory = form.serviceSubCategory ? findSubCategories(form.serviceSubCategory, category)[0] : undefined;
  if (form.serviceSubCategory && !subCategory) throw invalidField('serviceSubCategory', 'There is no such sub-category here');
  const place = parseLocation(form.location, market);
  const closed = {
    trade: !isPaid && before?.category_code !== category.code && !isTradeOpen(category.slug),
    country: !isPaid && before?.country !== place.country && !isCountryOpen(place.country),
  };
  if (closed.trade) throw invalidField('serviceCategory', `We take no new listings in ${category.name} at the moment`);
  if (closed.country) throw invalidField('location', `We take no new listings in ${markets[place.country].name} at the moment`);
  return {
    ...place,
    main_category: category.mainCategory,
    category_code: category.code,
    sub_category_code: subCategory?.code ?? null,
    service_title: form.serviceTitle,
    service_description: form.serviceDescription,
    services: distinct(form.services),
    business_title: form.businessTitle,
    business_email: form.businessEmailAddress,
    business_info: form.businessInfo,
    ...(form.website !== undefined && { website: form.website }),
    ...(form.businessPhone !== undefined && { business_phone: toStoredPhone(form.businessPhone, place) }),
  };
}

// A local number is completed by its place or refused, never read as a number of somewhere else.
function toStoredPhone(text: string, { country, region_code: code }: ReturnType<typeof parseLocation>): string {
  if (text === '') return '';
  const region = findRegionByCode(code)?.name;
  const read = readPhoneNumber(text, { country, ...(region !== undefined && { region }) });
  if ('problem' in read) throw invalidField('businessPhone', read.problem);
  return read.number;
}

const distinct = (services: readonly string[]) => [...new Map(services.map((one) => [one.toLowerCase(), one] as const)).values()];

// The API writes "district, region, country".
function parseLocation(location: string, market: CountryCode | null) {
  const parts = location.split(/[,›]/).map((part) => part.trim());
  const last = parts.at(-1) ?? '';
  const country = findCountry(last);
  const [districtName = '', regionName = ''] = country ? parts.slice(0, -1) : parts;
  const region = findRegion(regionName);
  const found = region && findDistrict(districtName, [region]);
  if (!region || !found || (country && country !== region.country)) {
    throw invalidField('location', 'Choose a district or city, a region and a country that belong together');
  }
  if (market && region.country !== market) throw invalidField('location', `This site shows ${markets[market].name} only`);
  return { country: region.country, region_code: region.code, district_code: found.district.code };
}

type ServiceAreaForm = Pick<z.output<typeof listingForm>, 'base' | 'serviceRadiusKm' | 'serviceDistricts'>;
type Place = { country: CountryCode; district_code: number };
type ServiceArea = { base_locality_code: number | null; service_radius_km: number | null; service_districts: number[] | null };

const noServiceArea: ServiceArea = { base_locality_code: null, service_radius_km: null, service_districts: null };

/**
 * The base and service area of a listing. Omitted fields keep their value from `before` if they still fit: a base must be in the listing's
 * district. Throws `invalid_input` for an unknown place.
 */
export function serviceAreaColumns(form: ServiceAreaForm, place: Place, before: ServiceArea = noServiceArea): ServiceArea {
  const base = form.base === undefined ? currentBase(place, before) : form.base === '' ? null : findBase(place, form.base);
  const districts = form.serviceDistricts === undefined ? undefined : parseDistricts(place, form.serviceDistricts);
  if (form.serviceRadiusKm && districts) throw invalidField('serviceDistricts', serviceAreaProblems.both);
  if (form.serviceRadiusKm && base === null) throw invalidField('base', serviceAreaProblems.radiusNeedsBase);
  // Radius and districts exclude each other: the given one replaces the other.
  const radius = form.serviceRadiusKm === undefined ? (districts ? null : before.service_radius_km) : form.serviceRadiusKm;
  const remainingDistricts = form.serviceRadiusKm || !before.service_districts ? null : withOwnDistrict(place, before.service_districts);
  return {
    base_locality_code: base,
    service_radius_km: base === null ? null : radius,
    service_districts: districts === undefined ? remainingDistricts : districts,
  };
}

/** Possible bases in a district that match the typed text. Throws `invalid_input` for an unknown district. */
export function listBases(name: string, begins: string): { bases: string[]; named: string | null } {
  const found = findDistrict(name);
  if (!found) throw invalidField('district', 'There is no such district');
  const { code } = found.district;
  const named = findBaseByName(code, begins);
  return { bases: listBaseNames(code, begins), named: named ? (findBaseName(named.code) ?? null) : null };
}

/** Towns and suburbs of a market (null: both) that a listing can be based in, biggest first. */
export function listTowns(begins: string, market: CountryCode | null): Town[] {
  const exact = listPlacesByName(begins, market).filter(({ name, corrected }) => !corrected && slug(name) === slug(begins));
  const places = [...exact, ...listPlacesByPrefix(begins, market, maxTowns * 3)].map((place) => [place.label, place] as const);
  return [...new Map(places).values()]
    .flatMap(({ name, label, country, regionCode, localityCode, districtCode = getCityOf(regionCode) }) => {
      if (districtCode === undefined) return [];
      // A district stands for its town.
      const town = localityCode ?? (findBaseByName(districtCode, name) ?? findMainTown(districtCode))?.code;
      const base = town === undefined ? undefined : findBaseName(town);
      const district = findDistrictByCode(districtCode);
      const region = findRegionByDistrict(districtCode);
      return base && district && region ? [{ name, label, base, district: district.name, region: region.name, country }] : [];
    })
    .slice(0, maxTowns);
}

/** The district that has its region's name: a name of both is the region's. */
function getCityOf(regionCode: number | undefined) {
  const region = findRegionByCode(regionCode ?? 0);
  return region?.districts.find(({ slug: own }) => own === region.slug || own === `${region.slug}-city`)?.code;
}

const currentBase = ({ district_code: district }: Place, { base_locality_code: code }: ServiceArea) =>
  code !== null && findLocality(code)?.districtCode === district ? code : null;

function findBase({ district_code: district }: Place, name: string): number {
  const found = findBaseByName(district, name);
  if (!found) throw invalidField('base', `There is no such town or suburb in ${findDistrictByCode(district)?.name}`);
  return found.code;
}

function parseDistricts(place: Place, names: readonly string[]): number[] | null {
  if (names.length === 0) return null;
  const codes = names.map((name) => {
    const found = findDistrict(name, listRegions(place.country));
    if (!found) throw invalidField('serviceDistricts', `There is no district “${name}” in ${markets[place.country].name}`);
    return found.district.code;
  });
  return withOwnDistrict(place, codes);
}

function withOwnDistrict({ district_code: own }: Place, codes: readonly number[]): number[] {
  const all = [...new Set([own, ...codes])].toSorted((one, other) => one - other);
  if (all.length > maxServiceDistricts) throw invalidField('serviceDistricts', `Choose at most ${maxServiceDistricts} districts`);
  return all;
}
