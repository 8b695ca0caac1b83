import { makeMessages, makeReviews } from './activity.ts';
import { aucklandDays } from './calendar.ts';
import { addDays, dayOf } from '@handwise/contract/dates';
import { addAnswers } from './answers.ts';
import { makeConversations } from './conversations.ts';
import { makeDemoQuotes } from './demo-quotes.ts';
import { makeDemoTalks, makeSaved } from './demo-talks.ts';
import { makeSaves, makeViews } from './figures.ts';
import { writeListingTexts } from './listing-texts.ts';
import { makeListings, numberListings } from './listings.ts';
import { makeRegisterChecks } from './register-checks.ts';
import { makeModeration } from './moderation.ts';
import { idMaker, userMaker } from './people.ts';
import { randomFrom, seedOf } from './random.ts';
import { askBeforehand, liveOn } from './review-life.ts';

export const demoSeed = 20_261;
/** About so many listings. */
export const demoListings = 1750;

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
 * All rows of the demo, without the pictures' files and the passwords' hashes. The same seed and day (on Auckland's
 * clock) give the same rows; another day shifts the dates and nothing else, but for how the messages outside of last
 * month fall.
 */
export function generateDemo(seed: number, now: Date) {
  const random = (part: string) => randomFrom(seedOf(seed, part));
  const { today } = aucklandDays(now);
  const newUser = userMaker(random('people'), idMaker(random('user ids')));

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

  const made = makeListings(random('listings'), idMaker(random('listing ids')), newUser, today, demoListings);
  made.addDemoSeller(seller);
  numberListings(made.listings);
  writeListingTexts(seed, made.listings, today);

  // The three newest businesses came through the demo buyer's link too: what they brought is converted.
  const owners = new Set(made.listings.map(({ row }) => row.seller_id));
  const newest = made.users
    .filter((user) => owners.has(user.id) && user.id !== seller.id)
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at));
  for (const user of newest.slice(0, 3)) user.referred_by_code = buyer.referral_code;

  const chance = random('reviewers');
  const reviewers = Array.from({ length: sizes.reviewers }, (_, index) =>
    // The newest nine came through the demo buyer's link.
    newUser({
      createdAt: today - Math.round((index < 9 ? chance.between(1, 25) : chance.between(30, 700)) * day),
      ...(index < 9 && { referredBy: buyer.referral_code }),
    }),
  );
  const settled = reviewers.slice(9);
  const written = makeReviews(random('reviews'), idMaker(random('review ids')), made.listings, settled, today, sizes.reviews);
  const messages = makeMessages(
    random('messages'),
    idMaker(random('message ids')),
    made.listings,
    settled,
    now,
    sizes.messagesOfLastMonth,
    sizes.otherMessages,
  );
  askBeforehand(random('asked beforehand'), messages, written);
  const reviews = liveOn(random('lives of reviews'), written, made.listings, today);
  const talks = makeConversations(idMaker(random('conversation ids')), messages);
  addAnswers(random('answers'), idMaker(random('answer ids')), talks, made.listings, today);
  const hasAsked = new Set(messages.filter((one) => one.seller_id === seller.id).map((one) => one.sender_id));
  const demoTalks = makeDemoTalks(random('demo talks'), idMaker(random('demo talk ids')), made.listings, {
    buyer,
    seller,
    customers: settled.filter((one) => !hasAsked.has(one.id)),
    today,
  });
  const quotes = makeDemoQuotes(random('demo quotes'), idMaker(random('demo quote ids')), made.listings, {
    buyer,
    seller,
    customers: settled.filter((one) => !hasAsked.has(one.id)),
    begun: demoTalks.conversations,
    today,
  });
  const colleague = newUser({
    fullName: 'Rawiri Tau',
    username: 'rawiri_tau',
    email: 'rawiri.tau@example.com',
    role: 'admin',
    createdAt: today - 500 * day,
  });
  const moderation = makeModeration(random('moderation'), idMaker(random('moderation ids')), {
    listings: made.listings,
    reviews: reviews.filter((one) => one.removed_at === null),
    messages: demoTalks.numbered,
    conversations: demoTalks.conversations,
    people: settled,
    seller,
    colleague,
    today,
  });
  // Those who were referred must come after the one who referred them: the rows are written in this order.
  return {
    users: [admin, seller, buyer, colleague, ...made.users, ...reviewers],
    subscriptions: made.subscriptions,
    listings: made.listings,
    registerChecks: makeRegisterChecks(random('register checks'), made.listings, today),
    reviews,
    messages,
    conversations: [...talks.conversations, ...demoTalks.conversations, ...quotes.conversations],
    participants: [...talks.participants, ...demoTalks.participants, ...quotes.participants],
    numbered: [...talks.numbered, ...demoTalks.numbered, ...quotes.numbered],
    quoteRequests: quotes.requests,
    quoteReceivers: quotes.receivers,
    saved: [
      ...makeSaved(random('saved'), made.listings, buyer, today),
      ...makeSaves(random('saves'), made.listings, settled, today, sizes.viewDays, sizes.saves),
    ],
    views: makeViews(random('views'), made.listings, addDays(dayOf(new Date(today), 'Pacific/Auckland'), -1), sizes.viewDays, {
      sellerId: seller.id,
      days: sizes.viewDaysOfDemoSeller,
    }),
    moderation,
  };
}

export type Demo = ReturnType<typeof generateDemo>;
