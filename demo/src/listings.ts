import type { Category } from '@handwise/contract/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { plans, subscriptionDays } from '@handwise/contract/plan-table';
import type { PlanType } from '@handwise/contract/plans';
import type { Bank } from './bank.ts';
import { type Business, makeBusinesses, townOf } from './businesses.ts';
import { type EvidenceRow, evidenceOf, registrationOf } from './evidence.ts';
import { altTexts } from './picture-alts.ts';
import type { LogoOrder } from './logos.ts';
import type { UserRow, userMaker } from './people.ts';
import type { PictureOrder } from './pictures.ts';
import { type Random, randomFrom, seedOf } from './random.ts';
import { serviceAreaOf } from './service-areas.ts';
import { type Names, fill, wordsFor } from './words.ts';
import { tradeNames } from './words-people.ts';
import { abouts, closings, manners } from './words-shared.ts';

export type SubscriptionRow = {
  id: string;
  user_id: string;
  plan_type: PlanType;
  country: string;
  slots: number;
  starts_at: string;
  ends_at: string;
};
export type ListingStatus = 'active' | 'inactive' | 'expired';
type ListingRow = EvidenceRow & {
  id: string;
  listing_number: number;
  seller_id: string;
  subscription_id: string;
  status: ListingStatus;
  plan_rank: number;
  subscription_ends_at: string;
  country: string;
  region_code: number;
  district_code: number;
  base_locality_code: number | null;
  service_radius_km: number | null;
  service_districts: number[] | null;
  main_category: string;
  category_code: number;
  sub_category_code: number;
  service_title: string;
  service_description: string;
  services: string[];
  business_title: string;
  business_email: string;
  business_info: string;
  website: string;
  logo_color: string;
  created_at: string;
};
/** A listing with what its pictures and reviews are made from. */
export type DemoListing = {
  row: ListingRow;
  pictures: PictureOrder[];
  registration: ReturnType<typeof registrationOf>;
  logo: LogoOrder | undefined;
  owner: string;
  town: string;
  region: string;
  country: CountryCode;
  subCode: number;
};

const day = 86_400_000;
const iso = (instant: number) => new Date(instant).toISOString();

const places = (town: string): readonly ((head: string) => string)[] => [
  (head) => `${head} in ${town}`,
  (head) => `${head} in ${town}`,
  (head) => `${head} across ${town}`,
  (head) => `${head} around ${town}`,
  (head) => `${head} – ${town} and nearby`,
  (head) => `${head}, ${town}`,
  (head) => head,
  (head) => head,
];

/** What else a business does: one that is named after its speciality keeps to it. */
function relatedSubs({ category, subCode }: Business): number[] {
  if (tradeNames[subCode]) return [subCode];
  return category.subCategories.map((sub) => sub.code).filter((code) => !tradeNames[code]);
}

function writeTitle(random: Random, { heads }: Bank, town: string, taken: Set<string>): string {
  for (;;) {
    const head = random.pick(heads);
    // A head with an "in" or a question of its own reads badly with another place after it.
    const title = / in |\?|:/.test(head) ? head : random.pick(places(town))(head);
    const key = title.toLowerCase();
    if (taken.has(key) && random.chance(0.97)) continue;
    taken.add(key);
    return title;
  }
}

function writeDescription(random: Random, bank: Bank, names: Names): string {
  const facts = random.sample(bank.facts, random.int(3, 5));
  const ways = random.sample(manners, random.int(1, 3));
  const paragraphs = [[random.pick(bank.leads), facts[0]], facts.slice(1), random.chance(0.3) ? [...ways, random.pick(closings)] : ways];
  if (paragraphs[2]?.length === ways.length && random.chance(0.6)) paragraphs.push([random.pick(closings)]);
  return paragraphs.map((sentences) => sentences.map((sentence) => fill(sentence ?? '', names)).join(' ')).join('\n\n');
}

function orderPictures(random: Random, business: Business, { scenes }: Bank, town: string): PictureOrder[] {
  if (random.chance(0.04)) return [];
  const count = { basic: random.chance(0.25) ? 2 : 1, premium: 2, featured: 3 }[business.plan];
  const first = random.pick(scenes);
  const others = random.sample(
    [...new Set(scenes)].filter((scene) => scene !== first),
    count - 1,
  );
  if (business.plan === 'featured' && others.length > 1) others[1] = 'view';
  return [first, ...others].map((kind) => ({
    kind,
    seed: random.int(0, 2 ** 31),
    regionCode: business.region.code,
    alt: `${altTexts[kind]} in ${town}`,
  }));
}

/** The demo seller's business: a handyman's in Wellington. */
export function demoSellerOf(businesses: readonly Business[]): Business {
  const model = businesses.find((business) => business.region.name === 'Wellington' && business.category.code === 12);
  if (!model) throw new Error('There is no handyman in Wellington');
  return {
    ...model,
    name: 'Harbour View Handyman',
    slug: 'harbour-view-handyman',
    ownerFirst: 'Mere',
    plan: 'premium',
    town: 'Wellington',
    logo: true,
    logoColor: '#10B981',
  };
}

export function makeListings(random: Random, newId: () => string, newUser: ReturnType<typeof userMaker>, today: number, total: number) {
  const users: UserRow[] = [];
  const subscriptions: SubscriptionRow[] = [];
  const listings: DemoListing[] = [];
  const taken = new Set<string>();
  const covered = new Set<string>();

  const subscribe = (user: UserRow, business: Business, endsAt: number) => {
    const row = {
      id: newId(),
      user_id: user.id,
      plan_type: business.plan,
      country: business.region.country,
      slots: plans[business.plan].slots,
      starts_at: iso(endsAt - subscriptionDays * day),
      ends_at: iso(endsAt),
    };
    subscriptions.push(row);
    return row;
  };

  const list = (
    business: Business,
    user: UserRow,
    subscription: SubscriptionRow,
    status: ListingStatus,
    category: Category,
    subCode: number,
    first: boolean,
  ) => {
    const { region } = business;
    const district =
      first || random.chance(0.5)
        ? business.district
        : random.weighted(region.districts, (one) => (one.name === 'Chatham Islands' ? 0 : 1));
    const town = district === business.district && random.chance(0.6) ? business.town : townOf(random, district);
    const names = {
      b: business.name,
      t: town,
      r: region.name,
      o: business.ownerFirst,
      y: business.years,
      n: business.staff,
      since: new Date(today).getUTCFullYear() - business.years,
    };
    const bank = wordsFor(subCode, region.country);
    // Featured listings stand first, the newest of them on top: they have been there long enough to have reviews.
    const youngest = subscription.plan_type === 'featured' ? 40 * day : 0.2 * day;
    const newest = status === 'expired' ? Date.parse(subscription.ends_at) - 2 * day : today - youngest;
    const createdAt = Math.round(newest - Math.pow(random.next(), 1.25) * (newest - (today - 424 * day)));
    listings.push({
      row: {
        id: newId(),
        listing_number: 0,
        seller_id: user.id,
        subscription_id: subscription.id,
        status,
        plan_rank: plans[subscription.plan_type].rank,
        subscription_ends_at: subscription.ends_at,
        country: region.country,
        region_code: region.code,
        district_code: district.code,
        ...serviceAreaOf(randomFrom(seedOf('area', listings.length)), district.code, town),
        main_category: category.mainCategory,
        category_code: category.code,
        sub_category_code: subCode,
        service_title: writeTitle(random, bank, town, taken),
        service_description: writeDescription(random, bank, names),
        services: random.sample(bank.services, random.int(4, 8)),
        business_title: business.name,
        business_email: `hello@${business.slug}.example`,
        business_info: fill(random.pick(abouts), { ...names, t: business.town }),
        website: random.chance(0.8) ? `https://www.${business.slug}.example` : '',
        logo_color: business.logoColor,
        created_at: iso(createdAt),
        ...evidenceOf(business, subCode, names.since + business.years),
      },
      registration: registrationOf(business),
      pictures: orderPictures(random, business, bank, town),
      logo: business.logo ? { categoryCode: category.code, color: business.logoColor, seed: business.slug } : undefined,
      owner: business.ownerFirst,
      town,
      region: region.name,
      country: region.country,
      subCode,
    });
  };

  const businesses = makeBusinesses(random, total);
  for (const business of businesses) {
    const corner = `${business.region.code}/${business.category.code}`;
    // The first business of each region and group stays active, so that no such page is empty.
    const runs = !covered.has(corner) || random.chance(0.93);
    covered.add(corner);
    const user = newUser({
      fullName: business.ownerFull,
      email: `hello@${business.slug}.example`,
      createdAt: today - (430 + random.int(0, 500)) * day,
    });
    users.push(user);
    // From ten days on: the reminder seven days before the end must not reach a thousand sellers on the first start.
    const endsAt = runs ? today + random.between(10, 30) * day : today - random.between(2, 120) * day;
    const subscription = subscribe(user, business, Math.round(endsAt));
    for (let index = 0; index < business.listings; index++) {
      const status = !runs
        ? 'expired'
        : index > 0 && random.chance(0.08)
          ? 'inactive'
          : listings.length > 400 && index === 0 && business.listings === 1 && random.chance(0.04)
            ? 'inactive'
            : 'active';
      const subCode = index === 0 ? business.subCode : random.pick(relatedSubs(business));
      list(business, user, subscription, status, business.category, subCode, index === 0);
    }
  }

  /** The demo seller: one running premium subscription and one that has ended, with listings in each status. */
  const addDemoSeller = (user: UserRow) => {
    const business = { ...demoSellerOf(businesses), ownerFull: user.full_name };
    const { category } = business;
    const running = subscribe(user, business, Math.round(today + 23 * day));
    const ended = subscribe(user, business, Math.round(today - 16 * day));
    [1201, 1202, 1203].forEach((subCode, index) => list(business, user, running, 'active', category, subCode, index === 0));
    list(business, user, running, 'inactive', category, 1201, true);
    for (const subCode of [1203, 1202]) list(business, user, ended, 'expired', category, subCode, true);
  };

  return { users, subscriptions, listings, addDemoSeller };
}

/** Numbers listings from 1001 in the order of their making. */
export function numberListings(listings: DemoListing[]) {
  listings.sort((one, other) => one.row.created_at.localeCompare(other.row.created_at));
  listings.forEach((listing, index) => {
    listing.row.listing_number = 1001 + index;
  });
}
