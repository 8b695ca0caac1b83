import { categories } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { regions } from '@handwise/contract/places/regions';
import type { Facts } from '@handwise/contract/site/calls';
import type { Context } from '../../kit/context.ts';
import { countByCategoryAndRegion } from '../listings/listings.service.ts';
import { countLeadsOfLastMonth } from '../messages/messages.service.ts';
import { listCategoryRatings } from '../reviews/reviews.service.ts';

export { forgetSender, ownDataOf } from './site.own-data.ts';

/** What the facts are worked out from: small, and the same for every narrowing. */
export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Figures of one country, or of both where none is given. */
export async function readFigures({ db, clock }: Context, country: CountryCode | undefined) {
  const [counts, ratings, leadsLastMonth] = await Promise.all([
    countByCategoryAndRegion(db),
    listCategoryRatings(db),
    countLeadsOfLastMonth(db, country, clock.now()),
  ]);
  return { country, counts, ratings, leadsLastMonth };
}

/** With a category its regions are counted, with a region its categories. Averages and sums are the country's in any case. */
export function factsOf(
  { country, counts, ratings, leadsLastMonth }: Figures,
  { category, region }: { category?: string | undefined; region?: string | undefined },
): Facts {
  const here = counts.filter((count) => !country || count.country === country);
  const rated = ratings.filter((rating) => !country || rating.country === country);
  const categoryCode = categories.find((one) => one.slug === category)?.code;
  const regionCode = regions.find((one) => one.slug === region)?.code;
  const inRegion = here.filter((count) => regionCode === undefined || count.region_code === regionCode);
  const inCategory = here.filter((count) => categoryCode === undefined || count.category_code === categoryCode);
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  // As it is shown: pages that show it stay the same through most reviews.
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
