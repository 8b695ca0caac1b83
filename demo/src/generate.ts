import { addDays, getDay } from '@handwise/contract/dates';
import { makeSaved, makeSaves, makeViews } from './analytics.ts';
import { makeBusinesses } from './businesses.ts';
import { addAnswers, aucklandDays, groupIntoConversations, makeDemoConversations, makeMessages } from './conversations.ts';
import { makeDemoQuotes } from './demo-quotes.ts';
import { createRegistration } from './facts.ts';
import { writeListingTexts } from './listing-texts.ts';
import { getDemoSeller, makeListings, makeRegisterChecks, numberListings } from './listings.ts';
import { makeModeration } from './moderation.ts';
import { createIdFactory, createUserFactory } from './people.ts';
import { randomFrom, getSeed } from './random.ts';
import { makeReviews, assignReviewersAsSenders, addAnswersAndRemovals } from './reviews.ts';

export const demoSeed = 20_261;
/** Number of listings besides the demo seller's. */
export const demoListings = 2570;

const sizes = {
  reviewers: 1200,
  reviews: 5600,
  messagesOfLastMonth: 1600,
  otherMessages: 900,
  viewDays: 42,
  viewDaysOfDemoSeller: 181,
  saves: 1500,
};
const day = 86_400_000;

/**
 * All rows of the demo, without picture files and password hashes. Deterministic per seed and day in Auckland; another day only shifts dates and
 * spreads the messages outside of last month differently.
 */
export function generateDemo(seed: number, now: Date) {
  const random = (part: string) => randomFrom(getSeed(seed, part));
  const { today } = aucklandDays(now);
  const newUser = createUserFactory(random('people'), createIdFactory(random('user ids')));

  const admin = newUser({
    fullName: 'Ari Thompson',
    username: 'demo_admin',
    email: 'admin@example.com',
    role: 'admin',
    code: 'REF-DEM-1003',
    createdAt: today - 700 * day,
  });
  const seller = newUser({
    fullName: 'Mere Paki',
    username: 'demo_seller',
    email: 'seller@example.com',
    code: 'REF-DEM-1002',
    createdAt: today - 600 * day,
  });
  const buyer = newUser({
    fullName: 'Sam Fraser',
    username: 'demo_buyer',
    email: 'buyer@example.com',
    code: 'REF-DEM-1001',
    createdAt: today - 400 * day,
  });

  const made = makeListings(random('listings'), createIdFactory(random('listing ids')), newUser, today, demoListings);
  made.addDemoSeller(seller);
  numberListings(made.listings);
  writeListingTexts(seed, made.listings, today);

  // The owners of the three newest businesses used the demo buyer's code, so there are converted referrals.
  const owners = new Set(made.listings.map(({ row }) => row.seller_id));
  const newest = made.users
    .filter((user) => owners.has(user.id) && user.id !== seller.id)
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at));
  for (const user of newest.slice(0, 3)) user.referred_by_code = buyer.referral_code;

  const chance = random('reviewers');
  const reviewers = Array.from({ length: sizes.reviewers }, (_, index) =>
    // The nine newest used the demo buyer's code.
    newUser({
      createdAt: today - Math.round((index < 9 ? chance.between(1, 25) : chance.between(30, 700)) * day),
      ...(index < 9 && { referredBy: buyer.referral_code }),
    }),
  );
  const settled = reviewers.slice(9);
  const written = makeReviews(random('reviews'), createIdFactory(random('review ids')), made.listings, settled, today, sizes.reviews);
  const messages = makeMessages(
    random('messages'),
    createIdFactory(random('message ids')),
    made.listings,
    settled,
    now,
    sizes.messagesOfLastMonth,
    sizes.otherMessages,
  );
  assignReviewersAsSenders(random('asked beforehand'), messages, written);
  const reviews = addAnswersAndRemovals(random('lives of reviews'), written, made.listings, today);
  const grouped = groupIntoConversations(createIdFactory(random('conversation ids')), messages);
  addAnswers(random('answers'), createIdFactory(random('answer ids')), grouped, made.listings, today);
  const senders = new Set(messages.filter((one) => one.seller_id === seller.id).map((one) => one.sender_id));
  const demoConversations = makeDemoConversations(random('demo talks'), createIdFactory(random('demo talk ids')), made.listings, {
    buyer,
    seller,
    customers: settled.filter((one) => !senders.has(one.id)),
    today,
  });
  const quotes = makeDemoQuotes(random('demo quotes'), createIdFactory(random('demo quote ids')), made.listings, {
    buyer,
    seller,
    customers: settled.filter((one) => !senders.has(one.id)),
    existing: demoConversations.conversations,
    today,
  });
  const colleague = newUser({
    fullName: 'Rawiri Tau',
    username: 'rawiri_tau',
    email: 'rawiri.tau@example.com',
    role: 'admin',
    createdAt: today - 500 * day,
  });
  const moderation = makeModeration(random('moderation'), createIdFactory(random('moderation ids')), {
    listings: made.listings,
    reviews: reviews.filter((one) => one.removed_at === null),
    messages: demoConversations.numbered,
    conversations: demoConversations.conversations,
    people: settled,
    seller,
    colleague,
    today,
  });
  // In insertion order: referrers precede the users they referred.
  return {
    users: [admin, seller, buyer, colleague, ...made.users, ...reviewers],
    subscriptions: made.subscriptions,
    listings: made.listings,
    registerChecks: makeRegisterChecks(random('register checks'), made.listings, today),
    reviews,
    messages,
    conversations: [...grouped.conversations, ...demoConversations.conversations, ...quotes.conversations],
    participants: [...grouped.participants, ...demoConversations.participants, ...quotes.participants],
    numbered: [...grouped.numbered, ...demoConversations.numbered, ...quotes.numbered],
    quoteRequests: quotes.requests,
    quoteRequestReceivers: quotes.receivers,
    quotes: quotes.quotes,
    quoteLines: quotes.quoteLines,
    acceptances: quotes.acceptances,
    saved: [
      ...makeSaved(random('saved'), made.listings, buyer, today),
      ...makeSaves(random('saves'), made.listings, settled, today, sizes.viewDays, sizes.saves),
    ],
    views: makeViews(random('views'), made.listings, addDays(getDay(new Date(today), 'Pacific/Auckland'), -1), sizes.viewDays, {
      sellerId: seller.id,
      days: sizes.viewDaysOfDemoSeller,
    }),
    moderation,
  };
}

export type Demo = ReturnType<typeof generateDemo>;

/** Numbers and registered names of the demo's businesses, for the sandbox registers. Deterministic. */
export function* registeredBusinesses(): Generator<readonly [string, { name: string }]> {
  const businesses = makeBusinesses(randomFrom(getSeed(demoSeed, 'listings')), demoListings);
  for (const business of [...businesses, getDemoSeller(businesses)]) {
    const registration = createRegistration(business);
    if (registration) yield [registration.number, { name: registration.name }];
  }
}
