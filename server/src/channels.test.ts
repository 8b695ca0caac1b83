import './channels.ts';
import { testApp } from '@handwise/sandbox/test-app';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

const { db, given, outbox } = await testApp();

/** What is told on `listings` by what is done meanwhile. */
async function toldBy(work: () => Promise<unknown>): Promise<unknown[]> {
  await sql`delete from changes`.execute(db);
  await work();
  const { rows } = await sql<{ payload: unknown }>`select payload from changes where channel = 'listings' order by xid, id`.execute(db);
  return rows.map((row) => row.payload);
}

test('servers are told of each listing that is published, changed, reviewed or deleted', async () => {
  let id = '';
  expect(await toldBy(async () => void ({ id } = await given.listing()))).toEqual([[id]]);
  const rename = () => db.updateTable('listings').set({ service_title: 'Another title' }).where('id', '=', id).execute();
  expect(await toldBy(rename)).toEqual([[id]]);
  expect(await toldBy(() => given.review(id, 4))).toEqual([[id]]);
  expect(await toldBy(() => db.deleteFrom('listings').where('id', '=', id).execute())).toEqual([[id]]);
});

test('a statement that changes no listing tells nothing', async () => {
  const nobody = '00000000-0000-0000-0000-000000000000';
  const rename = () => db.updateTable('listings').set({ service_title: 'x' }).where('id', '=', nobody).execute();
  expect(await toldBy(rename)).toEqual([]);
});

test('a statement that changes up to a hundred listings names them, one that changes more says many', async () => {
  const sellerId = (await given.user())._id;
  for (let made = 0; made < 101; made += 1) await given.listing({ sellerId });
  const ids = (await db.selectFrom('listings').select('id').execute()).map((row) => row.id);
  const [told] = await toldBy(() =>
    db
      .updateTable('listings')
      .set({ updated_at: new Date() })
      .where('id', '!=', ids[0] ?? '')
      .execute(),
  );
  expect((told as string[]).toSorted()).toEqual(ids.slice(1).toSorted());
  expect(await toldBy(() => db.updateTable('listings').set({ updated_at: new Date() }).execute())).toEqual(['many']);
});

test('nothing in the product’s own schema notifies: commits wait for nobody else', async () => {
  const { rows } =
    await sql`select proname from pg_proc where pronamespace = 'public'::regnamespace and prosrc ilike '%pg_notify%'`.execute(db);
  expect(rows).toEqual([]);
  const queues = await sql`select name from pgboss.queue where notify`.execute(db);
  expect(queues.rows).toEqual([]);
});

test('what was told long ago is deleted by the clock', async () => {
  await given.listing();
  await sql`insert into change_marks values (now() - interval '11 minutes', pg_snapshot_xmax(pg_current_snapshot()))`.execute(db);
  await sql`insert into pgboss.job (name) values ('changes.delete-old')`.execute(db);
  await outbox.runJobs();
  expect((await sql`select from changes where channel = 'listings'`.execute(db)).rows).toEqual([]);
});
