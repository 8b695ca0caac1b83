import { findCategory, findSubCategories } from '@handwise/contract/listings/categories';
import type { listingForm } from '@handwise/contract/selling/forms';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { findCountry, findDistrict, findRegion } from '@handwise/contract/places/regions';
import type { z } from 'zod';
import { invalidField } from '../../kit/errors.ts';

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
  | 'location'
>;

/** The columns of what a listing says. Throws `invalid_input` for a place or a category that there is not. */
export function contentOf(form: Texts, market: CountryCode | null) {
  const category = findCategory(form.serviceCategory);
  if (!category) throw invalidField('serviceCategory', 'There is no such category');
  const subCategory = form.serviceSubCategory ? findSubCategories(form.serviceSubCategory, category)[0] : undefined;
  if (form.serviceSubCategory && !subCategory) throw invalidField('serviceSubCategory', 'There is no such sub-category here');
  return {
    ...placeOf(form.location, market),
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
  };
}

const distinct = (services: readonly string[]) => [...new Map(services.map((one) => [one.toLowerCase(), one] as const)).values()];

// "district, region, country", smallest first, as the API writes it.
function placeOf(location: string, market: CountryCode | null) {
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
