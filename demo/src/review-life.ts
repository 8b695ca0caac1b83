import { plans } from '@handwise/contract/plans/table';
import type { RemovalReason } from '@handwise/contract/reviews/words';
import type { MessageRow, ReviewRow } from './activity.ts';
import { fitting } from './climates.ts';
import type { DemoListing } from './listings.ts';
import type { Random } from './random.ts';
import { fill } from './words.ts';
import { gladAnswers, middlingAnswers, unhappyAnswers } from './words-answers.ts';

export type LivedReviewRow = ReviewRow & {
  answer: string | null;
  answered_at: string | null;
  removed_at: string | null;
  removed_because: RemovalReason | null;
};

const hour = 3_600_000;
const day = 24 * hour;

/** Lets people who review a listing later be those who have written to its seller before: their reviews have evidence. */
export function askBeforehand(random: Random, messages: readonly MessageRow[], reviews: readonly ReviewRow[]) {
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

// One of them at a featured listing, so that a stub is easily found.
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

/** What became of reviews: many are answered, a few were removed. */
export function liveOn(random: Random, reviews: readonly ReviewRow[], listings: readonly DemoListing[], today: number): LivedReviewRow[] {
  const byId = new Map(listings.map((listing) => [listing.row.id, listing]));
  const lived = reviews.map((review): LivedReviewRow => {
    const { row, town, region, owner, climate } = byId.get(review.listing_id) as DemoListing;
    const answeredAt = Date.parse(review.created_at) + Math.round(random.between(2 * hour, 4 * day));
    const words = random.pick(fitting(answersTo(review.rating), climate));
    const isAnswered = random.chance(shareAnswered(review.rating)) && answeredAt < today;
    return {
      ...review,
      answer: isAnswered ? fill(words, { b: row.business_title, t: town, r: region, o: owner, y: 5 }) : null,
      answered_at: isAnswered ? new Date(answeredAt).toISOString() : null,
      removed_at: null,
      removed_because: null,
    };
  });
  for (const { because, isFeatured } of removals) {
    const candidates = lived.filter((review) => {
      const { row } = byId.get(review.listing_id) as DemoListing;
      const isOld = Date.parse(review.created_at) < today - 20 * day;
      const isItsKind = because === 'rewarded' || because === 'withdrawn' ? review.rating === 5 : review.rating <= 3;
      return (
        row.status === 'active' &&
        (row.plan_rank === plans.featured.rank) === (isFeatured ?? false) &&
        isOld &&
        isItsKind &&
        !review.removed_at
      );
    });
    const [review] = random.sample(candidates, 1);
    if (!review) continue;
    review.removed_at = new Date(Date.parse(review.created_at) + Math.round(random.between(day, 12 * day))).toISOString();
    review.removed_because = because;
  }
  return lived;
}
