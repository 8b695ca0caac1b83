import { plans } from '@handwise/contract/plans/table';
import type { RemovalReason } from '@handwise/contract/reviews/words';
import { filterByClimate } from './climates.ts';
import type { MessageRow } from './conversations.ts';
import { getService } from './listing-texts.ts';
import { type DemoListing, textNames } from './listings.ts';
import type { UserRow } from './people.ts';
import type { Random } from './random.ts';
import { gladAnswers, middlingAnswers, unhappyAnswers } from './words-answers.ts';
import { middling, reservations, sharedPraise, sighs, unhappy, warmEnds, warmStarts } from './words-shared.ts';
import { fill, wordsFor } from './words.ts';

export type ReviewRow = { id: string; listing_id: string; author_id: string; rating: number; comment: string; created_at: string };

const categoryMeans: Record<number, number> = {
  1: 4.7,
  2: 4.6,
  3: 4.6,
  4: 4.5,
  5: 4.7,
  6: 4.6,
  7: 4.5,
  8: 4.7,
  9: 4.8,
  10: 4.4,
  11: 4.7,
  12: 4.8,
};

/** A rating with this expected value; the probabilities are proportional to `gap` = 5 − mean. */
function starsOf(random: Random, mean: number): number {
  const gap = 5 - mean;
  const at = random.next();
  if (at < 0.06 * gap) return 1;
  if (at < 0.12 * gap) return 2;
  if (at < 0.27 * gap) return 3;
  return at < 0.55 * gap ? 4 : 5;
}

const praiseWithoutService = sharedPraise.filter((text) => !text.includes('{s}'));

/** Draws items in random order, each once before any is drawn again. */
function createDeck<T>(random: Random, cards: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = random.sample(cards, cards.length);
    return left.pop() as T;
  };
}

/** Writes reviews of one listing from texts that fit its trade and place, without repeating them early. */
function createCommentWriter(random: Random, listing: DemoListing) {
  const { climate } = listing;
  const s = getService(listing);
  const names = { ...textNames(listing), ...(s !== undefined && { s }) };
  const deck = (texts: readonly string[]) => createDeck(random, filterByClimate(texts, climate));
  const own = deck(wordsFor(listing.work, climate).praise);
  const general = deck(s === undefined ? praiseWithoutService : sharedPraise);
  const [start, end, reserve] = [deck(warmStarts), deck(warmEnds), deck(reservations)];
  const [middle, sad, sigh] = [deck(middling), deck(unhappy), deck(sighs)];
  let praised = 0;
  const ownPraises = wordsFor(listing.work, climate).praise.length;
  // Praise specific to the trade comes first, and again once all texts are used.
  const praise = () => (praised++ % (ownPraises + sharedPraise.length / 2) < ownPraises && random.chance(0.7) ? own() : general());
  const partsFor = (stars: number): string[] => {
    if (stars === 5) {
      const praises = random.weighted([0, 1, 2], (count) => [0.08, 0.68, 0.24][count] ?? 0);
      return [
        random.chance(praises === 0 ? 1 : 0.45) ? start() : '',
        ...Array.from({ length: praises }, praise),
        random.chance(praises === 0 ? 0.9 : 0.4) ? end() : '',
      ];
    }
    if (stars === 4) return [random.chance(0.3) ? start() : '', praise(), random.chance(0.7) ? reserve() : ''];
    if (stars === 3) return [middle(), random.chance(0.4) ? praise() : ''];
    return [sad(), random.chance(0.5) ? sigh() : ''];
  };
  return (stars: number) => fill(partsFor(stars).filter(Boolean).join(' '), names);
}

/** Reviews with a realistic skew: most listings have a few, some have dozens. */
export function makeReviews(
  random: Random,
  newId: () => string,
  listings: readonly DemoListing[],
  reviewers: readonly UserRow[],
  today: number,
  total: number,
): ReviewRow[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  // Listings of higher plans get more reviews.
  const planFactors: Partial<Record<number, number>> = { [plans.premium.rank]: 1.3, [plans.featured.rank]: 2.5 };
  const appeals = listings.map(
    ({ row }) =>
      Math.exp(normal() * 1.35) * (planFactors[row.plan_rank] ?? 1) * (0.3 + (today - Date.parse(row.created_at)) / (200 * 86_400_000)),
  );
  const countsAt = (scale: number) => appeals.map((appeal) => Math.min(60, Math.floor(appeal * scale)));
  let scale = 1;
  while (countsAt(scale).reduce((sum, count) => sum + count, 0) < total) scale *= 1.02;

  const commentsByTown = new Map<number, Set<string>>();
  return countsAt(scale).flatMap((count, index) => {
    const listing = listings[index] as DemoListing;
    const created = Date.parse(listing.row.created_at);
    const until = listing.row.status === 'expired' ? Date.parse(listing.row.subscription_ends_at) : today;
    const mean = Math.min(4.97, Math.max(3.6, (categoryMeans[listing.row.category_code] ?? 4.6) + normal() * 0.14));
    const write = createCommentWriter(random, listing);
    const used = commentsByTown.get(listing.row.district_code) ?? new Set<string>();
    commentsByTown.set(listing.row.district_code, used);
    // Newest first, as on the page, so that texts from the decks repeat as far apart as possible.
    const times = Array.from({ length: count }, () => Math.round(created + (until - created) * random.between(0.03, 1))).toSorted(
      (one, other) => other - one,
    );
    return random.sample(reviewers, count).map((author, place): ReviewRow => {
      const rating = starsOf(random, mean);
      let comment = write(rating);
      while (used.has(comment)) comment = write(rating);
      used.add(comment);
      return {
        id: newId(),
        listing_id: listing.row.id,
        author_id: author.id,
        rating,
        comment,
        created_at: new Date(times[place] ?? until).toISOString(),
      };
    });
  });
}

export type ModeratedReviewRow = ReviewRow & {
  answer: string | null;
  answered_at: string | null;
  removed_at: string | null;
  removed_because: RemovalReason | null;
};

const hour = 3_600_000;
const day = 24 * hour;

/** Makes later reviewers of a listing the senders of messages to its seller, so that their reviews show an earlier contact. */
export function assignReviewersAsSenders(random: Random, messages: readonly MessageRow[], reviews: readonly ReviewRow[]) {
  const waiting = new Map(Map.groupBy(reviews, (one) => one.listing_id));
  for (const message of messages) {
    const later = (waiting.get(message.listing_id) ?? []).filter((review) => review.created_at > message.created_at);
    if (later.length === 0 || random.chance(0.05)) continue;
    const review = random.pick(later);
    message.sender_id = review.author_id;
    waiting.set(
      message.listing_id,
      (waiting.get(message.listing_id) ?? []).filter((one) => one !== review),
    );
  }
}

const shareAnswered = (rating: number) => (rating <= 2 ? 0.75 : rating === 3 ? 0.5 : 0.16);
const answersTo = (rating: number) => (rating <= 2 ? unhappyAnswers : rating === 3 ? middlingAnswers : gladAnswers);

// One belongs to a featured listing, where the removal note is easy to find.
const removals: readonly { because: RemovalReason; isFeatured?: true }[] = [
  { because: 'not_genuine', isFeatured: true },
  { because: 'not_genuine' },
  { because: 'not_about_service' },
  { because: 'offensive' },
  { because: 'offensive' },
  { because: 'private_details' },
  { because: 'rewarded' },
  { because: 'withdrawn' },
  { because: 'withdrawn' },
  { because: 'withdrawn' },
];

/** Adds answers to many reviews and removes a few. */
export function addAnswersAndRemovals(
  random: Random,
  reviews: readonly ReviewRow[],
  listings: readonly DemoListing[],
  today: number,
): ModeratedReviewRow[] {
  const byId = new Map(listings.map((listing) => [listing.row.id, listing]));
  const moderated = reviews.map((review): ModeratedReviewRow => {
    const listing = byId.get(review.listing_id) as DemoListing;
    const answeredAt = Date.parse(review.created_at) + Math.round(random.between(2 * hour, 4 * day));
    const words = random.pick(filterByClimate(answersTo(review.rating), listing.climate));
    const isAnswered = random.chance(shareAnswered(review.rating)) && answeredAt < today;
    return {
      ...review,
      answer: isAnswered ? fill(words, textNames(listing)) : null,
      answered_at: isAnswered ? new Date(answeredAt).toISOString() : null,
      removed_at: null,
      removed_because: null,
    };
  });
  for (const { because, isFeatured } of removals) {
    const candidates = moderated.filter((review) => {
      const { row } = byId.get(review.listing_id) as DemoListing;
      const isOld = Date.parse(review.created_at) < today - 20 * day;
      const isPlausible = because === 'rewarded' || because === 'withdrawn' ? review.rating === 5 : review.rating <= 3;
      return (
        row.status === 'active' &&
        (row.plan_rank === plans.featured.rank) === (isFeatured ?? false) &&
        isOld &&
        isPlausible &&
        !review.removed_at
      );
    });
    const [review] = random.sample(candidates, 1);
    if (!review) continue;
    review.removed_at = new Date(Date.parse(review.created_at) + Math.round(random.between(day, 12 * day))).toISOString();
    review.removed_because = because;
  }
  return moderated;
}
