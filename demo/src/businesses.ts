import { categories, type Category, findCategoryByCode, getGroupCode } from '@handwise/contract/listings/categories';
import { logoColors } from '@handwise/contract/selling/form-rules';
import type { PlanType } from '@handwise/contract/plans/calls';
import { type District, findDistrict, type Region, regions } from '@handwise/contract/places/regions';
import { slug } from '@handwise/contract/text';
import type { Random } from './random.ts';
import { districtWeights, firstNames, landWords, localNames, plainWords, surnames, tradeNames, wordplay } from './words-people.ts';

/** A business from which users, subscriptions and listings are made. */
export type Business = {
  name: string;
  slug: string;
  ownerFirst: string;
  ownerFull: string;
  years: number;
  staff: number;
  region: Region;
  district: District;
  town: string;
  category: Category;
  subCode: number;
  plan: PlanType;
  /** Further listings, each in another category, so that lists do not show the same name twice in a row. */
  besides: readonly Spot[];
  logo: boolean;
  logoColor: string;
};

type Spot = { region: Region; district: District; category: Category; subCode: number };

/** The largest cities of both countries by population; each has businesses for every sub-category. */
export const largestCities: readonly string[] = [
  'Sydney',
  'Melbourne',
  'Brisbane',
  'Perth',
  'Auckland',
  'Adelaide',
  'Gold Coast',
  'Newcastle',
  'Canberra',
  'Christchurch',
];
const perSubCategoryInCities = 2;
// Two more cities in New Zealand, with one business per sub-category.
const otherCities = ['Wellington City', 'Hamilton'];

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

// Related sub-categories in other categories, by sub-category or category: a plumber also fits gas.
const relatedServices: Readonly<Record<number, readonly number[]>> = {
  1: [901],
  4: [1004, 701],
  406: [1002],
  501: [303, 201],
  502: [606],
  6: [502],
  801: [205],
  1003: [1201],
  11: [1001],
  12: [1101, 205],
};
const sharesOfBesides = [0.7, 0.25] as const;

const citySet: ReadonlySet<string> = new Set([...largestCities, ...otherCities]);
/** Whether the city has a business for every sub-category; the first listing of each stays active. */
export const isFilledCity = (district: District) => citySet.has(district.name);
const weightOf = (district: District) => districtWeights[district.name] ?? 1;
// These cities already have businesses for every sub-category.
const restWeightOf = (district: District) => weightOf(district) * (isFilledCity(district) ? 0.3 : 1);
const regionWeight = (region: Region) => region.districts.reduce((sum, district) => sum + restWeightOf(district), 0);

export const getTown = (random: Random, district: District) => random.pick(localNames[district.name] ?? [district.name]);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function createBusinessNamer(random: Random) {
  const taken = new Set<string>();
  const jokes = new Map(Object.entries(wordplay).map(([code, names]) => [Number(code), [...names]]));
  return (region: Region, town: string, category: Category, subCode: number, surname: string, first: string): string => {
    const trades = tradeNames[subCode] ?? tradeNames[category.code] ?? ['Services'];
    const land = landWords[region.country];
    const place = capital(town.replace(/^the /, ''));
    for (;;) {
      const trade = random.pick(trades);
      const joke = random.chance(0.05) ? jokes.get(category.code)?.pop() : undefined;
      const name =
        joke ??
        random.weighted<[number, string]>(
          [
            [5, `${surname} ${trade}`],
            [2, `${surname} & ${random.pick(['Sons', 'Daughters', 'Co', 'Sons'])} ${trade}`],
            [2, `${surname} & ${random.pick(surnames)} ${trade}`],
            [2, `${first} ${surname} ${trade}`],
            [3, `${place} ${trade}`],
            [1, `${place} ${random.pick(['Family', 'Local', 'City', 'District', 'Premium'])} ${trade}`],
            [4, `${random.pick(land)} ${trade}`],
            [3, `${random.pick(plainWords)} ${trade}`],
            [1, `${first}'s ${trade}`],
            [1, `${random.pick(land)} & ${surname} ${trade}`],
          ],
          ([weight]) => weight,
        )[1];
      if (name.length > 60 || taken.has(slug(name))) continue;
      taken.add(slug(name));
      return name;
    }
  };
}

/**
 * Places and sub-categories of about `total` listings: every sub-category in the largest cities, one per category in regions without such a city, and
 * the rest by population.
 */
function listSpots(random: Random, total: number): Spot[] {
  const spots: Spot[] = [];
  const fill = (city: string, perSubCategory: number) => {
    const place = findDistrict(city);
    if (!place) throw new Error(`There is no district ${city}`);
    for (const category of categories)
      for (const { code } of category.subCategories)
        for (let copy = 0; copy < perSubCategory; copy++) spots.push({ ...place, category, subCode: code });
  };
  for (const city of largestCities) fill(city, perSubCategoryInCities);
  for (const city of otherCities) fill(city, 1);
  for (const [regionIndex, region] of regions.entries()) {
    if (region.districts.some(isFilledCity)) continue;
    const districts = region.districts.filter((district) => weightOf(district) > 0);
    for (const [index, category] of categories.entries()) {
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

/**
 * Assigns 8 % featured and 22 % premium, evenly over sub-categories and districts: multiples of two irrational numbers are uniformly distributed along
 * both.
 */
function createPlanAssigner() {
  const subs = new Map(categories.flatMap((one) => one.subCategories).map(({ code }, index) => [code, index]));
  const places = new Map(regions.flatMap((region) => region.districts).map(({ code }, index) => [code, index]));
  const assigned = new Map<string, number>();
  return ({ district, subCode }: Spot): PlanType => {
    const before = assigned.get(`${district.code} ${subCode}`) ?? 0;
    assigned.set(`${district.code} ${subCode}`, before + 1);
    const place = (places.get(district.code) ?? 0) * 7 + before * 3;
    const share = ((subs.get(subCode) ?? 0) * 0.618_033_988_7 + place * 0.754_877_666_2) % 1;
    return share < 0.08 ? 'featured' : share < 0.3 ? 'premium' : 'basic';
  };
}

const listRelatedServices = ({ category, subCode }: Spot) => relatedServices[subCode] ?? relatedServices[category.code] ?? [];

/** Businesses for about `total` listings. Most have one; some with paid plans have further ones for related work. */
export function makeBusinesses(random: Random, total: number): Business[] {
  const nameOf = createBusinessNamer(random);
  const planOf = createPlanAssigner();
  const offered = listSpots(random, total).map((spot) => ({ spot, plan: planOf(spot), taken: false }));
  const businesses: Business[] = [];
  for (const own of offered) {
    if (own.taken) continue;
    own.taken = true;
    const { region, district, category, subCode } = own.spot;
    const besides: Spot[] = [];
    for (const share of own.plan === 'basic' ? [] : sharesOfBesides) {
      const also = listRelatedServices(own.spot);
      const other = offered.find(
        ({ spot, plan, taken }) =>
          !taken &&
          plan === own.plan &&
          spot.region === region &&
          also.includes(spot.subCode) &&
          besides.every((one) => one.category !== spot.category),
      );
      if (!other || !random.chance(share)) break;
      other.taken = true;
      besides.push(other.spot);
    }
    const surname = random.pick(surnames);
    const ownerFirst = random.pick(firstNames);
    const town = getTown(random, district);
    const name = nameOf(region, town, category, subCode, surname, ownerFirst);
    businesses.push({
      name,
      slug: slug(name),
      ownerFirst,
      ownerFull: `${ownerFirst} ${surname}`,
      years: random.int(3, 28),
      staff: random.int(2, 14),
      region,
      district,
      town,
      category,
      subCode,
      plan: own.plan,
      besides,
      logo: random.chance(own.plan === 'basic' ? 0.2 : 0.55),
      logoColor: random.pick(logoColors),
    });
  }
  return businesses;
}

/** A sub-category at the place of a business. */
export const spotIn = ({ region, district }: Pick<Business, 'region' | 'district'>, subCode: number): Spot => {
  const category = findCategoryByCode(getGroupCode(subCode));
  if (!category) throw new Error(`There is no group of sub-category ${subCode}`);
  return { region, district, category, subCode };
};
