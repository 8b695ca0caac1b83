import type { AskingPrice, Costs, ServiceCosts } from '@handwise/contract/costs/calls';
import { findCategoryByCode, categories, findSubCategoryByCode, getGroupCode } from '@handwise/contract/listings/categories';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { findRegionByCode, regions } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { publishChange } from '../../kit/events/changes.ts';
import { listAskingPrices, replaceAskingPrices } from './costs.queries.ts';

/** The cache tag of responses with asking prices. */
export const costsTag = 'costs';

type Row = Awaited<ReturnType<typeof listAskingPrices>>[number];

const toName = ({ name, slug }: { name: string; slug: string }) => ({ name, slug });

const toPrice = (row: Row): AskingPrice => ({
  unit: row.price_unit,
  currency: markets[row.country].currency,
  sample: row.sample,
  median: row.median_minor,
  low: row.low_minor,
  high: row.high_minor,
});

const ofCountry = (rows: readonly Row[]) => rows.filter((row) => row.region_code === null);

/** Computes the asking prices of all services from the active listings. */
export async function computeCosts({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await replaceAskingPrices(tx, now);
    await publishChange(tx, 'costs', now.toISOString());
  });
}

function toServices(rows: readonly Row[]): ServiceCosts[] {
  return [...new Set(ofCountry(rows).map((row) => row.sub_category_code))].flatMap((code) => {
    const subCategory = findSubCategoryByCode(code);
    const category = findCategoryByCode(getGroupCode(code));
    if (!category || !subCategory) return [];
    const prices = ofCountry(rows).filter((row) => row.sub_category_code === code);
    return [{ category: toName(category), subCategory: toName(subCategory), prices: prices.map(toPrice) }];
  });
}

/** The services with a sample that is large enough, by category. */
export const listCostServices = async (db: Reader, country?: CountryCode): Promise<ServiceCosts[]> =>
  toServices(await listAskingPrices(db, { country }));

/** The same with the time of their computation. */
export async function getCostList(db: Reader, country: CountryCode | undefined) {
  const rows = await listAskingPrices(db, { country });
  return { services: toServices(rows), asOf: rows[0]?.computed_at.toISOString() ?? null };
}

type Service = { category: string; subCategory: string; country: CountryCode | undefined; region: string | undefined };

/** The asking prices of a service in a country, in both, or in a region. Throws `costs_not_found` if no sample is large enough. */
export async function getServiceCosts(db: Reader, names: Service): Promise<Costs> {
  const category = categories.find(({ slug }) => slug === names.category);
  const subCategory = category?.subCategories.find(({ slug }) => slug === names.subCategory);
  const region = regions.find(({ slug }) => slug === names.region);
  if (!category || !subCategory || (region && names.country && region.country !== names.country)) throw new AppError('costs_not_found');
  const rows = await listAskingPrices(db, { country: region?.country ?? names.country, subCategory: subCategory.code });
  const shown = region ? rows.filter((row) => row.region_code === region.code) : ofCountry(rows);
  const [first] = shown;
  if (!first) throw new AppError('costs_not_found');
  return {
    category: toName(category),
    subCategory: toName(subCategory),
    prices: shown.map(toPrice),
    regions: region ? [] : toRegions(rows),
    asOf: first.computed_at.toISOString(),
  };
}

const toRegions = (rows: readonly Row[]): Costs['regions'] =>
  [...new Set(rows.map((row) => row.region_code))].flatMap((code) => {
    const region = code === null ? undefined : findRegionByCode(code);
    if (!region) return [];
    const prices = rows.filter((row) => row.region_code === code).map(toPrice);
    return [{ ...toName(region), country: region.country, prices }];
  });
