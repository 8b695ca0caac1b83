import { categories } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { regions } from '@handwise/contract/places/regions';
import type { Facts } from '@handwise/contract/site/calls';
import { site } from '@handwise/contract/site/site';
import type { Context } from '../../kit/context.ts';
import { countByCategoryAndRegion } from '../listings/listings.service.ts';
import { countLeadsOfLastMonth } from '../messages/messages.service.ts';
import { listCategoryRatings } from '../reviews/reviews.service.ts';
export type { DocumentContext, SettingsContext } from './site.context.ts';

export { anonymizeSender, getOwnContactData } from './site.contact.ts';
export { applyStoredSettings, findStoredSettings, followSettings, loadSettings, readSiteLogo } from './site.settings.ts';
export { buildSiteDocuments } from './site.documents.ts';
export type { RecordVital } from './site.vitals.ts';

/** The cached input of the facts, shared by all filters. */
/** Whose site this is, for everybody. */
export const describeOperator = () => ({
  name: site.name,
  supportEmail: site.supportEmail,
  legalPerson: site.legalName,
  address: site.legalAddress,
});

export type FactCounts = Awaited<ReturnType<typeof countFacts>>;

/** Counts of one country, or of all without one. */
export async function countFacts({ db, clock }: Context, country: CountryCode | undefined) {
  const [counts, ratings, leadsLastMonth] = await Promise.all([
    countByCategoryAndRegion(db),
    listCategoryRatings(db),
    countLeadsOfLastMonth(db, country, clock.now()),
  ]);
  return { country, counts, ratings, leadsLastMonth };
}

/** A category filters the counts of regions, a region those of categories; averages and totals are always the country's. Closed ones included: lists leave out what they do not offer. */
export function buildFacts(
  { country, counts, ratings, leadsLastMonth }: FactCounts,
  { category, region }: { category?: string | undefined; region?: string | undefined },
): Facts {
  const here = counts.filter((count) => !country || count.country === country);
  const rated = ratings.filter((rating) => !country || rating.country === country);
  const categoryCode = categories.find((one) => one.slug === category)?.code;
  const regionCode = regions.find((one) => one.slug === region)?.code;
  const inRegion = here.filter((count) => regionCode === undefined || count.region_code === regionCode);
  const inCategory = here.filter((count) => categoryCode === undefined || count.category_code === categoryCode);
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  // Rounded as shown, so that cached pages stay unchanged after most reviews.
  const average = (of: typeof rated) =>
    Number((sum(of.map((one) => one.stars)) / Math.max(1, sum(of.map((one) => one.reviews)))).toFixed(1));

  return {
    listings: sum(here.map((count) => count.listings)),
    reviews: sum(rated.map((one) => one.reviews)),
    averageRating: average(rated),
    leadsLastMonth,
    categories: categories.map(({ code, name, slug }) => {
      const ofCategory = rated.filter((one) => one.category_code === code);
      return {
        name,
        slug,
        listings: sum(inRegion.filter((count) => count.category_code === code).map((count) => count.listings)),
        averageRating: average(ofCategory),
        reviewCount: sum(ofCategory.map((one) => one.reviews)),
      };
    }),
    regions: regions
      .filter((region) => !country || region.country === country)
      .map((region) => ({
        name: region.name,
        slug: region.slug,
        country: region.country,
        listings: sum(inCategory.filter((count) => count.region_code === region.code).map((count) => count.listings)),
      })),
  };
}
