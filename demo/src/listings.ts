import type { CountryCode } from '@handwise/contract/markets';
import type { PlanType } from '@handwise/contract/plans/calls';
import { plans, subscriptionDays } from '@handwise/contract/plans/table';
import type { Bank } from './bank.ts';
import { type Business, makeBusinesses } from './businesses.ts';
import { type Climate, getClimate, filterByClimate } from './climates.ts';
import { type AvailabilityRow, type FactRow, createAvailability, createFacts, createRegistration } from './facts.ts';
import type { LogoChoice } from './logos.ts';
import { getCentralTown, getTown, isFilledCity, type Spot, spotIn } from './market.ts';
import type { UserRow, createUserFactory } from './people.ts';
import { type PictureChoice, type SceneKind, scenes as images } from './pictures.ts';
import { type Random, randomFrom, getSeed } from './random.ts';
import { createServiceArea } from './service-areas.ts';
import { abouts } from './words-shared.ts';
import { fill, type Names, type Work, wordsFor } from './words.ts';

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
type ListingRow = FactRow &
  AvailabilityRow & {
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
    business_phone: string;
    business_info: string;
    website: string;
    logo_color: string;
    created_at: string;
  };
/** A listing's row and the facts from which its pictures and reviews are made. */
export type DemoListing = {
  row: ListingRow;
  pictures: PictureChoice[];
  registration: ReturnType<typeof createRegistration>;
  logo: LogoChoice | undefined;
  owner: string;
  town: string;
  region: string;
  country: CountryCode;
  climate: Climate;
  subCode: number;
  /** Whose texts it has: the specialism's, otherwise the sub-category's. */
  work: Work;
  years: number;
  staff: number;
};

const day = 86_400_000;
const hasWebsite = ({ slug }: Business) => randomFrom(getSeed('website', slug)).chance(0.8);
/** A landline set aside for fiction. Australia has such numbers, New Zealand has none. */
function createPhone({ slug, region }: Business): string {
  if (region.country !== 'AU') return '';
  const random = randomFrom(getSeed('phone', slug));
  return random.chance(0.8) ? `+61${random.pick([2, 3, 7, 8])}5550${random.int(1000, 9999)}` : '';
}

const pageOf = ({ region, district, category, subCode }: Spot) =>
  isFilledCity(district) ? `${district.code}/${subCode}` : `${region.code}/${category.code}`;

const iso = (instant: number) => new Date(instant).toISOString();

// Scenes that do not show the job, so they are never the cover.
const genericScenes: ReadonlySet<SceneKind> = new Set(['house', 'room-plain', 'house-van']);

export const workScenes = (scenes: readonly SceneKind[]): readonly SceneKind[] => scenes.filter((scene) => !genericScenes.has(scene));

function choosePictures(random: Random, plan: Business['plan'], { scenes }: Bank, town: string): PictureChoice[] {
  if (random.chance(0.04)) return [];
  const count = { basic: 1, premium: random.chance(0.5) ? 2 : 1, featured: 3 }[plan];
  const first = random.pick(workScenes(scenes));
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

/** The demo seller's business, a handyman in Wellington. */
export function getDemoSeller(businesses: readonly Business[]): Business {
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

export function makeListings(
  random: Random,
  newId: () => string,
  newUser: ReturnType<typeof createUserFactory>,
  today: number,
  total: number,
) {
  const users: UserRow[] = [];
  const subscriptions: SubscriptionRow[] = [];
  const listings: DemoListing[] = [];
  const nonEmptyPages = new Set<string>();

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
    const { region, district, category, subCode, central = false } = spot;
    const another = () => (central ? getCentralTown(random, district) : getTown(random, district));
    const town = spot.central === business.central && district === business.district ? business.town : another();
    const climate = getClimate(district.code);
    const work = spot.specialism ?? subCode;
    const bank = wordsFor(work, climate);
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
    // Featured listings come first in lists, so they must be old enough to have reviews.
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
        ...createServiceArea(randomFrom(getSeed('area', listings.length)), district.code, town, central),
        main_category: category.mainCategory,
        category_code: category.code,
        sub_category_code: subCode,
        // Filled by `writeListingTexts`.
        service_title: '',
        service_description: '',
        services: random.sample(bank.services, random.int(4, 8)),
        business_title: business.name,
        business_email: `hello@${business.slug}.example`,
        business_phone: createPhone(business),
        business_info: fill(
          randomFrom(getSeed('about', business.slug)).pick(filterByClimate(abouts, getClimate(business.district.code))),
          names,
        ),
        website: hasWebsite(business) ? `https://www.${business.slug}.example` : '',
        logo_color: business.logoColor,
        created_at: iso(createdAt),
        ...createFacts(business, spot, year),
        ...createAvailability(randomFrom(getSeed('availability', listings.length)), new Date(today), region.timeZone),
      },
      registration: createRegistration(business),
      pictures: choosePictures(random, business.plan, bank, town),
      logo: business.logo ? { categoryCode: business.category.code, color: business.logoColor, seed: business.slug } : undefined,
      owner: business.ownerFirst,
      town,
      region: region.name,
      country: region.country,
      climate,
      subCode,
      work,
      years: business.years,
      staff: business.staff,
    });
  };

  const businesses = makeBusinesses(random, total);
  for (const business of businesses) {
    const spots = [business, ...business.besides];
    // The first listing per sub-category of a city and per category of a region stays active, so that no such page is empty.
    const needed = new Set(spots.filter((spot) => spot.central || !nonEmptyPages.has(pageOf(spot))));
    for (const spot of spots) nonEmptyPages.add(pageOf(spot));
    const isRunning = needed.size > 0 || random.chance(0.65);
    const user = newUser({
      fullName: business.ownerFull,
      email: `hello@${business.slug}.example`,
      createdAt: today - (430 + random.int(0, 500)) * day,
    });
    users.push(user);
    // At least ten days, so that the first start does not send a thousand reminders (due seven days before the end).
    const endsAt = isRunning ? today + random.between(10, 30) * day : today - random.between(2, 120) * day;
    const subscription = subscribe(user, business, Math.round(endsAt));
    for (const [index, spot] of spots.entries()) {
      const isPaused = !needed.has(spot) && random.chance(index > 0 ? 0.08 : 0.04);
      list(business, user, subscription, !isRunning ? 'expired' : isPaused ? 'inactive' : 'active', spot);
    }
  }

  /** Adds a running premium subscription, earlier ones, and listings in each status. */
  const addDemoSeller = (user: UserRow) => {
    const business = { ...getDemoSeller(businesses), ownerFull: user.full_name };
    // Six consecutive months, a gap of a week, and the running one.
    for (const month of [5, 4, 3, 2, 1]) subscribe(user, business, Math.round(today - (16 + month * subscriptionDays) * day));
    const ended = subscribe(user, business, Math.round(today - 16 * day));
    const running = subscribe(user, business, Math.round(today + 23 * day));
    const firstIndex = listings.length;
    const each = (subscription: SubscriptionRow, status: ListingStatus, subCodes: readonly number[]) => {
      for (const subCode of subCodes) list(business, user, subscription, status, spotIn(business, subCode));
    };
    each(running, 'active', [1201, 205, 1004]);
    each(running, 'inactive', [1203]);
    each(ended, 'expired', [1203, 1202]);
    // All were created in her first month.
    for (const [index, { row }] of listings.slice(firstIndex).entries())
      row.created_at = iso(Math.round(today - (195 - index * 0.4) * day));
  };

  return { users, subscriptions, listings, addDemoSeller };
}

/** Numbers listings from 1001 by creation time. */
export function numberListings(listings: DemoListing[]) {
  listings.sort((one, other) => one.row.created_at.localeCompare(other.row.created_at));
  listings.forEach((listing, index) => {
    listing.row.listing_number = 1001 + index;
  });
}

/** Placeholders for texts about a listing. */
export const textNames = (listing: DemoListing): Names => ({
  b: listing.row.business_title,
  t: listing.town,
  r: listing.region,
  o: listing.owner,
  y: 5,
});

/** The sandbox registers' checks of verified businesses during the last two months. */
export function makeRegisterChecks(random: Random, listings: readonly DemoListing[], today: number) {
  return listings.flatMap(({ row, registration }) => {
    if (!registration) return [];
    const checkedAt = Math.max(Date.parse(row.created_at), today - Math.round(random.between(0, 60) * day));
    return {
      listing_id: row.id,
      register: registration.register,
      number: registration.number,
      state: 'verified',
      register_name: registration.name,
      sandbox: true,
      checked_at: new Date(checkedAt).toISOString(),
      check_at: new Date(checkedAt + 90 * day).toISOString(),
    };
  });
}
