import { addDays } from '@handwise/contract/dates';
import type { Figures } from '@handwise/contract/figures/calls';
import type { Reader } from '../../kit/database/database.ts';
import { countMessagesByDay } from '../messages/messages.service.ts';
import { countSavesByDay } from '../saved/saved.service.ts';
import * as queries from './figures.queries.ts';

/** Which listing, by whose clocks, and from which day on. */
export type Asked = { id: string; timeZone: string; from: string };

/** What days of a listing came to. Days with nothing are not among them. */
export type Days = ReadonlyMap<string, Figures>;

const nothing: Figures = { views: 0, visitors: 0, saves: 0, messages: 0 };

/** The figures of listings by their days, for each that was asked for. */
export async function readDays(db: Reader, asked: readonly Asked[]): Promise<Map<string, Days>> {
  const [views, saves, messages] = await Promise.all([
    queries.listViews(db, asked),
    countSavesByDay(db, asked),
    countMessagesByDay(db, asked),
  ]);
  const found = new Map(asked.map(({ id }) => [id, new Map<string, Figures>()]));
  const add = (listingId: string, day: string, figures: Partial<Figures>) => {
    const days = found.get(listingId);
    days?.set(day, { ...(days.get(day) ?? nothing), ...figures });
  };
  for (const row of views) add(row.listing_id, row.day, { views: row.views, visitors: row.visitors });
  for (const row of saves) add(row.listing_id, row.day, { saves: row.count });
  for (const row of messages) add(row.listing_id, row.day, { messages: row.count });
  return found;
}

export const figuresOn = (days: Days, day: string): Figures => days.get(day) ?? nothing;

/** So many days, the last of them first named. */
export const daysUntil = (last: string, count: number): string[] => Array.from({ length: count }, (_, at) => addDays(last, at + 1 - count));

export const sumOf = (all: readonly Figures[]): Figures =>
  all.reduce(
    (sum, one) => ({
      views: sum.views + one.views,
      visitors: sum.visitors + one.visitors,
      saves: sum.saves + one.saves,
      messages: sum.messages + one.messages,
    }),
    nothing,
  );
