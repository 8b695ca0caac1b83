import { type Category, categories } from '@handwise/contract/categories';
import { logoColors } from '@handwise/contract/selling-forms';
import { plans } from '@handwise/contract/plan-table';
import type { PlanType } from '@handwise/contract/plans';
import { type District, type Region, regions } from '@handwise/contract/places';
import { slug } from '@handwise/contract/text';
import type { Random } from './random.ts';
import { districtWeights, firstNames, landWords, localNames, plainWords, surnames, tradeNames, wordplay } from './words-people.ts';

/** A business before it has rows: where it is, what it does, and how many listings under which plan. */
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
  listings: number;
  logo: boolean;
  logoColor: string;
};

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

const weightOf = (district: District) => districtWeights[district.name] ?? 1;
const regionWeight = (region: Region) => region.districts.reduce((sum, district) => sum + weightOf(district), 0);

export const townOf = (random: Random, district: District) => random.pick(localNames[district.name] ?? [district.name]);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function businessNamer(random: Random) {
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
 * Businesses for about `total` listings. First one in each region and group, running through the sub-categories and the
 * districts, so that no corner is empty; then the rest where the people are.
 */
export function makeBusinesses(random: Random, total: number): Business[] {
  const nameOf = businessNamer(random);
  const businesses: Business[] = [];

  const add = (region: Region, district: District, category: Category, subCode: number, plan: PlanType, count: number) => {
    const surname = random.pick(surnames);
    const ownerFirst = random.pick(firstNames);
    const town = townOf(random, district);
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
      plan,
      listings: count,
      logo: random.chance(plan === 'basic' ? 0.2 : 0.55),
      logoColor: random.pick(logoColors),
    });
  };

  regions.forEach((region, regionIndex) => {
    const districts = region.districts.filter((district) => weightOf(district) > 0);
    categories.forEach((category, index) => {
      const sub = category.subCategories[(regionIndex + index) % category.subCategories.length];
      const district = districts[(index + regionIndex * 5) % districts.length];
      if (sub && district) add(region, district, category, sub.code, random.chance(0.8) ? 'basic' : 'premium', 1);
    });
  });
  const listings = () => businesses.reduce((sum, business) => sum + business.listings, 0);
  while (listings() < total) {
    const region = random.weighted(regions, regionWeight);
    const district = random.weighted(region.districts, weightOf);
    const category = random.weighted(categories, (one) => groupWeights[one.code] ?? 1);
    const plan = random.weighted(['basic', 'premium', 'featured'] as const, (one) => ({ basic: 70, premium: 22, featured: 6 })[one]);
    const count = { basic: 1, premium: random.int(1, plans.premium.slots - 1), featured: random.int(2, 6) }[plan];
    add(region, district, category, random.pick(category.subCategories).code, plan, count);
  }
  return businesses;
}
