import type { CountryCode } from '@handwise/contract/markets';
import { plans, subscriptionDays } from '@handwise/contract/plans/table';
import type { PlanType } from '@handwise/contract/plans/calls';
import type { Bank } from './bank.ts';
import { type Business, isFilledCity, makeBusinesses, spotIn, townOf } from './businesses.ts';
import { type Climate, climateOf, fitting } from './climates.ts';
import { type EvidenceRow, evidenceOf, registrationOf } from './evidence.ts';
import type { LogoOrder } from './logos.ts';
import type { UserRow, userMaker } from './people.ts';
import { type PictureOrder, type SceneKind, scenes as images } from './pictures.ts';
import { type Random, randomFrom, seedOf } from './random.ts';
import { serviceAreaOf } from './service-areas.ts';
import { fill, wordsFor } from './words.ts';
import { abouts } from './words-shared.ts';

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
  climate: Climate;
  subCode: number;
  years: number;
  staff: number;
};

type Spot = Pick<Business, 'region' | 'district' | 'category' | 'subCode'>;

const day = 86_400_000;
const hasWebsite = ({ slug }: Business) => randomFrom(seedOf('website', slug)).chance(0.8);
const iso = (instant: number) => new Date(instant).toISOString();

// These say where or by whom, and nothing of the job: never the first picture.
const anywhere: ReadonlySet<SceneKind> = new Set(['house', 'room-plain', 'house-van']);

/** The scenes that show the work itself. */
export const tellingScenes = (scenes: readonly SceneKind[]): readonly SceneKind[] => scenes.filter((scene) => !anywhere.has(scene));

function orderPictures(random: Random, plan: Business['plan'], { scenes }: Bank, town: string): PictureOrder[] {
  if (random.chance(0.04)) return [];
  const count = { basic: 1, premium: random.chance(0.5) ? 2 : 1, featured: 3 }[plan];
  const first = random.pick(tellingScenes(scenes));
  const others = random.sample(
    [...new Set(scenes)].filter((scene) => scene !== first),
    count - 1,
  );
  return [first, ...others].map((kind) => ({
    kind,
    number: 1 + (random.int(0, 2 ** 31) % images[kind].images),
    alt: `${images[kind].alt} in ${town}`,
  }));
}

/** The demo seller's business: a handyman's in Wellington. */
export function demoSellerOf(businesses: readonly Business[]): Business {
  const model = businesses.find((business) => business.district.name === 'Wellington City' && business.category.code === 12);
  if (!model) throw new Error('There is no handyman in Wellington');
  return {
    ...model,
    name: 'Harbour View Handyman',
    slug: 'harbour-view-handyman',
    ownerFirst: 'Mere',
    years: 17,
    staff: 3,
    plan: 'premium',
    besides: [],
    town: 'Wellington',
    logo: true,
    logoColor: '#10B981',
  };
}

export function makeListings(random: Random, newId: () => string, newUser: ReturnType<typeof userMaker>, today: number, total: number) {
  const users: UserRow[] = [];
  const subscriptions: SubscriptionRow[] = [];
  const listings: DemoListing[] = [];
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

  const list = (business: Business, user: UserRow, subscription: SubscriptionRow, status: ListingStatus, spot: Spot) => {
    const { region, district, category, subCode } = spot;
    const town = district === business.district ? business.town : townOf(random, district);
    const climate = climateOf(district.code);
    const bank = wordsFor(subCode, climate);
    const year = new Date(today).getUTCFullYear();
    const names = {
      b: business.name,
      t: business.town,
      r: region.name,
      o: business.ownerFirst,
      y: business.years,
      n: business.staff,
      since: year - business.years,
    };
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
        // Written when all are numbered: what stands on one page is not to be said twice.
        service_title: '',
        service_description: '',
        services: random.sample(bank.services, random.int(4, 8)),
        business_title: business.name,
        business_email: `hello@${business.slug}.example`,
        business_info: fill(randomFrom(seedOf('about', business.slug)).pick(fitting(abouts, climateOf(business.district.code))), names),
        website: hasWebsite(business) ? `https://www.${business.slug}.example` : '',
        logo_color: business.logoColor,
        created_at: iso(createdAt),
        ...evidenceOf(business, spot, year),
      },
      registration: registrationOf(business),
      pictures: orderPictures(random, business.plan, bank, town),
      logo: business.logo ? { categoryCode: business.category.code, color: business.logoColor, seed: business.slug } : undefined,
      owner: business.ownerFirst,
      town,
      region: region.name,
      country: region.country,
      climate,
      subCode,
      years: business.years,
      staff: business.staff,
    });
  };

  const businesses = makeBusinesses(random, total);
  for (const business of businesses) {
    // The first of its kind in a city, and of its group in a region, stays active, so that no such page is empty.
    const corner = isFilledCity(business.district)
      ? `${business.district.code}/${business.subCode}`
      : `${business.region.code}/${business.category.code}`;
    const isFirst = !covered.has(corner);
    const runs = isFirst || random.chance(0.9);
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
    for (const [index, spot] of [business, ...business.besides].entries()) {
      const isPaused = index > 0 ? random.chance(0.08) : !isFirst && random.chance(0.04);
      list(business, user, subscription, !runs ? 'expired' : isPaused ? 'inactive' : 'active', spot);
    }
  }

  /** The demo seller: a premium subscription that runs, others before it, and listings in each status. */
  const addDemoSeller = (user: UserRow) => {
    const business = { ...demoSellerOf(businesses), ownerFull: user.full_name };
    // Half a year of months in a row, a week without, and the one that runs.
    for (const month of [5, 4, 3, 2, 1]) subscribe(user, business, Math.round(today - (16 + month * subscriptionDays) * day));
    const ended = subscribe(user, business, Math.round(today - 16 * day));
    const running = subscribe(user, business, Math.round(today + 23 * day));
    const begun = listings.length;
    const each = (subscription: SubscriptionRow, status: ListingStatus, subCodes: readonly number[]) => {
      for (const subCode of subCodes) list(business, user, subscription, status, spotIn(business, subCode));
    };
    each(running, 'active', [1201, 205, 1004]);
    each(running, 'inactive', [1203]);
    each(ended, 'expired', [1203, 1202]);
    // All of them since her first month.
    for (const [index, { row }] of listings.slice(begun).entries()) row.created_at = iso(Math.round(today - (195 - index * 0.4) * day));
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
