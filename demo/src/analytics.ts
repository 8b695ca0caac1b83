import { plans } from '@handwise/contract/plans/table';
import type { DemoListing } from './listings.ts';
import type { UserRow } from './people.ts';
import type { Random } from './random.ts';

export type ViewRow = { listing_id: string; day: string; views: number; visitors: number };
export type SavedRow = { user_id: string; listing_id: string; saved_at: string };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const viewsPerDay: Partial<Record<number, number>> = { [plans.basic.rank]: 3, [plans.premium.rank]: 7, [plans.featured.rank]: 14 };
// Sunday first: most searches are on Sundays and Mondays.
const weekdays = [1.35, 1.25, 1, 0.95, 0.9, 0.8, 1.05];

const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** Daily views up to `yesterday` in Auckland, which has started in every time zone; `more` gives one seller a longer history. */
export function makeViews(
  random: Random,
  listings: readonly DemoListing[],
  yesterday: string,
  days: number,
  more: { sellerId: string; days: number },
): ViewRow[] {
  const last = Date.parse(yesterday);
  return listings.flatMap(({ row }) => {
    const appeal = (viewsPerDay[row.plan_rank] ?? 3) * random.between(0.4, 1.8);
    const until = row.status === 'active' ? last : Math.min(last - 9 * dayMs, Date.parse(row.subscription_ends_at));
    const count = row.seller_id === more.sellerId ? more.days : days;
    const first = Math.max(last - (count - 1) * dayMs, Date.parse(dateOf(Date.parse(row.created_at))));
    const rows: ViewRow[] = [];
    for (let day = first; day <= until; day += dayMs) {
      const growth = 1 + (day - last) / (260 * dayMs);
      const views = Math.round(appeal * growth * (weekdays[new Date(day).getUTCDay()] ?? 1) * random.between(0.35, 1.65));
      if (views > 0) {
        rows.push({ listing_id: row.id, day: dateOf(day), views, visitors: Math.max(1, Math.round(views * random.between(0.6, 0.95))) });
      }
    }
    return rows;
  });
}

/** Saved listings of the last `days` days, unique per user and listing. */
export function makeSaves(
  random: Random,
  listings: readonly DemoListing[],
  savers: readonly UserRow[],
  today: number,
  days: number,
  total: number,
): SavedRow[] {
  const active = listings.filter(({ row }) => row.status === 'active');
  const saves = new Map<string, SavedRow>();
  for (let made = 0; made < total; made += 1) {
    const listing = random.weighted(random.sample(active, 5), ({ row }) => row.plan_rank ** 2);
    const from = Math.max(today - days * dayMs, Date.parse(listing.row.created_at));
    const saver = random.pick(savers);
    const saved_at = new Date(Math.floor(random.between(from, today))).toISOString();
    saves.set(`${saver.id} ${listing.row.id}`, { user_id: saver.id, listing_id: listing.row.id, saved_at });
  }
  return [...saves.values()];
}

/** The demo buyer's saved listings, newest first, one of them expired. */
export function makeSaved(random: Random, listings: readonly DemoListing[], buyer: UserRow, today: number) {
  const isNear = ({ row, country }: DemoListing) => country === 'NZ' && row.seller_id !== buyer.id;
  const active = random.sample(
    listings.filter((one) => isNear(one) && one.row.status === 'active'),
    6,
  );
  const ended = random.sample(
    listings.filter((one) => isNear(one) && one.row.status === 'expired'),
    1,
  );
  return [...active.slice(0, 4), ...ended, ...active.slice(4)].map(({ row }, index) => ({
    user_id: buyer.id,
    listing_id: row.id,
    saved_at: new Date(today - (index * 40 + 3) * hourMs).toISOString(),
  }));
}
