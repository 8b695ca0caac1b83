import type { ListingStatus } from '@handwise/contract/listings';
import type { CountryCode } from '@handwise/contract/markets';
import { type Insertable, type Updateable, sql } from 'kysely';
import type { DB } from '../../kit/database.generated.ts';
import type { Reader, Tx } from '../../kit/database.ts';
import type { StoredPicture } from '../../kit/stored-files.ts';
import { type CardRow, cardColumns } from '../listings/listings.service.ts';

export type OwnListing = {
  id: string;
  seller_id: string;
  subscription_id: string;
  subscription_ends_at: Date;
  status: ListingStatus;
  plan_rank: number;
  country: CountryCode;
  region_code: number;
  service_title: string;
  pictures: StoredPicture[];
  logo: string;
  logo_color: string;
};

const ownColumns = sql.raw(
  'id, seller_id, subscription_id, subscription_ends_at, status, plan_rank, country, region_code, service_title, pictures, logo, logo_color',
);

export async function findOwn(db: Reader, id: string, sellerId: string): Promise<OwnListing | undefined> {
  const { rows } = await sql<OwnListing>`select ${ownColumns} from listings where id = ${id} and seller_id = ${sellerId}`.execute(db);
  return rows[0];
}

export async function lockOwn(tx: Tx, id: string, sellerId: string): Promise<OwnListing | undefined> {
  const { rows } = await sql<OwnListing>`
    select ${ownColumns} from listings where id = ${id} and seller_id = ${sellerId} for update`.execute(tx);
  return rows[0];
}

export const findSubmission = (db: Reader, submissionId: string) =>
  db.selectFrom('listings').select(['id', 'seller_id']).where('submission_id', '=', submissionId).executeTakeFirst();

export const isPaymentUsed = async (db: Reader, paymentId: string) =>
  (await db.selectFrom('listings').select('id').where('payment_id', '=', paymentId).executeTakeFirst()) !== undefined;

export const insertListing = (tx: Tx, listing: Insertable<DB['listings']>) =>
  tx.insertInto('listings').values(listing).returning(['id', 'listing_number']).executeTakeFirstOrThrow();

export const updateListing = (tx: Tx, id: string, changes: Updateable<DB['listings']>) =>
  tx
    .updateTable('listings')
    .set({ ...changes, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();

/** Puts all listings of a subscription under another one. */
export const moveListings = (
  tx: Tx,
  fromSubscriptionId: string,
  to: { subscription_id: string; subscription_ends_at: Date; plan_rank: number },
) =>
  tx
    .updateTable('listings')
    .set({ ...to, updated_at: sql<Date>`now()` })
    .where('subscription_id', '=', fromSubscriptionId)
    .returning(['id', sql<ListingStatus>`status`.as('status')])
    .execute();

export async function listOwn(
  db: Reader,
  sellerId: string,
  status: ListingStatus | null,
  page: { skip: number; take: number },
): Promise<{ rows: CardRow[]; total: number }> {
  const condition = sql`seller_id = ${sellerId} and ${status === null ? sql`true` : sql`status = ${status}`}`;
  const { rows } = await sql<CardRow>`
    select ${cardColumns} from listings where ${condition}
    order by listing_number desc offset ${page.skip} limit ${page.take}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::int as total from listings where ${condition}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export type EndingListing = { id: string; subscription_id: string; seller_id: string; service_title: string; wasActive: boolean };

/**
 * Marks listings expired whose subscription has ended, about so many at a time, and those of one subscription together, by one
 * server. Those that somebody changes now are for later.
 */
export async function expireListings(tx: Tx, from: readonly ListingStatus[], now: Date, most: number): Promise<EndingListing[]> {
  const { rows } = await sql<EndingListing>`
    with due as (
      select subscription_id from listings where status <> 'expired' and subscription_ends_at <= ${now}
      order by subscription_ends_at limit ${most}
    ), locked as materialized (
      select id from subscriptions where id in (select subscription_id from due) for update skip locked
    ), ended as materialized (
      select id, status from listings
      where subscription_id in (select id from locked) and status = any(${[...from]}::text[]) and subscription_ends_at <= ${now}
      for update skip locked
    )
    update listings set status = 'expired', updated_at = now() from ended
    where listings.id = ended.id
    returning listings.id, subscription_id, seller_id, service_title, ended.status = 'active' as "wasActive"`.execute(tx);
  return rows;
}

export type NoticeKind = 'week' | 'day' | 'ended';

/** Notes which of these subscriptions are told of now: those that were not told of before. */
export async function insertNotices(tx: Tx, kind: NoticeKind, subscriptionIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ subscription_id: string }>`
    insert into expiry_notices (subscription_id, kind)
    select id, ${kind} from unnest(${[...subscriptionIds]}::uuid[]) as id
    on conflict do nothing returning subscription_id`.execute(tx);
  return new Set(rows.map((row) => row.subscription_id));
}

/** Subscriptions with active listings that end between two times and whose owners were not told yet. */
export async function listEndingSoon(
  db: Reader,
  kind: NoticeKind,
  from: Date,
  until: Date,
  most: number,
): Promise<{ id: string; user_id: string; ends_at: Date }[]> {
  const { rows } = await sql<{ id: string; user_id: string; ends_at: Date }>`
    select id, user_id, ends_at from subscriptions
    where slots_used > 0
      and ends_at > ${from} and ends_at <= ${until}
      and not exists (select from expiry_notices where subscription_id = subscriptions.id and kind = ${kind})
      and exists (select from listings where subscription_id = subscriptions.id and status = 'active')
    order by ends_at limit ${most}`.execute(db);
  return rows;
}

export const listActiveOf = (db: Reader, subscriptionId: string) =>
  db
    .selectFrom('listings')
    .select(['id', 'service_title', 'country', 'region_code'])
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'active')
    .orderBy('listing_number')
    .execute();
