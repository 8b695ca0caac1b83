import { categoryOfCode, mainCategoryNames, subCategoryOfCode } from '@handwise/contract/categories';
import { pageSize } from '@handwise/contract/listings';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { districtOfCode, findCountry, findDistrict, findRegion, regionOfCode, regions } from '@handwise/contract/places';
import type { FindPage, FindQuery, Understanding } from '@handwise/contract/search';
import type { Db } from '../../kit/database/database.ts';
import { invalidField } from '../../kit/errors.ts';
import { pageOf } from '../listings/listings.service.ts';
import { findCards } from './search.cards.ts';
import { evidenceOf } from './search.evidence.ts';
import { type ListingFilter, filterOf } from './search.rules.ts';
import type { SearchMemory } from './search.service.ts';

// What the call takes and this server does not answer yet: refused, never passed over.
const notServed = ['town', 'near', 'km', 'serves'] as const;

function refuseWhatIsNotServed(search: FindQuery) {
  for (const name of notServed) if (search[name] !== undefined) throw invalidField(name, 'This cannot be searched by yet');
  if (search.sort === 'nearest') throw invalidField('sort', 'There is no such order yet');
}

/** What is found for anybody who searches, with how their words were understood. Throws `invalid_input` for a parameter that means nothing. */
export async function findForEverybody(db: Db, memory: SearchMemory, search: FindQuery, market: CountryCode | null): Promise<FindPage> {
  refuseWhatIsNotServed(search);
  const page = search.page ?? 1;
  const take = search.limit ?? pageSize;
  const { country, region, district, category, subCategory } = search;
  const evidence = evidenceOf(search);
  const place = filterOf({ country, region, district, category, subCategory, ...placeNamed(search.where, market) }, market);
  const filter = { ...place, ...(evidence && { evidence }) };
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
  const region =
    place?.level === 'region'
      ? regionOfCode(place.code)
      : place?.level === 'district'
        ? regionOfCode(Math.floor(place.code / 100))
        : undefined;
  const district = place?.level === 'district' ? districtOfCode(place.code) : undefined;
  const country = place?.level === 'country' ? place.country : region?.country;
  const sub = category?.level === 'sub' ? subCategoryOfCode(category.codes[0] ?? 0) : undefined;
  const group = category?.level === 'group' ? categoryOfCode(category.code) : sub && categoryOfCode(Math.floor(sub.code / 100));
  return {
    category: category?.level === 'main' ? mainCategoryNames[category.main] : (group?.name ?? null),
    subCategory: sub?.name ?? null,
    place: country ? [district?.name, region?.name ?? markets[country].name].filter(Boolean).join(', ') : null,
    area: country ? { country, region: region?.slug ?? null, district: district?.slug ?? null, town: null } : null,
    words,
    corrected: null,
    nearMe: false,
    guess: null,
  };
}
