import type { AskingPrice, ServiceCosts } from '@handwise/contract/costs/calls';
import { describePrice, formatDollars, formatMiddleHalf, priceFactors } from '@handwise/contract/costs/words';
import { formatDate, siteTimeZone } from '@handwise/contract/dates';
import { priceUnits } from '@handwise/contract/facts/prices';
import { categories, findSubCategories } from '@handwise/contract/listings/categories';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { paths } from '@handwise/contract/paths';
import { findRegion } from '@handwise/contract/places/regions';
import type { ServerContext } from '../../lib/server-context.ts';

const servicesOnLanding = 6;

const allPlaces = 'New Zealand and Australia';
const formatDay = (asOf: string) => formatDate(asOf, siteTimeZone);

/** The name of a service, with its category if another service has the same name. */
const getServiceName = ({ category, subCategory }: Pick<ServiceCosts, 'category' | 'subCategory'>) =>
  findSubCategories(subCategory.slug).length > 1 ? `${subCategory.name} (${category.name})` : subCategory.name;

/** A price with its formatted texts, so that browsers do not load the formatter. */
const toView = (price: AskingPrice) => ({
  ...price,
  unitText: priceUnits[price.unit],
  medianText: formatDollars(price.median),
  halfText: formatMiddleHalf(price),
  sentence: describePrice(price),
});
export type PriceView = ReturnType<typeof toView>;

const toTiles = (services: readonly ServiceCosts[]) =>
  services.flatMap((service) => {
    const [price] = service.prices;
    if (!price) return [];
    return [{ name: getServiceName(service), path: paths.costsOf(service.category.slug, service.subCategory.slug), price: toView(price) }];
  });
export type CostTile = ReturnType<typeof toTiles>[number];

/** All services with asking prices, by category. */
export async function getCostsData({ call, market }: ServerContext) {
  const { services, asOf } = await call('GET /costs', { query: {} });
  return {
    place: market ? markets[market].name : allPlaces,
    asOf: asOf && formatDay(asOf),
    categories: categories.flatMap(({ name, slug }) => {
      const own = services.filter(({ category }) => category.slug === slug);
      return own.length === 0 ? [] : [{ name, slug, services: toTiles(own) }];
    }),
  };
}

type Group = { country: string; currency: string; prices: PriceView[]; regions: { name: string; prices: PriceView[] }[] };

/** One service's asking prices by country and region. Null if no sample is large enough. */
export async function getServiceCostsData({ call, market }: ServerContext, names: { category: string; subCategory: string }) {
  const costs = await call('GET /costs/:category/:subCategory', { params: names, query: {} }).catch((error: unknown) => {
    if ((error as { status?: number }).status === 404) return null;
    throw error;
  });
  if (!costs) return null;
  const { services } = await call('GET /costs', { query: {} });
  const groups = (Object.keys(markets) as CountryCode[]).flatMap((code): Group[] => {
    const { name: country, currency } = markets[code];
    const prices = costs.prices.filter((price) => price.currency === currency).map(toView);
    const regions = costs.regions
      .filter((region) => region.country === code)
      .map((one) => ({ name: one.name, prices: one.prices.map(toView) }));
    return prices.length === 0 ? [] : [{ country, currency, prices, regions }];
  });
  return {
    name: getServiceName(costs),
    category: costs.category,
    subCategory: costs.subCategory,
    place: market ? markets[market].name : groups.map(({ country }) => country).join(' and '),
    groups,
    asOf: { text: formatDay(costs.asOf), iso: costs.asOf },
    factors: priceFactors[costs.category.slug] ?? [],
    others: toTiles(
      services.filter(({ category, subCategory }) => category.slug === costs.category.slug && subCategory.slug !== costs.subCategory.slug),
    ),
  };
}
export type ServiceCostsData = NonNullable<Awaited<ReturnType<typeof getServiceCostsData>>>;

/** Links to what the services of a category cost in the country of a region, with their prices. */
export async function getCategoryCostLinks({ call, market }: ServerContext, categorySlug: string, regionSlug: string | undefined) {
  const country = (regionSlug === undefined ? undefined : findRegion(regionSlug)?.country) ?? market ?? undefined;
  const { services } = await call('GET /costs', { query: { country } });
  return services
    .filter(({ category }) => category.slug === categorySlug)
    .flatMap(({ category, subCategory, prices: [price] }) => {
      if (!price) return [];
      const currency = country ? '' : ` ${price.currency}`;
      const name = `${subCategory.name}, ${formatMiddleHalf(price)}${currency} ${priceUnits[price.unit]}`;
      return [{ name, slug: paths.costsOf(category.slug, subCategory.slug) }];
    });
}

/** The services with the largest samples, one per category. */
export async function getLandingCosts({ call }: Pick<ServerContext, 'call'>) {
  const { services } = await call('GET /costs', { query: {} });
  const seen = new Set<string>();
  return toTiles(
    services
      .toSorted((a, b) => (b.prices[0]?.sample ?? 0) - (a.prices[0]?.sample ?? 0))
      .filter(({ category }) => !seen.has(category.slug) && seen.add(category.slug))
      .slice(0, servicesOnLanding),
  );
}
