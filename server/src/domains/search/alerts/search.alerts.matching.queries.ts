import { sql } from 'kysely';
import type { Reader, Tx } from '../../../kit/database/database.ts';
import type { ListingFilter } from '../search.rules.ts';

export const noteNew = (tx: Tx, listingId: string, now: Date) =>
  tx.insertInto('new_listings').values({ listing_id: listingId, live_at: now }).execute();

/** A listing that is new, as alerts look at it. */
export type Fresh = {
  id: string;
  seller: string;
  liveAt: Date;
  /** Where it is based, and how far it comes from there or to which districts. */
  cell: number;
  radius: number | null;
  districts: readonly number[];
  /** Each place that it lies in with each kind of services that it is of. */
  places: string[];
  services: string[];
  evidence: number;
  price: number | null;
  /** The forms of its words and the codes of its services. */
  tokens: string[];
};

// What alerts can ask of a listing: each key that it answers to.
const placesOf = sql<
  string[]
>`array['any', 'country:' || country, 'region:' || region_code, 'district:' || district_code, 'town:' || base_cell]`;
const servicesOf = sql<
  string[]
>`array_remove(array['any', 'main:' || main_category, 'category:' || category_code, 'sub:' || sub_category_code], null)`;
const tokensOf = sql<string[]>`array(
  select distinct regexp_replace(token, '\\.\\d$', '') from unnest(tsvector_to_array(search_vector)) as token
  where token !~ ':' or token ~ '^(category|sub):')`;

/**
 * Takes new listings, the oldest first, for this transaction: nobody else gets them, and they are new no more once it ends. One that is
 * not on the site waits until it is.
 */
export async function takeNew(tx: Tx, most: number): Promise<Fresh[]> {
  return tx
    .with('taken', (from) =>
      from
        .deleteFrom('new_listings')
        .where('listing_id', 'in', (waiting) =>
          waiting
            .selectFrom('new_listings')
            .innerJoin('listings', (join) => join.onRef('listings.id', '=', 'listing_id').on('status', '=', 'active'))
            .select('listing_id')
            .orderBy('listing_id')
            .limit(most)
            .forUpdate('new_listings')
            .skipLocked(),
        )
        .returning(['listing_id', 'new_listings.live_at']),
    )
    .selectFrom('taken')
    .innerJoin('listings', 'id', 'listing_id')
    .select(['id', 'seller_id as seller', 'taken.live_at as liveAt', 'base_cell as cell', 'service_radius_km as radius'])
    .select(['evidence_cell as evidence', 'price_from_minor as price', sql<number[]>`coalesce(service_districts, '{}')`.as('districts')])
    .select([placesOf.as('places'), servicesOf.as('services'), tokensOf.as('tokens')])
    .execute();
}

// Those that may find something: neither deleted nor at rest.
const watching = sql<boolean>`alerts.paused_at is null and alerts.deleted_at is null`;

/** The different texts of all alerts. */
export async function listTexts(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom('alerts').distinct().select('words').where('words', '<>', '').where(watching).execute();
  return rows.map(({ words }) => words);
}

/** What the alerts ask of who comes how far, each once. */
export async function listReaches(db: Reader): Promise<ListingFilter[]> {
  const rows = await db
    .selectFrom('alerts')
    .distinct()
    .select((is) => is.ref('reach').$castTo<ListingFilter>().as('reach'))
    .where('reach', 'is not', null)
    .where(watching)
    .execute();
  return rows.map(({ reach }) => reach);
}

/** A text that a listing has, by its place among those that were taken. */
export type Said = { text: string; listing: number };
/** Somebody comes from there, by what alerts ask. */
export type Reached = { reach: ListingFilter; listing: number };

/**
 * Notes for every alert which of these listings it finds: one statement for all of them. Listings and alerts meet by place and services;
 * which texts a listing has, and whom it comes to, was reckoned for each before. Returns how many were found.
 */
export async function matchAll(tx: Tx, fresh: readonly Fresh[], said: readonly Said[], reached: readonly Reached[]): Promise<number> {
  const keys = fresh.flatMap(({ places, services }, index) =>
    places.flatMap((place) => services.map((service) => ({ listing: index, place, service }))),
  );
  // Nothing is known of how much these lists hold. By hashing, each is read once.
  await sql`set local enable_nestloop = off`.execute(tx);
  const { numAffectedRows } = await sql`
    with fresh as materialized (
      select ordinality - 1 as listing, id, seller, live_at, evidence, price from unnest(
        ${fresh.map(({ id }) => id)}::uuid[], ${fresh.map(({ seller }) => seller)}::uuid[], ${fresh.map(({ liveAt }) => liveAt)}::timestamptz[],
        ${fresh.map(({ evidence }) => evidence)}::int[], ${fresh.map(({ price }) => price)}::int[]
      ) with ordinality as fresh (id, seller, live_at, evidence, price)
    ),
    keyed as materialized (
      select * from unnest(
        ${keys.map(({ listing }) => listing)}::int[], ${keys.map(({ place }) => place)}::text[], ${keys.map(({ service }) => service)}::text[]
      ) as keyed (listing, place, service)
    ),
    said as materialized (
      select * from unnest(${said.map(({ text }) => text)}::text[], ${said.map(({ listing }) => listing)}::int[]) as said (text, listing)
    ),
    reached as materialized (
      select * from unnest(
        ${reached.map(({ reach }) => JSON.stringify(reach))}::jsonb[], ${reached.map(({ listing }) => listing)}::int[]
      ) as reached (reach, listing)
    ),
    asked as materialized (
      select alerts.*, service from alerts, unnest(services) as service where ${watching}
    )
    insert into alert_finds (alert_id, listing_id)
    select asked.id, fresh.id
    from asked
      join keyed on keyed.place = asked.place and keyed.service = asked.service
      join fresh on fresh.listing = keyed.listing
      left join said on said.text = asked.words and said.listing = fresh.listing
      left join reached on reached.reach = asked.reach and reached.listing = fresh.listing
    where (asked.words = '' or said.text is not null) and (asked.reach is null or reached.reach is not null)
      and fresh.live_at > asked.since and fresh.seller <> asked.user_id
      and fresh.evidence >= asked.least_cell and (fresh.evidence & asked.cell_flags) = asked.cell_flags
      and (fresh.evidence & 7) <= asked.price_cell and (asked.max_price is null or fresh.price <= asked.max_price::bigint * 100)
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Forgets what waited for so long to be on the site, and what was told so long ago, but the last mail of each alert. */
export async function forgetBefore(db: Reader, time: { live: Date; told: Date }): Promise<void> {
  await db.deleteFrom('new_listings').where('live_at', '<', time.live).execute();
  await db
    .deleteFrom('alert_finds')
    .using('alerts')
    .whereRef('alerts.id', '=', 'alert_id')
    .where('told_at', '<', time.told)
    .whereRef('told_at', '<', 'mailed_at')
    .execute();
}
