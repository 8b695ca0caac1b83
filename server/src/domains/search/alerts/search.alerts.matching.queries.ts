import { sql } from 'kysely';
import type { Reader, Tx } from '../../../kit/database/database.ts';
import type { Leg } from '../near/search.near.rules.ts';
import type { ListingFilter } from '../search.rules.ts';

export const noteNew = (tx: Tx, listingId: string, now: Date) =>
  tx.insertInto('new_listings').values({ listing_id: listingId, live_at: now }).execute();

/** A listing that is new, as alerts look at it: where it is based, and the forms of its words and the codes of its services. */
export type Fresh = { id: string; liveAt: Date; cell: number; tokens: string[] };

/**
 * Takes new listings, the oldest first, for this transaction: nobody else gets them, and they are new no more once it ends. One that is
 * not on the site waits until it is.
 */
export async function takeNew(tx: Tx, most: number): Promise<Fresh[]> {
  const { rows } = await sql<Fresh>`
    with taken as (
      delete from new_listings where listing_id in (
        select listing_id from new_listings join listings on listings.id = listing_id and status = 'active'
        order by listing_id limit ${most} for update of new_listings skip locked
      ) returning listing_id, live_at
    )
    select id, live_at as "liveAt", base_cell as cell,
      array(select distinct regexp_replace(token, '\\.\\d$', '') from unnest(tsvector_to_array(search_vector)) as token
        where token !~ ':' or token ~ '^(category|sub):') as tokens
    from taken join listings on id = listing_id`.execute(tx);
  return rows;
}

// Those that may find something: neither deleted nor at rest.
const watching = sql`alerts.paused_at is null and alerts.deleted_at is null`;

/** The different texts of all alerts. */
export async function listTexts(db: Reader): Promise<string[]> {
  const { rows } = await sql<{ words: string }>`select distinct words from alerts where words <> '' and ${watching}`.execute(db);
  return rows.map(({ words }) => words);
}

/** What the alerts ask of who comes how far, each once. */
export async function listReaches(db: Reader): Promise<ListingFilter[]> {
  const { rows } = await sql<{ reach: ListingFilter }>`select distinct reach from alerts where reach is not null and ${watching}`.execute(
    db,
  );
  return rows.map(({ reach }) => reach);
}

/** A searched word of a text, and one of the tokens that it stands for. */
export type Meant = { text: string; word: number; words: number; token: string };
/** Who counts of those based in a place, by what alerts ask. */
export type Reached = { reach: ListingFilter; leg: Leg; districts: readonly number[] };

/**
 * Notes for every alert which of these listings it finds: one statement for all of them. Listings and alerts meet by place and services,
 * texts and listings by their words, whoever comes from where by the places that were reckoned for it. Returns how many were found.
 */
export async function matchAll(tx: Tx, fresh: readonly Fresh[], meant: readonly Meant[], reached: readonly Reached[]): Promise<number> {
  const { numAffectedRows } = await sql`
    with fresh as materialized (
      select listings.*, live_at
      from unnest(${fresh.map(({ id }) => id)}::uuid[], ${fresh.map(({ liveAt }) => liveAt)}::timestamptz[]) as taken (listing_id, live_at)
        join listings on id = listing_id
    ),
    keyed as materialized (
      select id, place, service
      from fresh,
        unnest(array['any', 'country:' || country, 'region:' || region_code, 'district:' || district_code, 'town:' || base_cell]) as place,
        unnest(array['any', 'main:' || main_category, 'category:' || category_code, 'sub:' || sub_category_code]) as service
    ),
    asked as materialized (
      select alerts.*, service from alerts, unnest(services) as service where ${watching}
    ),
    meant as materialized (
      select * from unnest(
        ${meant.map(({ text }) => text)}::text[], ${meant.map(({ word }) => word)}::int[], ${meant.map(({ words }) => words)}::int[],
        ${meant.map(({ token }) => token)}::text[]
      ) as meant (text, word, words, token)
    ),
    said as materialized (
      select text, id
      from meant join (
        select listing_id as id, token
        from unnest(${tokensOf(fresh).map(([id]) => id)}::uuid[], ${tokensOf(fresh).map(([, token]) => token)}::text[]) as had (listing_id, token)
      ) as had using (token)
      group by text, id having count(distinct word) = min(words)
    ),
    reached as materialized (
      select reach, code, least, districts::smallint[] from unnest(
        ${reached.map(({ reach }) => JSON.stringify(reach))}::jsonb[], ${reached.map(({ leg }) => leg.code)}::int[],
        ${reached.map(({ leg }) => leg.least)}::int[], ${reached.map(({ districts }) => `{${districts.join()}}`)}::text[]
      ) as reached (reach, code, least, districts)
    )
    insert into alert_finds (alert_id, listing_id)
    select asked.id, fresh.id
    from asked
      join keyed on keyed.place = asked.place and keyed.service = asked.service
      join fresh on fresh.id = keyed.id
      left join said on said.text = asked.words and said.id = fresh.id
      left join reached on reached.reach = asked.reach and reached.code = fresh.base_cell
    where fresh.live_at > asked.since and fresh.seller_id <> asked.user_id
      and fresh.evidence_cell >= asked.least_cell and (fresh.evidence_cell & asked.cell_flags) = asked.cell_flags
      and (fresh.evidence_cell & 7) <= asked.price_cell
      and (asked.max_price is null or fresh.price_from_minor <= asked.max_price::bigint * 100)
      and (asked.words = '' or said.id is not null)
      and (asked.reach is null or reached.least = 0 or fresh.service_radius_km >= reached.least or fresh.service_districts && reached.districts)
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

const tokensOf = (fresh: readonly Fresh[]) => fresh.flatMap(({ id, tokens }) => tokens.map((token) => [id, token] as const));

/** Forgets what waited for so long to be on the site, and what was told so long ago, but the last mail of each alert. */
export async function forgetBefore(db: Reader, time: { live: Date; told: Date }): Promise<void> {
  await db.deleteFrom('new_listings').where('live_at', '<', time.live).execute();
  await sql`
    delete from alert_finds using alerts
    where alerts.id = alert_id and told_at < ${time.told} and told_at < mailed_at`.execute(db);
}
