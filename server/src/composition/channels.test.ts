import './channels.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { listingRow } from '@handwise/sandbox/testing/listing';

const { db, given, outbox } = await testApp();

/** The changes published on `listings` during `work`. */
async function publishedDuring(work: () => Promise<unknown>, channel: 'listings' | 'lists' | 'words' = 'listings'): Promise<unknown[]> {
  await sql`delete from changes`.execute(db);
  await work();
  const { rows } = await sql<{ payload: unknown }>`select payload from changes where channel = ${channel} order by xid, id`.execute(db);
  return rows.map((row) => row.payload);
}

test('publishes each listing that is published, changed, reviewed or deleted', async () => {
  let id = '';
  expect(await publishedDuring(async () => void ({ id } = await given.listing()))).toEqual([[id]]);
  const rename = () => db.updateTable('listings').set({ service_title: 'Another title' }).where('id', '=', id).execute();
  expect(await publishedDuring(rename)).toEqual([[id]]);
  expect(await publishedDuring(() => given.review(id, 4))).toEqual([[id]]);
  expect(await publishedDuring(() => db.deleteFrom('listings').where('id', '=', id).execute())).toEqual([[id]]);
});

test('publishes the lists that a listing was and is in, and nothing if no list changes', async () => {
  const { id } = await given.listing({ district: 306, category: 6, status: 'inactive' });
  const set = (values: object) => publishedDuring(() => db.updateTable('listings').set(values).where('id', '=', id).execute(), 'lists');
  const { main_category: main } = await db.selectFrom('listings').select('main_category').where('id', '=', id).executeTakeFirstOrThrow();
  const here = ['NZ', 3, 306, main, 6, null];
  expect(await set({ service_title: 'Nobody sees it' })).toEqual([]);
  expect(await set({ status: 'active' })).toEqual([[[null, here]]]);
  for (const change of [{ service_title: 'Another title' }, { price_from_minor: 4_900, price_unit: 'hour' }, { plan_rank: 2 }])
    expect(await set(change)).toEqual([[[here, here]]]);
  expect(await publishedDuring(() => given.review(id, 5), 'lists')).toEqual([[[here, here]]]);
  const there = ['NZ', 3, 309, main, 6, null];
  expect(await set({ district_code: 309 })).toEqual([[[here, there]]]);
  expect(await publishedDuring(() => db.deleteFrom('listings').where('id', '=', id).execute(), 'lists')).toEqual([[[there, null]]]);
});

test('publishes a listing whose business number is confirmed again', async () => {
  const { id } = await given.listing();
  const values = {
    listing_id: id,
    register: 'nzbn',
    number: '9429000000000',
    state: 'verified',
    register_name: 'Kauri',
    checked_at: new Date(),
    check_at: new Date(),
  };
  await db
    .insertInto('register_checks')
    .values(values as never)
    .execute();
  const again = () => db.updateTable('register_checks').set({ checked_at: new Date() }).where('listing_id', '=', id).execute();
  expect(await publishedDuring(again)).toEqual([[id]]);
  await db.deleteFrom('listings').where('id', '=', id).execute();
});

test('publishes nothing for a statement that changes no listing', async () => {
  const nobody = '00000000-0000-0000-0000-000000000000';
  const rename = () => db.updateTable('listings').set({ service_title: 'x' }).where('id', '=', nobody).execute();
  expect(await publishedDuring(rename)).toEqual([]);
});

test('publishes up to two thousand ids per statement, and “many” beyond that', async () => {
  const { id } = await given.listing();
  const plan = await db
    .selectFrom('listings')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_id')
    .select(['subscriptions.id', 'user_id', 'ends_at'])
    .where('listings.id', '=', id)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('listings').execute();
  const rows = (count: number) => Array.from({ length: count }, () => ({ ...listingRow(plan), status: 'inactive' as const }));
  await sql`update subscriptions set slots = 3000 where id = ${plan.id}`.execute(db);
  for (const count of [1_000, 1_000, 1]) await db.insertInto('listings').values(rows(count)).execute();
  const ids = (await db.selectFrom('listings').select('id').execute()).map((row) => row.id);
  const others = () => db.updateTable('listings').where('id', '!=', ids[0] ?? '');
  const all = () => db.updateTable('listings');
  const [published] = await publishedDuring(() => others().set({ updated_at: new Date() }).execute());
  expect((published as string[]).toSorted()).toEqual(ids.slice(1).toSorted());
  expect(await publishedDuring(() => all().set({ updated_at: new Date() }).execute())).toEqual(['many']);
  const [shown] = await publishedDuring(() => others().set({ status: 'active' }).execute(), 'lists');
  expect(shown).toHaveLength(2_000);
  await others().set({ status: 'inactive' }).execute();
  expect(await publishedDuring(() => all().set({ status: 'active' }).execute(), 'lists')).toEqual(['many']);
  await db.deleteFrom('listings').execute();
});

test('no trigger uses NOTIFY, so commits do not wait for each other', async () => {
  const { rows } =
    await sql`select proname from pg_proc where pronamespace = 'public'::regnamespace and prosrc ilike '%pg_notify%'`.execute(db);
  expect(rows).toEqual([]);
  const queues = await sql`select name from pgboss.queue where notify`.execute(db);
  expect(queues.rows).toEqual([]);
});

test('deletes old changes on a schedule', async () => {
  await given.listing();
  await sql`insert into change_marks values (now() - interval '11 minutes', pg_snapshot_xmax(pg_current_snapshot()))`.execute(db);
  await sql`insert into pgboss.job (name) values ('events.delete-old-changes')`.execute(db);
  await outbox.runJobs();
  expect((await sql`select from changes where channel = 'listings'`.execute(db)).rows).toEqual([]);
});
