import { categoryOfCode, mainCategoryNames, subCategoryOfCode } from '@handwise/contract/categories';
import { pageSize } from '@handwise/contract/listings';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { districtOfCode, findCountry, findDistrict, findRegion, regionOfCode, regions } from '@handwise/contract/places';
import type { FindPage, FindQuery, Understanding } from '@handwise/contract/search';
import type { Db } from '../../kit/database/database.ts';
import { invalidField } from '../../kit/errors.ts';
import { pageOf } from '../listings/listings.service.ts';
import { findCards } from './search.cards.ts';
import { localityOf } from '../places/places.service.ts';
import { evidenceOf } from './search.evidence.ts';
import { whereaboutsOf } from './search.near.filter.ts';
import { type ListingFilter, filterOf } from './search.rules.ts';
import type { SearchMemory } from './search.service.ts';

// What the call takes and this server does not answer yet: refused, never passed over.
function refuseWhatIsNotServed(search: FindQuery, filter: ListingFilter) {
  const isByDistance = filter.near !== undefined || filter.serves === true;
  if (search.q && (isByDistance || filter.place?.level === 'town')) throw invalidField('q', 'Words cannot be searched here yet');
  if (!isByDistance) return;
  if (filter.evidence) throw invalidField('sort', 'This cannot be filtered yet');
  if (search.sort === 'rating' || search.sort === 'newest') throw invalidField('sort', 'There is no such order yet');
}

/** What is found for anybody who searches, with how their words were understood. Throws `invalid_input` for a parameter that means nothing. */
export async function findForEverybody(db: Db, memory: SearchMemory, search: FindQuery, market: CountryCode | null): Promise<FindPage> {
  const page = search.page ?? 1;
  const take = search.limit ?? pageSize;
  const { country, region, district, category, subCategory } = search;
  const evidence = evidenceOf(search);
  const named = filterOf({ country, region, district, category, subCategory, ...placeNamed(search.where, market) }, market);
  const filter = whereaboutsOf(search, { ...named, ...(evidence && { evidence }) }, market);
  refuseWhatIsNotServed(search, filter);
  const order = search.sort === undefined || search.sort === 'nearest' ? 'recommended' : search.sort;
  const found = await findCards(db, memory, search.q ? { title: search.q } : {}, filter, order, { skip: (page - 1) * take, take });
  return {
    ...pageOf(found.listings, found.total, { page, take }),
    listings: found.listings,
    understood: understandingOf(filter, search.q ?? ''),
    alternatives: [],
    facets: found.facets,
  };
}

function placeNamed(where: string | undefined, market: CountryCode | null) {
  if (!where) return {};
  const found = findDistrict(
    where,
    regions.filter(({ country }) => market === null || country === market),
  );
  if (found) return { region: found.region.name, district: found.district.name };
  const region = findRegion(where);
  if (region) return { region: region.name, district: undefined };
  const country = findCountry(where);
  if (country) return { country, region: undefined, district: undefined };
  throw invalidField('where', 'There is no such place here');
}

function understandingOf({ place, category }: ListingFilter, words: string): Understanding {
  const town = place?.level === 'town' ? localityOf(place.code) : undefined;
  const districtCode = place?.level === 'district' ? place.code : (town?.districtCode ?? 0);
  const region = regionOfCode(place?.level === 'region' ? place.code : Math.floor(districtCode / 100));
  const district = districtOfCode(districtCode);
  const country = place?.level === 'country' ? place.country : region?.country;
  const sub = category?.level === 'sub' ? subCategoryOfCode(category.codes[0] ?? 0) : undefined;
  const group = category?.level === 'group' ? categoryOfCode(category.code) : sub && categoryOfCode(Math.floor(sub.code / 100));
  return {
    category: category?.level === 'main' ? mainCategoryNames[category.main] : (group?.name ?? null),
    subCategory: sub?.name ?? null,
    place: country ? [town?.name ?? district?.name, region?.name ?? markets[country].name].filter(Boolean).join(', ') : null,
    area: country ? { country, region: region?.slug ?? null, district: district?.slug ?? null, town: town?.slug ?? null } : null,
    words,
    corrected: null,
    nearMe: false,
    guess: null,
  };
}
