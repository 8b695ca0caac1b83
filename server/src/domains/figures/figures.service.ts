import { addDays, dayOf } from '@handwise/contract/dates';
import { type Figures, figureDays, type ListingFigures, usualFigureDays } from '@handwise/contract/figures/calls';
import { regions } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { listSummaries } from '../listings/listings.service.ts';
import { daysUntil, figuresOn, readDays, sumOf } from './figures.days.ts';
import * as queries from './figures.queries.ts';

export { ViewCollector } from './figures.collector.ts';
export { ownDataOf } from './figures.own-data.ts';

/** How one's own listing does, each of the last days and today. Somebody else's is as unknown as one that is not there. */
export async function getListingFigures(
  { db, clock }: Context,
  userId: string,
  listingId: string,
  count = usualFigureDays,
): Promise<ListingFigures> {
  const [place] = await listSummaries(db, { ids: [listingId] });
  if (place?.sellerId !== userId) throw new AppError('listing_not_found');
  const { id, timeZone } = place;
  const days = daysUntil(dayOf(clock.now(), timeZone), 2 * count);
  const known = (await readDays(db, [{ id, timeZone, from: days[0] ?? '' }])).get(id) ?? new Map();
  const all = days.map((day) => ({ day, ...figuresOn(known, day) }));
  return { timeZone, days: all.slice(count), total: sumOf(all.slice(count)), before: sumOf(all.slice(0, count)) };
}

/** What each of one's listings came to in the last 30 days, today among them. */
export async function listOwnFigures({ db, clock }: Context, userId: string): Promise<{ listings: (Figures & { listingId: string })[] }> {
  const places = await listSummaries(db, { sellerId: userId });
  const asked = places.map(({ id, timeZone }) => ({ id, timeZone, from: addDays(dayOf(clock.now(), timeZone), 1 - usualFigureDays) }));
  const known = await readDays(db, asked);
  return { listings: places.map(({ id }) => ({ listingId: id, ...sumOf([...(known.get(id)?.values() ?? [])]) })) };
}

const keptDays = 2 * Math.max(...figureDays) + 20;
const hourMs = 3_600_000;

/** Forgets who looked on days that have been over everywhere for an hour, and figures of days that nobody can ask for any more. */
export async function forgetOldDays({ db, clock }: Context): Promise<void> {
  const anHourAgo = new Date(clock.now().getTime() - hourMs);
  const today = regions.map(({ timeZone }) => dayOf(anHourAgo, timeZone)).toSorted()[0] ?? '';
  await queries.deleteBefore(db, today, addDays(today, -keptDays));
}
