import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { minReplyTimeAnswers, replyTimeDays } from '@handwise/contract/messages/reply-time';
import { testApp } from '@handwise/sandbox/testing/app';
import { times } from '@handwise/sandbox/testing/times';
import { updateAnswersWithinDay, updateCategoryMeans } from './search.jobs.ts';

const { given, db, parts } = await testApp();
const { context, clock } = parts;

const [electrical, plumbing, roofing] = [5, 6, 7];
const minute = 60_000;
const day = 24 * 60 * minute;
const people = await times(6, () => given.user());
const review = (listingId: string, ...ratings: number[]) =>
  db
    .insertInto('reviews')
    .values(ratings.map((rating, index) => ({ listing_id: listingId, author_id: people[index]?._id ?? '', rating, comment: 'Tidy work.' })))
    .execute();
const meansOf = async (...ids: string[]) => {
  const found = await db.selectFrom('listings').select(['id', 'group_mean']).where('id', 'in', ids).execute();
  return ids.map((id) => found.find((one) => one.id === id)?.group_mean);
};
// xmin changes with every version of a row.
const versionsOf = async (...ids: string[]) =>
  (await sql`select id, xmin::text from listings where id = any(${ids}::uuid[]) order by id`.execute(db)).rows;

test('the nightly job copies group averages of both countries, to one decimal, and writes changed rows only', async () => {
  const here = await given.listing({ category: plumbing, district: 306 });
  const asleep = await given.listing({ category: plumbing, district: 306, status: 'inactive' });
  const there = await given.listing({ category: plumbing, district: 1701 });
  const other = await given.listing({ category: electrical });
  const unrated = await given.listing({ category: roofing });
  await review(here.id, 5, 5, 4);
  await review(there.id, 3, 3, 2);
  await review(other.id, 4);
  const untouched = await versionsOf(other.id, unrated.id);
  await updateCategoryMeans(context);
  expect(await meansOf(here.id, asleep.id, there.id, other.id, unrated.id)).toEqual([37, 37, 37, 40, 40]);
  expect(await versionsOf(other.id, unrated.id)).toEqual(untouched);

  // A review counts from the next run on.
  await review(asleep.id, 5, 5, 5, 5, 5, 5);
  expect(await meansOf(here.id)).toEqual([37]);
  const { listing: later } = await given.published();
  expect(await meansOf(later._id)).toEqual([37]);
  await updateCategoryMeans(context);
  expect(await meansOf(here.id, asleep.id, later._id, other.id)).toEqual([43, 43, 43, 40]);
  const all = await versionsOf(here.id, asleep.id, there.id, later._id);
  await updateCategoryMeans(context);
  expect(await versionsOf(here.id, asleep.id, there.id, later._id)).toEqual(all);
});

test('later runs fix a listing that got the old average, for three days', async () => {
  const late = await given.listing({ category: roofing });
  // Leaves a gap in the listing numbers.
  await db.updateTable('listings').set({ listing_number: 50_000 }).where('id', '=', late.id).execute();
  await review(late.id, 2);
  await updateCategoryMeans(context);
  await db.updateTable('listings').set({ group_mean: 40 }).where('id', '=', late.id).execute();
  clock.set(new Date(clock.now().getTime() + 2 * day));
  await updateCategoryMeans(context);
  expect(await meansOf(late.id)).toEqual([20]);
  // Too late to be checked again.
  await db.updateTable('listings').set({ group_mean: 40 }).where('id', '=', late.id).execute();
  clock.set(new Date(clock.now().getTime() + 2 * day));
  await updateCategoryMeans(context);
  expect(await meansOf(late.id)).toEqual([40]);
  clock.set(new Date());
});

/** The listings of a seller who answered messages `daysAgo`, each after these minutes. */
async function seller(answers: number[], daysAgo = 1) {
  const { _id } = await given.user();
  const [one, two] = [await given.listing({ sellerId: _id }), await given.listing({ sellerId: _id, status: 'inactive' })];
  const startedAt = clock.now().getTime() - daysAgo * day;
  for (const [index, minutes] of answers.entries())
    await db
      .insertInto('conversations')
      .values({
        listing_id: one.id,
        buyer_id: people[index]?._id ?? '',
        seller_id: _id,
        created_at: new Date(startedAt),
        answered_at: new Date(startedAt + minutes * minute),
      })
      .execute();
  return [one.id, two.id] as const;
}
const answering = async (...ids: string[]) => {
  const found = await db.selectFrom('listings').select(['id', 'answers_within_day']).where('id', 'in', ids).execute();
  return ids.map((id) => found.find((one) => one.id === id)?.answers_within_day);
};

test('the nightly job marks all listings of sellers whose reply time is within a day', async () => {
  const aDay = 24 * 60;
  expect(minReplyTimeAnswers).toBe(3);
  const quick = await seller([5, aDay, 5 * aDay]);
  const slow = await seller([aDay + 1, aDay + 1, 5]);
  const few = await seller([5, 5]);
  const old = await seller([5, 5, 5], replyTimeDays + 1);
  await updateAnswersWithinDay(context);
  expect(await answering(...quick, ...slow, ...few, ...old)).toEqual([true, true, false, false, false, false, false, false]);

  const before = await versionsOf(...quick, ...slow);
  await updateAnswersWithinDay(context);
  expect(await versionsOf(...quick, ...slow)).toEqual(before);

  clock.set(new Date(clock.now().getTime() + replyTimeDays * day));
  await updateAnswersWithinDay(context);
  expect(await answering(...quick)).toEqual([false, false]);
  clock.set(new Date());
});
