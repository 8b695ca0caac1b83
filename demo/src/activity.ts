import { plans } from '@handwise/contract/plans/table';
import { aucklandDays } from './calendar.ts';
import { fitting } from './climates.ts';
import { serviceOf } from './listing-texts.ts';
import type { DemoListing } from './listings.ts';
import type { UserRow } from './people.ts';
import type { Random } from './random.ts';
import { type Names, fill, wordsFor } from './words.ts';
import {
  messageBodies,
  messageEnds,
  messageStarts,
  middling,
  reservations,
  sharedPraise,
  sighs,
  unhappy,
  warmEnds,
  warmStarts,
} from './words-shared.ts';

export type ReviewRow = { id: string; listing_id: string; author_id: string; rating: number; comment: string; created_at: string };
export type MessageRow = {
  id: string;
  listing_id: string;
  sender_id: string;
  seller_id: string;
  body: string;
  created_at: string;
};

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

const namesOf = (listing: DemoListing): Names => ({
  b: listing.row.business_title,
  t: listing.town,
  r: listing.region,
  o: listing.owner,
  y: 5,
});

/** Stars around a mean: with `gap` = 5 − mean, the shares below add up to exactly that mean. */
function starsOf(random: Random, mean: number): number {
  const gap = 5 - mean;
  const at = random.next();
  if (at < 0.06 * gap) return 1;
  if (at < 0.12 * gap) return 2;
  if (at < 0.27 * gap) return 3;
  return at < 0.55 * gap ? 4 : 5;
}

const praiseWithoutService = sharedPraise.filter((text) => !text.includes('{s}'));

/** Cards in random order, each drawn once before any comes again. */
function deckOf<T>(random: Random, cards: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = random.sample(cards, cards.length);
    return left.pop() as T;
  };
}

/** Writes what is said of one listing, from what fits its trade and place, without saying it twice. */
function commentWriter(random: Random, listing: DemoListing) {
  const { climate } = listing;
  const s = serviceOf(listing);
  const names = { ...namesOf(listing), ...(s !== undefined && { s }) };
  const deck = (texts: readonly string[]) => deckOf(random, fitting(texts, climate));
  const own = deck(wordsFor(listing.subCode, climate).praise);
  const general = deck(s === undefined ? praiseWithoutService : sharedPraise);
  const [start, end, reserve] = [deck(warmStarts), deck(warmEnds), deck(reservations)];
  const [middle, sad, sigh] = [deck(middling), deck(unhappy), deck(sighs)];
  let praised = 0;
  const ownPraises = wordsFor(listing.subCode, climate).praise.length;
  // What is particular to the trade comes first, and again when all has been said.
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

/** Reviews for each listing, skewed as they are in life: most have a few, some have dozens. */
export function makeReviews(
  random: Random,
  newId: () => string,
  listings: readonly DemoListing[],
  reviewers: readonly UserRow[],
  today: number,
  total: number,
): ReviewRow[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  // Who is seen more is hired more, and reviewed more.
  const seen: Partial<Record<number, number>> = { [plans.premium.rank]: 1.3, [plans.featured.rank]: 2.5 };
  const appeals = listings.map(
    ({ row }) => Math.exp(normal() * 1.35) * (seen[row.plan_rank] ?? 1) * (0.3 + (today - Date.parse(row.created_at)) / (200 * 86_400_000)),
  );
  const countsAt = (scale: number) => appeals.map((appeal) => Math.min(60, Math.floor(appeal * scale)));
  let scale = 1;
  while (countsAt(scale).reduce((sum, count) => sum + count, 0) < total) scale *= 1.02;

  const inTowns = new Map<number, Set<string>>();
  return countsAt(scale).flatMap((count, index) => {
    const listing = listings[index] as DemoListing;
    const created = Date.parse(listing.row.created_at);
    const until = listing.row.status === 'expired' ? Date.parse(listing.row.subscription_ends_at) : today;
    const mean = Math.min(4.97, Math.max(3.6, (categoryMeans[listing.row.category_code] ?? 4.6) + normal() * 0.14));
    const write = commentWriter(random, listing);
    const said = inTowns.get(listing.row.district_code) ?? new Set<string>();
    inTowns.set(listing.row.district_code, said);
    // The last first, as they are read: what is drawn from a deck is far from its like.
    const times = Array.from({ length: count }, () => Math.round(created + (until - created) * random.between(0.03, 1))).toSorted(
      (one, other) => other - one,
    );
    return random.sample(reviewers, count).map((author, place): ReviewRow => {
      const rating = starsOf(random, mean);
      let comment = write(rating);
      while (said.has(comment)) comment = write(rating);
      said.add(comment);
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

/** `lastMonth` messages in the last full month of Auckland's clock, about `others` before and after it. */
export function makeMessages(
  random: Random,
  newId: () => string,
  listings: readonly DemoListing[],
  senders: readonly UserRow[],
  now: Date,
  lastMonth: number,
  others: number,
): MessageRow[] {
  const month = aucklandDays(now);
  const daysGone = (month.today - month.thisMonth) / 86_400_000;
  const current = Math.round(others * Math.min(0.6, daysGone / 40));
  const spans = [
    { count: others - current, from: month.lastMonth - 120 * 86_400_000, until: month.lastMonth },
    { count: lastMonth, from: month.lastMonth, until: month.thisMonth },
    { count: current, from: month.thisMonth, until: month.today },
  ];
  return spans.flatMap(({ count, from, until }) => {
    const known = listings.filter(({ row }) => Date.parse(row.created_at) < from);
    return Array.from({ length: count }, (): MessageRow => {
      // Paid ranks are seen first, and asked first.
      const listing = random.weighted(random.sample(known, 6), ({ row }) => row.plan_rank ** 2);
      const names = { ...namesOf(listing), ask: random.pick(wordsFor(listing.subCode, listing.climate).asks) };
      const start = fill(random.pick(fitting(messageStarts, listing.climate)), names);
      const body = fill(random.pick(fitting(messageBodies, listing.climate)), names);
      return {
        id: newId(),
        listing_id: listing.row.id,
        sender_id: random.pick(senders).id,
        seller_id: listing.row.seller_id,
        body: `${start}\n\n${body}\n\n${random.pick(fitting(messageEnds, listing.climate))}`,
        created_at: new Date(Math.floor(random.between(from, until))).toISOString(),
      };
    });
  });
}
