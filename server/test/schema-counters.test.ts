import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { testDatabase, insertRows } from '@handwise/sandbox/testing/database';
import { listingRow } from '@handwise/sandbox/testing/listing';
import { toWordStem } from '../src/domains/search/index/search.terms.ts';

const { url } = await testDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
afterAll(() => client.end());
const rowsOf = async (query: string) => (await client.query(query)).rows;

await client.query(`
  insert into users (full_name, username, email, password_hash, referral_code)
    select 'Mere Kingi', 'user_' || n, 'user' || n || '@example.org', 'x', 'REF-USE-' || n from generate_series(1, 9) as n;
  insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at)
    select users.id, plans.id, 'NZ', 'grant', 20, now(), now() + interval '30 days' from users, plans
    where plan_type = 'basic' and username in ('user_1', 'user_2')`);

/** Inserts listings of the first user's subscription in one statement. */
async function list(
  ...listings: [
    title: string,
    district: number,
    category: number,
    sub: number | null,
    status: 'active' | 'inactive' | 'expired',
    serves?: readonly number[],
  ][]
) {
  const [under] = await rowsOf(`
    select subscriptions.id, user_id, ends_at from subscriptions join users on users.id = user_id where username = 'user_1'`);
  const rows = listings.map(([title, district, category, subCategory, status, serviceDistricts]) =>
    listingRow(under, { title, district, category, subCategory, status, serviceDistricts: serviceDistricts ?? null }),
  );
  return (await insertRows(client, 'listings', rows)).map((id) => `'${id}'`);
}

const town = (district: number, place: number) =>
  `(select code from localities where district_code = ${district} order by code offset ${place} limit 1)`;

// Each counter, and the same number counted from the rows.
const counted = {
  slots: [
    'select id, slots_used::int from subscriptions',
    'select subscriptions.id, count(listings.id)::int from subscriptions left join listings on subscription_id = subscriptions.id group by 1',
  ],
  stars: [
    'select id, rating_counts from listings',
    `select id, array(
       select (select count(*) from reviews where listing_id = listings.id and rating = star and removed_at is null)::int from generate_series(1, 5) as star
     ) from listings`,
  ],
  'stars by group': [
    'select category_code, country, reviews, stars from category_ratings where (reviews, stars) <> (0, 0)',
    'select category_code, country, count(*)::int, sum(rating)::int from reviews join listings on listings.id = listing_id where removed_at is null group by 1, 2',
  ],
} as const;

/** Compares each counter with its count and returns the names of the non-empty ones. */
async function compareCounters() {
  const compared: string[] = [];
  for (const [name, [stored, recounted]] of Object.entries(counted)) {
    const [is, shouldBe] = [stored, recounted].map((query) =>
      client.query({ text: `select * from (${query}) as counted order by counted`, rowMode: 'array' }),
    );
    const rows = (await is)?.rows;
    expect([name, rows]).toEqual([name, (await shouldBe)?.rows]);
    if (rows && rows.length > 0) compared.push(name);
  }
  return compared;
}

test('counters equal a count of the rows after any write', async () => {
  const [one, two, three, sleeping] = await list(
    ['Hot water and hot taps', 306, 6, null, 'active'],
    ['Hot water in Taupō', 306, 6, 601, 'active', [306, 1402]],
    ['Roof repairs', 1503, 7, null, 'active'],
    ['Hot roofs', 1503, 7, null, 'inactive'],
  );
  const reviewed = `insert into reviews (listing_id, author_id, rating, comment) select listing, users.id, rating, 'Tidy.'
    from (values (${one}::uuid, 5, 3), (${one}, 4, 4), (${one}, 5, 5), (${sleeping}, 1, 3), (${sleeping}, 2, 4)) as rows (listing, rating, author)
    join users on username = 'user_' || author`;
  for (const statement of [
    `update listings set service_districts = '{1503,1504}' where id in (${three}, ${sleeping}); ${reviewed}`,
    `update listings set base_locality_code = ${town(306, 0)}, service_radius_km = 30 where id = ${one}`,
    `update listings set service_districts = '{306,307,1401}' where id = ${two}`,
    `update listings set service_radius_km = 200 where id = ${one}`,
    `update listings set base_locality_code = ${town(306, 1)}, service_radius_km = null where id = ${one}`,
    `update listings set service_districts = '{101,306}' where id in (${one}, ${two})`,
    `update listings set status = 'inactive' where id = ${two}`,
    `update listings set status = case status when 'active' then 'inactive' else 'active' end`,
    `update listings set status = 'expired' where id in (${one}, ${two})`,
    `update listings set status = 'active'`,
    `update listings set service_districts = null, base_locality_code = ${town(306, 2)} where id = ${two}`,
    `update listings set service_title = 'Cold water, warm words' where id = ${one}`,
    `update listings set district_code = 1701, region_code = 17, country = 'AU' where id = ${two}`,
    `update listings set category_code = 6, main_category = 'trade', sub_category_code = 602 where id = ${three}`,
    `update listings set sub_category_code = null where id = ${two}`,
    `update listings set service_title = service_title || ' again'`,
    `update listings set price_from_minor = listing_number * 10, price_unit = 'hour'`,
    `update listings set answers_within_day = true, pictures = '[{}]' where id = ${one}`,
    `update listings set business_number = '9429000000017', verified = true where country = 'NZ'`,
    `update listings set price_from_minor = null, price_unit = null where id = ${one}`,
    `update listings set verified = false, business_number = null where id <> ${three}`,
    `update listings set business_title = 'Warm Roofs', services = '{"Taps","Warm roofing"}' where id = ${one}`,
    `update listings set plan_rank = 2 where id = ${two}`,
    `update reviews set rating = 2 where listing_id = ${one} and rating = 4`,
    `update reviews set comment = 'Very tidy.'`,
    `update reviews set removed_at = now(), removed_because = 'withdrawn' where listing_id = ${one} and rating = 5`,
    `update reviews set rating = 1 where removed_at is not null`,
    `update reviews set removed_at = null, removed_because = null`,
    `update reviews set removed_at = now(), removed_because = 'legal' where rating = 1`,
    `insert into reviews (listing_id, author_id, rating, comment) select ${one}, id, 4, 'Good.' from users where username = 'user_9'`,
    `delete from reviews where listing_id = ${one} and rating = 4`,
    `update listings set subscription_id = (select id from subscriptions where user_id <> seller_id), seller_id = (
       select user_id from subscriptions where user_id <> seller_id) where id = ${two}`,
    `update listings set service_districts = array[district_code] where id = ${two}`,
    `delete from listings where id = ${two}`,
    `update listings set category_code = 9, main_category = (select main_category from categories where code = 9) where id = ${one}`,
    `update listings set district_code = 1701, region_code = 17, country = 'AU', service_districts = '{101,1701}', category_code = 7, main_category = (select main_category from categories where code = 7) where id in (${one}, ${sleeping})`,
    `insert into reviews (listing_id, author_id, rating, comment) select ${three}, id, 3, 'Fair.' from users where username = 'user_5'`,
    `delete from listings where id = ${three}`,
  ]) {
    await client.query(statement);
    expect(await compareCounters()).toEqual(Object.keys(counted));
  }
  expect(await rowsOf(`select rating_counts from listings where id = ${one}`)).toEqual([{ rating_counts: [0, 1, 0, 0, 0] }]);
});

/** How often these functions were called for a statement, which is then rolled back. */
async function callsFor(statement: string, ...functions: string[]) {
  await client.query("begin; set local track_functions = 'all'");
  await client.query(statement);
  const calls = await rowsOf(
    `select name, coalesce(pg_stat_get_xact_function_calls(name::regproc), 0)::int as calls from unnest('{${functions.join()}}'::text[]) as name`,
  );
  await client.query('rollback');
  return Object.fromEntries(calls.map((row) => [row.name, row.calls]));
}

test('recomputes a listing’s search words only when one of their columns is written', async () => {
  await list(['Gates and fences', 306, 7, null, 'active'], ['Fences', 306, 7, null, 'active'], ['Gates', 1503, 7, null, 'active']);
  expect(await callsFor(`update listings set status = 'expired' where status = 'active'`, 'words_in_order')).toEqual({ words_in_order: 0 });
  const [{ listings }] = await rowsOf('select count(*)::int as listings from listings');
  const renamed = await callsFor(`update listings set service_title = service_title || '!'`, 'words_in_order');
  expect(renamed).toEqual({ words_in_order: 4 * listings });
});

test('listings have at most twenty indexes and ten triggers', async () => {
  const [counted] = await rowsOf(`select
    (select count(*) from pg_index where indrelid = 'listings'::regclass)::int as indexes,
    (select count(*) from pg_trigger where tgrelid = 'listings'::regclass and not tgisinternal)::int as triggers`);
  expect(counted.indexes).toBeLessThanOrEqual(20);
  expect(counted.triggers).toBeLessThanOrEqual(10);
});

test('a bulk change after a single change on one connection does not compare rows pairwise', async () => {
  await list(['One', 306, 7, null, 'active'], ['Two', 306, 7, null, 'active'], ['Three', 306, 7, null, 'active']);
  const plans: string[] = [];
  const fresh = new pg.Client({ connectionString: url });
  fresh.on('notice', ({ message }) => plans.push(message ?? ''));
  await fresh.connect();
  await fresh.query(`
    begin;
    load 'auto_explain';
    set auto_explain.log_min_duration = 0;
    set auto_explain.log_nested_statements = on;
    set auto_explain.log_level = notice;
    update listings set plan_rank = 3 where listing_number = (select min(listing_number) from listings);
    update listings set plan_rank = 2;
    rollback`);
  await fresh.end();
  const compared = plans.filter((plan) => /(?:new|old)(?:_rows)?\.id = /.test(plan));
  // Two triggers in each of two statements.
  expect(compared.length).toBeGreaterThanOrEqual(4);
  expect(compared.filter((plan) => /Join Filter:.*(?:new|old)(?:_rows)?\.id = /.test(plan))).toEqual([]);
});

test('a recount is independent of the previous counters', async () => {
  const [roofs] = await list(
    ['Taupō roofs', 306, 7, null, 'active'],
    ['Taupō walls', 306, 7, null, 'active'],
    ['Sleeping roofs', 306, 7, null, 'expired'],
  );
  await client.query(`
    insert into reviews (listing_id, author_id, rating, comment)
      select ${roofs}, id, case username when 'user_9' then 4 else 5 end, 'Tidy.' from users where username in ('user_6', 'user_7', 'user_8', 'user_9');
    update reviews set removed_at = now(), removed_because = 'legal' where author_id in (select id from users where username = 'user_7');
    set session_replication_role = replica;
    update listings set rating_counts = '{1,1,1,1,1}' where exists (select from reviews where listing_id = listings.id);
    update category_ratings set reviews = 99;
    set session_replication_role = origin;
    select recount_reviews()`);
  expect(await compareCounters()).toEqual(Object.keys(counted));
});

test.each([
  ['Taupō', 'taupo'],
  ['ĀĒĪŌŪ āēīōū', 'aeiou aeiou'],
  ['Café Ærø', 'cafe aero'],
  ['WHARE', 'whare'],
])('%s is searched as %s', async (written, folded) => {
  expect(await rowsOf(`select fold_text('${written}') as folded`)).toEqual([{ folded }]);
});

test.each([
  ['Taupō’s best: hot-water & hot taps!', `'best':2 'hot':3,5 'tap':6 'taps':6 'taupo':1 'taupos':1 'water':4`],
  ["Kingi''s 24/7", `'24':2 '7':3 'kingis':1`],
  [' – ', ''],
  ['x'.repeat(70), `'${'x'.repeat(60)}':1`],
])('the search words of “%s” are its words and their stems in order', async (title, words) => {
  expect(await rowsOf(`select words_in_order('${title}')::text as words`)).toEqual([{ words }]);
});

test.each([
  // reviews of 1 to 5 stars, average of the group in tenths, score
  ['{0,0,0,0,0}', 44, 440_000],
  ['{0,0,0,0,1}', 44, 450_000],
  ['{0,0,0,10,35}', 44, 474_000],
  ['{1,2,3,4,5}', 40, 375_000],
  ['{0,0,1,0,1}', 40, 400_000],
  ['{0,0,0,1,1}', 41, 421_428],
])('reviews of %s against an average of %d tenths make a score of %d', async (counts, mean, score) => {
  const written = `update listings set rating_counts = '${counts}', group_mean = ${mean} where listing_number = 1001
    returning rating_score as score`;
  expect(await rowsOf(written)).toEqual([{ score }]);
});

test.each([
  ['tiling', 'tiler'],
  ['tilers', 'tiler'],
  ['tiles', 'tile'],
  ['plasterer', 'plaster'],
  ['guttering', 'gutter'],
  ['properties', 'property'],
  ['ties', 'tie'],
  ['branches', 'branch'],
  ['finishes', 'finish'],
  ['boxes', 'box'],
  ['glasses', 'glass'],
  ['houses', 'house'],
  ['gas', 'gas'],
  ['bus', 'bus'],
  ['chassis', 'chassis'],
  ['spring', 'spring'],
  ['king', 'king'],
  ['using', 'using'],
  ['24', '24'],
])('the stem of “%s” is “%s” in the database and in the server', async (word, stem) => {
  const [{ words }] = await rowsOf(`select array(select unnest(tsvector_to_array(words_in_order('${word}')))) as words`);
  expect([new Set(words), toWordStem(word)]).toEqual([new Set([word, stem]), stem]);
});

test('sorts lists by plan, then by number, starting at 1001', async () => {
  const [first] = await rowsOf('select listing_number, plan_rank, sort_key from listings order by listing_number limit 1');
  expect(first).toEqual({ listing_number: 1001, plan_rank: 1, sort_key: '1000000001001' });
});
