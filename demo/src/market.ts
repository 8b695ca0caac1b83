import { categories, type Category, findCategoryByCode, getGroupCode } from '@handwise/contract/listings/categories';
import { kmBetween } from '@handwise/contract/places/distance';
import { type District, findDistrict, type Region, regions } from '@handwise/contract/places/regions';
import { findBaseByName, findMainTown } from '@handwise/server/domains/places/places.service';
import type { Random } from './random.ts';
import { districtWeights, localNames } from './words-people.ts';
import type { Specialism } from './words-specialisms.ts';

// Where businesses are: by population, with every trade that people search for in each larger place.

/** A sub-category in a district, perhaps narrowed to one kind of work. */
export type Spot = {
  region: Region;
  district: District;
  category: Category;
  subCode: number;
  specialism?: Specialism | undefined;
  /** Based within `centralKm` of the district's main town and running, so that a search around it finds it. */
  central?: boolean;
};

type Trade = { name: string; subCodes: readonly number[]; specialism?: Specialism };

/** The trades that people search for most. Several sub-categories of one trade take turns. */
export const mainTrades: readonly Trade[] = [
  { name: 'plumber', subCodes: [601] },
  { name: 'electrician', subCodes: [501] },
  { name: 'builder', subCodes: [402, 401] },
  { name: 'painter', subCodes: [801] },
  { name: 'roofer', subCodes: [701] },
  { name: 'gasfitter', subCodes: [502] },
  { name: 'fencing', subCodes: [1003] },
  { name: 'landscaping', subCodes: [1104, 1001] },
  { name: 'lawn mowing', subCodes: [1101] },
  { name: 'house cleaning', subCodes: [101] },
  { name: 'window cleaning', subCodes: [901, 104] },
  { name: 'handyman', subCodes: [1201, 1203] },
  { name: 'heat pumps', subCodes: [501], specialism: 'heat pumps' },
  { name: 'tiling', subCodes: [404], specialism: 'tiling' },
  { name: 'carpentry', subCodes: [1004] },
  { name: 'concrete', subCodes: [1002] },
  { name: 'locksmith', subCodes: [201], specialism: 'locks' },
  { name: 'alarms', subCodes: [301, 303] },
  { name: 'glazier', subCodes: [903, 902] },
];

/** Trades of which a city has some, and a town one. */
export const commonTrades: readonly Trade[] = [
  { name: 'drains', subCodes: [605] },
  { name: 'renovation', subCodes: [404] },
  { name: 'arborist', subCodes: [1102] },
  { name: 'pest control', subCodes: [204] },
  { name: 'appliance repairs', subCodes: [202, 503] },
];

/** Cities with businesses for every sub-category: how many of each main and common trade. */
export const cities: Readonly<Record<string, { main: number; common: number }>> = {
  Auckland: { main: 8, common: 4 },
  Sydney: { main: 8, common: 4 },
  Melbourne: { main: 8, common: 4 },
  Brisbane: { main: 8, common: 4 },
  'Wellington City': { main: 4, common: 2 },
  Christchurch: { main: 4, common: 2 },
  Hamilton: { main: 4, common: 2 },
  Perth: { main: 4, common: 2 },
  Adelaide: { main: 4, common: 2 },
  'Gold Coast': { main: 2, common: 1 },
  Newcastle: { main: 2, common: 1 },
  Canberra: { main: 2, common: 1 },
};
const centralKm = 25;

// From this weight on a place has a business of each main and common trade, two of the everyday ones, and from the lower one of these trades.
const weightOfTowns = 4;
const weightOfSmallTowns = 2;
const tradesOfSmallTowns: ReadonlySet<string> = new Set([
  'plumber',
  'electrician',
  'builder',
  'painter',
  'roofer',
  'lawn mowing',
  'house cleaning',
  'handyman',
  'carpentry',
  'appliance repairs',
]);

const everydayTrades: ReadonlySet<string> = new Set(['plumber', 'electrician', 'builder', 'handyman']);

const groupWeights: Record<number, number> = {
  1: 1.3,
  2: 1,
  3: 0.6,
  4: 1.3,
  5: 1.2,
  6: 1.4,
  7: 0.7,
  8: 0.8,
  9: 0.8,
  10: 0.9,
  11: 1.2,
  12: 1.2,
};

/** Whether the city has a business for every sub-category; the first listing of each stays active. */
export const isFilledCity = (district: District) => district.name in cities;
const weightOf = (district: District) => districtWeights[district.name] ?? 1;
// Cities already have their businesses, so they get fewer of the rest.
const restWeightOf = (district: District) => weightOf(district) * (isFilledCity(district) ? 0.15 : 1);
const regionWeight = (region: Region) => region.districts.reduce((sum, district) => sum + restWeightOf(district), 0);

export const getTown = (random: Random, district: District) => random.pick(localNames[district.name] ?? [district.name]);

const centralTowns = new Map<number, readonly string[]>();

/** A name in the district of a place that is at most `centralKm` from its main town. */
export function getCentralTown(random: Random, district: District): string {
  const known = centralTowns.get(district.code);
  if (known) return random.pick(known);
  const centre = findMainTown(district.code);
  const near = (localNames[district.name] ?? []).filter((name) => {
    const base = findBaseByName(district.code, name);
    return base && centre && kmBetween(base, centre) <= centralKm;
  });
  const towns = near.length > 0 ? near : [district.name];
  centralTowns.set(district.code, towns);
  return random.pick(towns);
}

/** A sub-category in a place. */
export const spotIn = ({ region, district }: Pick<Spot, 'region' | 'district'>, subCode: number): Spot => {
  const category = findCategoryByCode(getGroupCode(subCode));
  if (!category) throw new Error(`There is no group of sub-category ${subCode}`);
  return { region, district, category, subCode };
};

/** The `turn`th business of a trade in a place. */
function spotOfTrade(place: Pick<Spot, 'region' | 'district'>, trade: Trade, turn: number): Spot {
  const spot = spotIn(place, trade.subCodes[turn % trade.subCodes.length] ?? 0);
  return trade.specialism ? { ...spot, specialism: trade.specialism } : spot;
}

/**
 * Places and sub-categories of `total` listings: every trade in cities and towns, everyday trades in small towns, one per category in each other
 * region, and the rest by population.
 */
export function listSpots(random: Random, total: number): Spot[] {
  const spots: Spot[] = [];
  for (const [city, count] of Object.entries(cities)) {
    const place = findDistrict(city);
    if (!place) throw new Error(`There is no district ${city}`);
    for (const [trades, times] of [
      [mainTrades, count.main],
      [commonTrades, count.common],
    ] as const)
      for (const trade of trades)
        for (let turn = 0; turn < times; turn++) spots.push({ ...spotOfTrade(place, trade, turn), central: trades === mainTrades });
    const covered = new Set(spots.filter((one) => one.district === place.district && !one.specialism).map((one) => one.subCode));
    for (const { subCategories } of categories)
      for (const { code } of subCategories) if (!covered.has(code)) spots.push(spotIn(place, code));
  }
  const inRegion = new Set(spots.map(({ region, category }) => `${region.code}/${category.code}`));
  const add = (spot: Spot) => {
    inRegion.add(`${spot.region.code}/${spot.category.code}`);
    spots.push(spot);
  };
  for (const region of regions)
    for (const district of region.districts.filter((one) => !isFilledCity(one) && weightOf(one) >= weightOfSmallTowns))
      for (const trade of [...mainTrades, ...commonTrades])
        if (weightOf(district) >= weightOfTowns || tradesOfSmallTowns.has(trade.name))
          for (let turn = 0; turn < (weightOf(district) >= weightOfTowns && everydayTrades.has(trade.name) ? 2 : 1); turn++)
            add({ ...spotOfTrade({ region, district }, trade, district.code + turn), central: true });
  for (const [regionIndex, region] of regions.entries()) {
    const districts = region.districts.filter((district) => weightOf(district) > 0);
    for (const [index, category] of categories.entries()) {
      if (inRegion.has(`${region.code}/${category.code}`)) continue;
      const sub = category.subCategories[(regionIndex + index) % category.subCategories.length];
      const district = districts[(index + regionIndex * 5) % districts.length];
      if (sub && district) spots.push({ region, district, category, subCode: sub.code });
    }
  }
  while (spots.length < total) {
    const region = random.weighted(regions, regionWeight);
    const district = random.weighted(region.districts, restWeightOf);
    const category = random.weighted(categories, (one) => groupWeights[one.code] ?? 1);
    spots.push({ region, district, category, subCode: random.pick(category.subCategories).code });
  }
  return spots;
}
