import { categories, type Category } from '@handwise/contract/listings/categories';
import { type District, type Region, regions } from '@handwise/contract/places/regions';
import type { PlanType } from '@handwise/contract/plans/calls';
import { logoColors } from '@handwise/contract/selling/form-rules';
import { slug } from '@handwise/contract/text';
import { getCentralTown, getTown, listSpots, type Spot } from './market.ts';
import type { Random } from './random.ts';
import { firstNames, landWords, plainWords, surnames, tradeNames, wordplay } from './words-people.ts';
import { type Specialism, specialisms } from './words-specialisms.ts';

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
  specialism: Specialism | undefined;
  /** See `Spot`. */
  central: boolean;
  plan: PlanType;
  /** Further listings, each in another category, so that lists do not show the same name twice in a row. */
  besides: readonly Spot[];
  logo: boolean;
  logoColor: string;
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

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function createBusinessNamer(random: Random) {
  const taken = new Set<string>();
  const jokes = new Map(Object.entries(wordplay).map(([code, names]) => [Number(code), [...names]]));
  return ({ region, category, subCode, specialism }: Spot, town: string, surname: string, first: string): string => {
    const trades = (specialism && specialisms[specialism].names[region.country]) ??
      tradeNames[subCode] ??
      tradeNames[category.code] ?? ['Services'];
    const land = landWords[region.country];
    const place = capital(town.replace(/^the /, ''));
    for (;;) {
      const trade = random.pick(trades);
      const joke = !specialism && random.chance(0.05) ? jokes.get(category.code)?.pop() : undefined;
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

const listRelatedServices = ({ category, subCode, specialism }: Spot) =>
  specialism ? [] : (relatedServices[subCode] ?? relatedServices[category.code] ?? []);

/** Businesses for about `total` listings. Most have one; some with paid plans have further ones for related work. */
export function makeBusinesses(random: Random, total: number): Business[] {
  const nameOf = createBusinessNamer(random);
  const planOf = createPlanAssigner();
  const offered = listSpots(random, total).map((spot) => ({ spot, plan: planOf(spot), taken: false }));
  const businesses: Business[] = [];
  for (const own of offered) {
    if (own.taken) continue;
    own.taken = true;
    const { region, district, category, subCode, specialism, central = false } = own.spot;
    const besides: Spot[] = [];
    for (const share of own.plan === 'basic' ? [] : sharesOfBesides) {
      const also = listRelatedServices(own.spot);
      const other = offered.find(
        ({ spot, plan, taken }) =>
          !taken &&
          !spot.specialism &&
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
    const town = central ? getCentralTown(random, district) : getTown(random, district);
    const name = nameOf(own.spot, town, surname, ownerFirst);
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
      specialism,
      central,
      plan: own.plan,
      besides,
      logo: random.chance(own.plan === 'basic' ? 0.2 : 0.55),
      logoColor: random.pick(logoColors),
    });
  }
  return businesses;
}
