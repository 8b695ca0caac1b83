import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { listingRow } from '@handwise/sandbox/testing/listing';

const { given, db, callers } = await testApp();
const { asVisitor, as } = callers;

const titlesOf = (body: { listings: { serviceTitle: string }[] }) => body.listings.map((one) => one.serviceTitle);

/** A user with this many saved listings, "Saved 1" first. */
async function saver(count: number) {
  const user = await given.user();
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { id } = await given.listing({ title: `Saved ${number}` });
    expect((await as(user).post(`/listing/saved/${id}`)).status).toBe(200);
    ids.push(id);
  }
  return { user, ids };
}

test('a listing shows as saved only to the user who saved it, until they unsave it', async () => {
  const { user, ids } = await saver(1);
  const other = await given.user();
  const check = `/listing/saved/check/${ids[0]}`;
  expect((await as(user).get(check)).body).toEqual({ isSaved: true });
  expect((await as(other).get(check)).body).toEqual({ isSaved: false });
  expect((await as(other).delete(`/listing/saved/delete/${ids[0]}`)).body).toEqual({ isSaved: false });
  expect((await as(user).get(check)).body).toEqual({ isSaved: true });
  expect((await as(user).delete(`/listing/saved/delete/${ids[0]}`)).body).toEqual({ isSaved: false });
  expect((await as(user).get(check)).body).toEqual({ isSaved: false });
  expect((await as(user).get('/listing/saved/ids')).body).toEqual({ ids: [] });
});

test('saving and unsaving are idempotent, also concurrently', async () => {
  const { user, ids } = await saver(1);
  const answers = await Promise.all(Array.from({ length: 20 }, () => as(user).post(`/listing/saved/${ids[0]}`)));
  expect(answers.map(({ status, body }) => [status, body.isSaved])).toEqual(Array.from({ length: 20 }, () => [200, true]));
  expect((await as(user).get('/listing/saved/find')).body).toMatchObject({ totalListings: 1, listings: [{ _id: ids[0] }] });
  for (let time = 0; time < 2; time += 1) expect((await as(user).delete(`/listing/saved/delete/${ids[0]}`)).status).toBe(200);
});

test('lists saved listings in pages of ten, last saved first, and all ids in one call', async () => {
  const { user, ids } = await saver(12);
  const first = (await as(user).get('/listing/saved/find')).body;
  expect(first).toMatchObject({ currentPage: 1, totalPages: 2, totalListings: 12 });
  expect(titlesOf(first)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((number) => `Saved ${number}`));
  expect(titlesOf((await as(user).get('/listing/saved/find?page=2')).body)).toEqual(['Saved 2', 'Saved 1']);
  expect(titlesOf((await as(user).get('/listing/saved/find?page=3&limit=5')).body)).toEqual(['Saved 2', 'Saved 1']);
  expect((await as(user).get('/listing/saved/find?page=4')).body).toMatchObject({ listings: [], totalListings: 12, currentPage: 4 });
  expect((await as(user).get('/listing/saved/ids')).body.ids).toEqual(ids.toReversed());
});

test('an ended listing stays saved, shows its status and can be unsaved', async () => {
  const { user, ids } = await saver(1);
  await db
    .updateTable('listings')
    .set({ status: 'inactive' })
    .where('id', '=', ids[0] ?? '')
    .execute();
  expect((await as(user).get('/listing/saved/find')).body.listings).toMatchObject([{ _id: ids[0], status: 'inactive' }]);
  // Saving it again from an outdated page changes nothing.
  expect((await as(user).post(`/listing/saved/${ids[0]}`)).status).toBe(200);
  await as(user).delete(`/listing/saved/delete/${ids[0]}`);
  expect((await as(user).get('/listing/saved/find')).body.listings).toEqual([]);
  const again = await as(user).post(`/listing/saved/${ids[0]}`);
  expect([again.status, again.body.code]).toEqual([404, 'listing_gone']);
});

test('rejects a missing listing, and visitors', async () => {
  const user = await given.user();
  const unknown = await as(user).post(`/listing/saved/${randomUUID()}`);
  expect([unknown.status, unknown.body.code]).toEqual([404, 'listing_not_found']);
  expect((await as(user).post('/listing/saved/12')).status).toBe(400);
  expect((await as(user).get('/listing/saved/find?page=0')).status).toBe(400);
  const { id } = await given.listing();
  const calls = [
    asVisitor.post(`/listing/saved/${id}`),
    asVisitor.delete(`/listing/saved/delete/${id}`),
    asVisitor.get(`/listing/saved/check/${id}`),
    asVisitor.get('/listing/saved/ids'),
    asVisitor.get('/listing/saved/find'),
  ];
  for (const { status, body } of await Promise.all(calls)) expect([status, body.code]).toEqual([401, 'not_authenticated']);
});

test('allows a thousand saved listings, exactly, also concurrently', async () => {
  const { user, ids } = await saver(1);
  const others = await Promise.all([given.listing(), given.listing()]);
  const first = await db
    .selectFrom('listings')
    .select(['subscription_id as id', 'seller_id as user_id', 'subscription_ends_at as ends_at'])
    .where('id', '=', ids[0] ?? '')
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (tx) => {
    // Without triggers, because no plan has this many slots.
    await sql`set local session_replication_role = replica`.execute(tx);
    const rows = Array.from({ length: 998 }, () => listingRow(first, { status: 'inactive' }));
    const copies = await tx.insertInto('listings').values(rows).returning('id').execute();
    await tx
      .insertInto('saved_listings')
      .values(copies.map(({ id }) => ({ user_id: user._id, listing_id: id })))
      .execute();
  });
  const answers = await Promise.all([...others, ...others].map(({ id }) => as(user).post(`/listing/saved/${id}`)));
  const codes = answers.map(({ status, body }) => `${status} ${body.code ?? body.isSaved}`).toSorted();
  // The listing that took the last place can be saved again.
  expect(codes).toEqual(['200 true', '200 true', '409 too_many_saved', '409 too_many_saved']);
  expect((await as(user).get('/listing/saved/ids')).body.ids).toHaveLength(1_000);
});
