import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { times } from '@handwise/sandbox/testing/times';
import { markAnswersWithinDay, saveCategoryMean, updateGroupMeans } from './search.jobs.queries.ts';

const { db, given, parts } = await testApp();
const user = await given.user();
const ids = (await times(3, () => given.listing({ sellerId: user._id, plan: 'basic', category: 6 }))).map(({ id }) => id).toSorted();
const [lowest = '', ...others] = ids;
// The lowest id gets the highest number and the last physical position, so that only ordering by id reaches it first.
await sql`update listings set listing_number = (select max(listing_number) from listings) + 1 where id = ${lowest}`.execute(db);
await saveCategoryMean(db, 6, 31, parts.clock.now());

const written = () => db.selectFrom('listings').select(['group_mean', 'answers_within_day']).where('id', 'in', ids).execute();

test.each([
  ['averages', () => updateGroupMeans(db, 0, 1_000_000), { group_mean: 31 }],
  ['answers', () => markAnswersWithinDay(db, [user._id], true), { answers_within_day: true }],
])('updating %s locks the listing with the lowest id first', async (_, write, expected) => {
  let work: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('listings').select('id').where('id', '=', lowest).forUpdate().execute();
    work = write();
    await untilLockWaits(db);
    await tx.selectFrom('listings').select('id').where('id', 'in', others).forUpdate().noWait().execute();
  });
  await work;
  expect(await written()).toEqual(ids.map(() => expect.objectContaining(expected)));
});
