import { randomUUID } from 'node:crypto';
import { findCategoryByCode } from '@handwise/contract/listings/categories';
import { findDistrictByCode, getRegionCode, findRegionByCode } from '@handwise/contract/places/regions';
import type { PlanType } from '@handwise/contract/plans/calls';
import { plans } from '@handwise/contract/plans/table';

type Subscription = { id: string; user_id: string; ends_at: Date };

export type ListingOptions = {
  title?: string;
  business?: string;
  services?: readonly string[];
  district?: number;
  category?: number;
  subCategory?: number | null;
  plan?: PlanType;
  status?: 'active' | 'inactive' | 'expired';
  createdAt?: Date;
  /** Code of the locality where it is based. */
  base?: number | null;
  radiusKm?: number | null;
  serviceDistricts?: readonly number[] | null;
};

/** A row of `listings` under this subscription. */
export function listingRow(subscription: Subscription, options: ListingOptions = {}) {
  const { title = 'Friendly local plumber', district = 306, category = 6, plan = 'basic', status = 'active' } = options;
  const regionCode = getRegionCode(district);
  const country = findRegionByCode(regionCode)?.country;
  const mainCategory = findCategoryByCode(category)?.mainCategory;
  if (!country || !mainCategory || !findDistrictByCode(district)) throw new Error('no such place or category');
  return {
    seller_id: subscription.user_id,
    subscription_id: subscription.id,
    subscription_ends_at: subscription.ends_at,
    status,
    plan_rank: plans[plan].rank,
    country,
    region_code: regionCode,
    district_code: district,
    main_category: mainCategory,
    category_code: category,
    sub_category_code: options.subCategory ?? null,
    base_locality_code: options.base ?? null,
    service_radius_km: options.radiusKm ?? null,
    service_districts: options.serviceDistricts ? [...options.serviceDistricts] : null,
    service_title: title,
    service_description: 'We come when we say we will and leave the place tidy.',
    services: [...(options.services ?? ['Repairs'])],
    business_title: options.business ?? 'Kingi & Daughters',
    business_email: 'office@kingi.example',
    business_info: 'A family business that has looked after homes in the area for twenty years.',
    created_at: options.createdAt ?? new Date(),
  };
}

type Fields = Record<string, string | readonly string[]>;

/** The text fields of a new listing, as the wizard sends them. */
export const listingForm = (servicePlan: string, overrides: Fields = {}) => ({
  submissionId: randomUUID(),
  businessTitle: 'Kingi & Daughters',
  serviceTitle: 'Friendly local plumber',
  businessEmailAddress: 'office@kingi.example',
  businessInfo: 'A family business that has looked after homes in the area for twenty years.',
  serviceDescription: 'We come when we say we will and leave the place tidy.',
  serviceCategory: 'Plumbing',
  servicePlan,
  location: 'Taupō, Waikato, New Zealand',
  'services[]': ['Leaks', 'Hot water'] as readonly string[],
  // The law asks plumbers for one everywhere.
  licenceRegister: String(overrides['location']).includes('Australia') ? 'nsw' : 'pgdb',
  licenceNumber: '12345',
  licenceName: 'Mere Kingi',
  licenceClass: 'Certifying plumber',
  ...overrides,
});
