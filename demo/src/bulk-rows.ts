import { categories } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { regions } from '@handwise/contract/places/regions';
import type { PlanType } from '@handwise/contract/plans/calls';
import { plans as contractPlans } from '@handwise/contract/plans/table';
import { type BusinessRegister, getRegister } from '@handwise/contract/registers/business-number';
import { meanWithoutReviews } from '@handwise/contract/reviews/best-rating';
import { createAbn, createNzbn, createPrices } from './facts.ts';
import { type Random, randomFrom, getSeed } from './random.ts';
import { createServiceArea } from './service-areas.ts';
import { districtWeights, firstNames, localNames, surnames } from './words-people.ts';
import { getWords } from './words.ts';

/** The random numbers of a listing's facts, the same in every file of a fill. */
const factRandom = (number: number): Random => randomFrom(Math.imul(number, 0x9e3779b1) ^ 0x2545f491);

/** A quarter of the listings are verified, each with its own number. */
function bulkRegistrationOf(number: number, country: CountryCode): { register: BusinessRegister; number: string } | undefined {
  if (!factRandom(number).chance(0.25)) return undefined;
  return { register: getRegister(country), number: country === 'NZ' ? createNzbn(90_000_000 + number) : createAbn(900_000_000 + number) };
}

const hasNightWork = new Set([3, 5, 6, 9]);

/** The values of `bulkFactColumns` in COPY's text format. */
function bulkFactFields(number: number, country: CountryCode, categoryCode: number, year: number): (string | number)[] {
  const random = factRandom(number);
  const isVerified = random.chance(0.25);
  const [unit, low, high] = createPrices(categoryCode);
  const from = Math.round((low + (high - low) * random.next() ** 2) / 5) * 500;
  const hasPrice = random.chance(0.6);
  return [
    hasPrice ? from : '\\N',
    hasPrice ? unit : '\\N',
    hasPrice && random.chance(0.3) ? 6000 : '\\N',
    random.chance(0.7) ? year - random.int(1, 30) : '\\N',
    hasNightWork.has(categoryCode) && random.chance(0.4) ? 't' : 'f',
    random.chance(0.55) ? 't' : 'f',
    bulkRegistrationOf(number, country)?.number ?? '\\N',
    isVerified ? 't' : 'f',
    // So that nobody is told what these lack.
    'Sample data',
  ];
}

export const bulkFactColumns =
  'price_from_minor, price_unit, call_out_minor, in_trade_since, emergency, insured, business_number, verified, licence_exemption';

// Lines in COPY's text format. No text here has a tab, a line break or a backslash, so nothing needs escaping.

type FillOptions = {
  listings: number;
  reviewsPerListing: number;
  conversations: number;
  firstNumber: number;
  plans: readonly { id: string; plan_type: string; rank: number }[];
  today: Date;
  /** Average ratings by category in tenths of a star, for categories with reviews. */
  means: ReadonlyMap<number, number>;
};
export type FillPlan = FillOptions & { reviewers: number; users: number; subscriptions: number };

type Seller = { number: number; subscriptions: { number: number; plan: PlanType; listings: number; ended: boolean }[] };

const day = 86_400_000;
const vocabularySize = 26_000;

/** A list for picking by weight in constant time: it repeats each item in proportion to its weight. */
function weightedList<T>(items: readonly T[], weightOf: (item: T) => number): readonly T[] {
  return items.flatMap((item) => Array.from({ length: Math.round(weightOf(item) * 4) }, () => item));
}
const districts = weightedList(
  regions.flatMap((region) =>
    region.districts.map((district) => ({ region, district, towns: localNames[district.name] ?? [district.name] })),
  ),
  ({ district }) => districtWeights[district.name] ?? 1,
);
const popularity = [6, 12, 5, 4, 11, 1, 10, 8, 2, 9, 7, 3];
const subCategories = weightedList(
  categories.flatMap((category) =>
    category.subCategories.map((sub, index) => ({ category, sub, heads: getWords(sub.code).heads, place: index })),
  ),
  ({ category, place }) => 14 / (1 + popularity.indexOf(category.code)) / (1 + place * 0.6) + 0.3,
);

/** Made-up names, most frequent first; titles pick them by rank, so that word frequencies resemble a language's. */
function makeVocabulary(): string[] {
  const random = randomFrom(getSeed('vocabulary'));
  const starts =
    'Bar Bel Bran Cal Car Cor Dal Den Dor El Fair Far Fen Gal Glen Har Haw Hol Kal Kar Kel Ko Lan Lor Ma Mar Mel Mo Nor Oak Pa Pen Ra Ran Ro Sal Ser Sil Stan Ta Tar Te Tor Val Wa Wal Wes Whe Win'.split(
      ' ',
    );
  const middles = 'a an ar be den di do e el en er ga i in ka la le li lo ma me mo na ne ni no o ra re ri ro ta te ti to u va wa'.split(
    ' ',
  );
  const ends =
    'bury by dale den don field ford ham hurst lan ley lin ling low man mere mont more na nui ra rata ridge roa rua shaw son stead ston ton vale wai well wick wood worth'.split(
      ' ',
    );
  const words = new Set<string>();
  while (words.size < vocabularySize)
    words.add(
      random.pick(starts) +
        (random.chance(0.75) ? random.pick(middles) : '') +
        (random.chance(0.25) ? random.pick(middles) : '') +
        random.pick(ends),
    );
  return [...words];
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0').slice(-digits);
const bulkEpoch = Date.UTC(2025, 0, 1);
const tags = {
  user: 0x100,
  reviewer: 0x200,
  subscription: 0x300,
  listing: 0x400,
  review: 0x500,
  conversation: 0x700,
  quote: 0x800,
} as const;

/** A UUID of version 7 from a number: ordered, and unique across kinds and fills. */
export function idOf(kind: keyof typeof tags, number: number, part = 0): string {
  const time = hex(bulkEpoch + number, 12);
  const noise = Math.imul(number ^ (part * 0x9e3779b1) ^ tags[kind], 0x85ebca6b) >>> 0;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(tags[kind] + part, 3)}-8${hex(noise >>> 20, 3)}-${hex(noise, 8)}${hex(part, 4)}`;
}

/** Sellers in order, numbered from the first free listing number. Uses its own random stream, so each run gives the same ones. */
export function* generateSellers(wanted: FillOptions): Generator<Seller> {
  const random = randomFrom(getSeed('sellers', wanted.firstNumber, wanted.listings));
  const end = wanted.firstNumber + wanted.listings;
  for (let number = wanted.firstNumber; number < end;) {
    const seller: Seller = { number, subscriptions: [] };
    // Weights of sellers that give about 70, 22 and 8 % of the listings.
    const plan = random.weighted(['basic', 'premium', 'featured'] as const, (one) => ({ basic: 70, premium: 32, featured: 6 })[one]);
    const count = plan === 'basic' ? random.int(1, 9) : 1;
    for (let index = 0; index < count && number < end; index++) {
      const maxListings =
        plan === 'basic'
          ? 1
          : plan === 'premium'
            ? random.int(1, contractPlans.premium.slots)
            : random.int(3, contractPlans.featured.slots);
      const listings = Math.min(maxListings, end - number);
      seller.subscriptions.push({ number, plan, listings, ended: random.chance(0.06) });
      number += listings;
    }
    yield seller;
  }
}

/** Counts the rows of a fill by generating its sellers once. */
export function planFill(wanted: FillOptions): FillPlan {
  let sellers = 0;
  let subscriptions = 0;
  for (const seller of generateSellers(wanted)) {
    sellers++;
    subscriptions += seller.subscriptions.length;
  }
  const reviewers = wanted.reviewsPerListing > 0 || wanted.conversations > 0 ? Math.max(500, Math.ceil(wanted.listings / 20)) : 0;
  return { ...wanted, reviewers, users: sellers + reviewers, subscriptions };
}

const daysAgo = (plan: FillPlan, days: number) =>
  new Date(Math.round(plan.today.getTime() / day) * day - Math.round(days * day)).toISOString();

export function* userLines(plan: FillPlan): Generator<string> {
  const random = randomFrom(getSeed('fill users', plan.firstNumber));
  // The last digit of the code keeps sellers and reviewers apart.
  const line = (id: string, name: string, code: string) =>
    `${id}\t${random.pick(firstNames)} ${random.pick(surnames)}\t${name}\t${name}@fill.example\t!\t${code}\t${daysAgo(plan, 430 + random.int(0, 800))}\n`;
  for (const { number } of generateSellers(plan)) yield line(idOf('user', number), `bulk_s${number}`, `REF-BUL-${number}1`);
  for (let index = 0; index < plan.reviewers; index++)
    yield line(idOf('reviewer', plan.firstNumber + index), `bulk_r${plan.firstNumber + index}`, `REF-BUL-${plan.firstNumber + index}2`);
}

/** When a subscription ends, in days from today; depends on its number alone. */
const endOf = (number: number, ended: boolean) => {
  const random = randomFrom(getSeed('end', number));
  return ended ? -random.between(1, 200) : random.between(1, 30);
};

// A subscription covers listings of one country, chosen by the weights of its districts.
export const countryOf = (number: number) => randomFrom(getSeed('country', number)).pick(districts).region.country;
const districtsOf = {
  NZ: districts.filter(({ region }) => region.country === 'NZ'),
  AU: districts.filter(({ region }) => region.country === 'AU'),
};

export function* subscriptionLines(plan: FillPlan): Generator<string> {
  const ids = new Map(plan.plans.map((one) => [one.plan_type, one.id]));
  for (const seller of generateSellers(plan)) {
    for (const { number, plan: type, listings, ended } of seller.subscriptions) {
      const ends = endOf(number, ended);
      yield `${idOf('subscription', number)}\t${idOf('user', seller.number)}\t${ids.get(type)}\t${daysAgo(plan, 30 - ends)}\t${daysAgo(plan, -ends)}\t${countryOf(number)}\tgrant\t${contractPlans[type].slots}\t${listings}\n`;
    }
  }
}

/** The average rating of a fill in tenths of a star. */
export const meanOfStars = 46;
/** The column's value for a category without reviews. */
const meanWithout = Math.round(meanWithoutReviews * 10);

type Stars = { counts: [number, number, number, number, number]; ratings: number[] };

/** The ratings of a listing's reviews. Their number is a squared exponential variable, so few listings have many. */
function starsOf(plan: FillPlan, number: number): Stars {
  const stars: Stars = { counts: [0, 0, 0, 0, 0], ratings: [] };
  if (plan.reviewsPerListing === 0) return stars;
  const random = randomFrom(Math.imul(number, 0x9e3779b1) ^ 0x51ed270b);
  const count = Math.min(400, Math.floor((plan.reviewsPerListing * Math.log(1 - random.next()) ** 2) / 2 + random.next()));
  for (let index = 0; index < count; index++) {
    const at = random.next();
    const rating = at < 0.02 ? 1 : at < 0.04 ? 2 : at < 0.1 ? 3 : at < 0.24 ? 4 : 5;
    stars.ratings.push(rating);
    stars.counts[rating - 1] = (stars.counts[rating - 1] ?? 0) + 1;
  }
  return stars;
}

const titleOf = (random: Random, vocabulary: readonly string[], head: string, town: string) => {
  const rare = () => vocabulary[Math.floor(vocabulary.length ** random.next())] ?? town;
  const shape = random.next();
  if (shape < 0.3) return `${head} ${town}`;
  if (shape < 0.65) return `${head} ${town} ${rare()}`;
  if (shape < 0.85) return `${rare()} ${head} in ${town}`;
  return `${rare()} ${rare()} ${head} ${town}`;
};

export function* listingLines(plan: FillPlan): Generator<string> {
  const vocabulary = makeVocabulary();
  const ranks = new Map(plan.plans.map((one) => [one.plan_type, one.rank]));
  const random = randomFrom(getSeed('fill listings', plan.firstNumber));
  for (const seller of generateSellers(plan)) {
    for (const { number: first, plan: type, listings, ended } of seller.subscriptions) {
      const endsAt = daysAgo(plan, -endOf(first, ended));
      const country = countryOf(first);
      for (let number = first; number < first + listings; number++) {
        const place = random.pick(districtsOf[country]);
        const { category, sub, heads } = random.pick(subCategories);
        const town = random.pick(place.towns);
        const area = createServiceArea(randomFrom(getSeed('area', number)), place.district.code);
        const head = random.pick(heads);
        const business = `${random.pick(surnames)} ${category.name}`;
        const status = ended ? 'expired' : random.chance(0.04) ? 'inactive' : 'active';
        const age = ((plan.firstNumber + plan.listings - number) / plan.listings) * 400 + (ended ? 200 : 0);
        const created = daysAgo(plan, age);
        const address = `b${number}`;
        const services = `{"${category.name}","${sub.name}","Free quotes"}`;
        yield (
          [
            idOf('listing', number),
            number,
            idOf('user', seller.number),
            idOf('subscription', first),
            status,
            ranks.get(type),
            endsAt,
            place.region.country,
            place.region.code,
            place.district.code,
            area.base_locality_code ?? '\\N',
            area.service_radius_km ?? '\\N',
            area.service_districts ? `{${area.service_districts.join()}}` : '\\N',
            category.mainCategory,
            category.code,
            random.chance(0.06) ? '\\N' : sub.code,
            titleOf(random, vocabulary, head, town).slice(0, 120),
            `${head} for homes and businesses in ${town} and the rest of ${place.region.name}. Message us for a free quote, we answer within a day.`,
            services,
            business,
            `hello@${address}.example`,
            `${business} has worked in ${town} for ${random.int(2, 30)} years. Licensed and insured, and easy to talk to.`,
            `https://www.${address}.example`,
            '#10B981',
            `{${starsOf(plan, number).counts.join()}}`,
            created,
            created,
            plan.means.get(category.code) ?? meanWithout,
            ...bulkFactFields(number, country, category.code, plan.today.getUTCFullYear()),
          ].join('\t') + '\n'
        );
      }
    }
  }
}

/** The sandbox registers' answers for verified listings. */
export function* registerCheckLines(plan: FillPlan): Generator<string> {
  for (const { subscriptions } of generateSellers(plan)) {
    for (const { number: first, listings } of subscriptions) {
      const country = countryOf(first);
      for (let number = first; number < first + listings; number++) {
        const registration = bulkRegistrationOf(number, country);
        if (!registration) continue;
        const age = randomFrom(getSeed('register', number)).between(0, 80);
        yield `${idOf('listing', number)}\t${registration.register}\t${registration.number}\tverified\tBUSINESS ${number} LIMITED\tt\t${daysAgo(plan, age)}\t${daysAgo(plan, age - 90)}\n`;
      }
    }
  }
}

const comments = [
  'Great work and on time.',
  'Really happy with the result.',
  'Friendly, tidy and quick.',
  'Would use them again.',
  'Fair price and good communication.',
  'Exactly as quoted.',
  'Turned up when they said.',
  'Recommended to our neighbours.',
  'Did a very careful job.',
  'Good work, took a little longer than planned.',
  'Easy to deal with.',
  'Second time, just as good.',
] as const;

export function* reviewLines(plan: FillPlan): Generator<string> {
  const random = randomFrom(getSeed('fill reviews', plan.firstNumber));
  for (let number = plan.firstNumber; number < plan.firstNumber + plan.listings; number++) {
    const { ratings } = starsOf(plan, number);
    const listing = idOf('listing', number);
    const start = random.int(0, plan.reviewers - 1);
    for (const [index, rating] of ratings.entries()) {
      // Consecutive reviewers, so that each reviews a listing once.
      const author = idOf('reviewer', plan.firstNumber + ((start + index) % plan.reviewers));
      const comment = rating < 3 ? 'Not what we had hoped for.' : random.pick(comments);
      yield `${idOf('review', number, index)}\t${listing}\t${author}\t${rating}\t${comment}\t${daysAgo(plan, random.next() * 200 * ((plan.firstNumber + plan.listings - number) / plan.listings))}\n`;
    }
  }
}
