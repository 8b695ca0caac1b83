import { type RawBuilder, sql } from 'kysely';
import type { CountryCode } from '@handwise/contract/markets';
import type { SendQuoteForm } from '@handwise/contract/quotes/calls';
import type { DeclineReason, QuoteStatus } from '@handwise/contract/quotes/words';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId, unnestTable } from '../../kit/database/sql-helpers.ts';
import { whereOpen } from './quotes.states.ts';

const columns = [
  'quotes.id',
  'quote_number',
  'quotes.conversation_id',
  'quotes.number',
  'quotes.status',
  'kind',
  'quotes.country',
  'gst_included',
  'total_minor',
  'gst_minor',
  'business_name',
  'customer_name',
  'notes',
  'expires_at',
  'sent_at',
  'quotes.seen_at',
  'closed_at',
  'decline_reason',
  'decline_note',
] as const;

// As text, because a date without a time would shift with the server's time zone.
const validUntil = sql<string>`valid_until::text`.as('valid_until');
/** What the document says of the business: its lines, and the address of its logo, if any. */
export type QuoteBusiness = { lines: string[]; logo: string };
const business = sql<QuoteBusiness | null>`quotes.business`.as('business');
const startsOn = sql<string | null>`starts_on::text`.as('starts_on');

const selectQuotes = (db: Reader) =>
  db
    .selectFrom('quotes')
    .innerJoin('conversations', 'conversations.id', 'quotes.conversation_id')
    .innerJoin('listings', 'listings.id', 'conversations.listing_id')
    .select([...columns, 'buyer_id', 'conversations.seller_id', 'service_title', 'region_code', 'category_code', 'sub_category_code'])
    .select([validUntil, startsOn, business]);

export type QuoteRow = Awaited<ReturnType<ReturnType<typeof selectQuotes>['execute']>>[number];

/** Undefined if the user takes no part in its conversation. */
export const findQuoteOfUser = (db: Reader, userId: string, id: string) =>
  selectQuotes(db)
    .where('quotes.id', '=', id)
    .where((eb) => eb.or([eb('buyer_id', '=', userId), eb('conversations.seller_id', '=', userId)]))
    .executeTakeFirst();

/** A column for a statement that reads both listing and buyer: when they first accepted a quote for it; null if they have not. */
export const acceptedQuoteColumn = (listingId: RawBuilder<string>, buyerId: RawBuilder<string>): RawBuilder<Date | string | null> => sql`(
  select min(agreed.closed_at) from quotes as agreed join conversations as talk on talk.id = agreed.conversation_id
  where talk.listing_id = ${listingId} and talk.buyer_id = ${buyerId} and agreed.status = 'accepted'
)`;

/** Newest first. */
export const listQuotesOfConversation = (db: Reader, conversationId: string, take: number) =>
  selectQuotes(db).where('quotes.conversation_id', '=', conversationId).orderBy('quotes.number', 'desc').limit(take).execute();

export const listQuotesOfUser = (db: Reader, userId: string) =>
  selectQuotes(db)
    .where((eb) => eb.or([eb('buyer_id', '=', userId), eb('conversations.seller_id', '=', userId)]))
    .orderBy('quotes.id')
    .execute();

export const findQuoteByClientId = (db: Reader, conversationId: string, clientId: string) =>
  selectQuotes(db).where('quotes.conversation_id', '=', conversationId).where('client_id', '=', clientId).executeTakeFirst();

/** The quotes of those conversations that the user takes part in, newest first. */
export const listQuotesOfConversations = (db: Reader, userId: string, conversationIds: readonly string[]) =>
  selectQuotes(db)
    .where('quotes.conversation_id', '=', anyId(conversationIds))
    .where((eb) => eb.or([eb('buyer_id', '=', userId), eb('conversations.seller_id', '=', userId)]))
    .orderBy('quotes.number', 'desc')
    .execute();

export const listQuoteLines = (db: Reader, quoteIds: readonly string[]) =>
  db
    .selectFrom('quote_lines')
    .select(['quote_id', 'description', 'quantity_milli', 'unit_minor', 'amount_minor'])
    .where('quote_id', '=', anyId(quoteIds))
    .orderBy('quote_id')
    .orderBy('place')
    .execute();

export type QuoteLineRow = Awaited<ReturnType<typeof listQuoteLines>>[number];

/** Where the listing of a conversation is, which decides currency, GST and time zone. */
export const getListingOfConversation = (db: Reader, conversationId: string) =>
  db
    .selectFrom('conversations')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .innerJoin('users as buyer', 'buyer.id', 'buyer_id')
    .select(['country', 'region_code', 'district_code', 'base_locality_code', 'business_title', 'service_title', 'buyer.full_name'])
    .select(['category_code', 'sub_category_code'])
    .select([
      'business_phone',
      'business_email',
      'business_number',
      'gst_number',
      'gst_registered',
      'licence_register',
      'licence_number',
      'licence_name',
      'licence_hidden',
      'logo',
    ])
    .where('conversations.id', '=', conversationId)
    .executeTakeFirstOrThrow();

type NewQuote = {
  conversation_id: string;
  number: number;
  client_id: string;
  kind: SendQuoteForm['kind'];
  country: CountryCode;
  gst_included: boolean;
  total_minor: number;
  gst_minor: number;
  business_name: string;
  customer_name: string;
  notes: string;
  valid_until: string;
  starts_on: string | null;
  business: string;
  expires_at: Date;
  remind_at: Date;
  sent_at: Date;
};

export async function insertQuote(tx: Tx, values: NewQuote, lines: SendQuoteForm['lines']): Promise<string> {
  const { id } = await tx.insertInto('quotes').values(values).returning('id').executeTakeFirstOrThrow();
  await tx
    .insertInto('quote_lines')
    .values(
      lines.map(({ description, quantityMilli, unitMinor }, index) => ({
        quote_id: id,
        place: index + 1,
        description,
        quantity_milli: quantityMilli,
        unit_minor: unitMinor,
      })),
    )
    .execute();
  return id;
}

/** The open quote of a conversation, locked. */
export const lockOpenQuote = (tx: Tx, conversationId: string) =>
  tx
    .selectFrom('quotes')
    .select(['id', 'status', 'expires_at'])
    .where('conversation_id', '=', conversationId)
    .where(whereOpen)
    .forUpdate()
    .executeTakeFirst();

/** Locks open quotes whose time is over, skipping those that are locked. */
export const lockOverdueQuotes = (tx: Tx, now: Date, take: number) =>
  tx
    .selectFrom('quotes')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .select(['quotes.id', 'quotes.status', 'conversation_id', 'buyer_id', 'seller_id'])
    .where('expires_at', '<=', now)
    .where(whereOpen)
    .orderBy('expires_at')
    .limit(take)
    .forUpdate('quotes')
    .skipLocked()
    .execute();

export const listQuotesToRemind = async (db: Reader, now: Date, take: number) =>
  (
    await db
      .selectFrom('quotes')
      .select('id')
      .where('remind_at', '<=', now)
      .where('expires_at', '>', now)
      .where(whereOpen)
      .orderBy('remind_at')
      .limit(take)
      .execute()
  ).map(({ id }) => id);

/** Claims the reminder of a quote that is still open; undefined if it was claimed or the quote is no longer open. */
export async function claimReminder(tx: Tx, id: string, now: Date): Promise<QuoteRow | undefined> {
  const claimed = await tx
    .updateTable('quotes')
    .set({ remind_at: null })
    .where('id', '=', id)
    .where('remind_at', '<=', now)
    .where('expires_at', '>', now)
    .where(whereOpen)
    .returning('id')
    .executeTakeFirst();
  return claimed && selectQuotes(tx).where('quotes.id', '=', id).executeTakeFirstOrThrow();
}

type Period = { sellerId: string; from: Date; until: Date };

/** How many quotes each seller sent, and how many were first seen and accepted, in a period of their own. */
export const countQuotesOfSellers = (db: Reader, periods: readonly Period[]) => {
  const counted = (condition: RawBuilder<unknown>) => sql<number>`(count(*) filter (where ${condition}))::int`;
  return db
    .selectFrom(
      unnestTable('periods', {
        seller_id: ['uuid', periods.map((one) => one.sellerId)],
        from_at: ['text', periods.map((one) => one.from.toISOString())],
        until_at: ['text', periods.map((one) => one.until.toISOString())],
      }),
    )
    .innerJoin('participants', (join) => join.onRef('participants.user_id', '=', 'periods.seller_id').on('role', '=', 'seller'))
    .innerJoin('quotes', 'quotes.conversation_id', 'participants.conversation_id')
    .select('periods.seller_id')
    .select([
      counted(sql`sent_at >= from_at::timestamptz and sent_at < until_at::timestamptz`).as('sent'),
      counted(sql`quotes.seen_at >= from_at::timestamptz and quotes.seen_at < until_at::timestamptz`).as('seen'),
      counted(sql`quotes.status = 'accepted' and closed_at >= from_at::timestamptz and closed_at < until_at::timestamptz`).as('accepted'),
      counted(sql`quotes.status = 'declined' and closed_at >= from_at::timestamptz and closed_at < until_at::timestamptz`).as('declined'),
      // By the clock, because the job marks them later.
      counted(
        sql`quotes.status in ('sent', 'seen', 'expired') and expires_at >= from_at::timestamptz and expires_at < until_at::timestamptz`,
      ).as('expired'),
    ])
    .groupBy('periods.seller_id')
    .execute();
};

/** What has become of the quotes that a listing's business sent since a time, and why customers declined, most often first. */
export async function countQuotesOfListing(db: Reader, listingId: string, since: Date, now: Date) {
  const { rows } = await sql<{ status: QuoteStatus; decline_reason: DeclineReason | 'left' | null; quotes: number }>`
    select case when status in ('sent', 'seen') and expires_at <= ${now} then 'expired' else status end as status, decline_reason, count(*)::int as quotes
    from quotes join conversations on conversations.id = conversation_id
    where listing_id = ${listingId} and sent_at >= ${since}
    group by 1, 2 order by quotes desc, decline_reason`.execute(db);
  const counts: Partial<Record<QuoteStatus, number>> = {};
  for (const row of rows) counts[row.status] = (counts[row.status] ?? 0) + row.quotes;
  const { accepted = 0, declined = 0, expired = 0 } = counts;
  return {
    sent: rows.reduce((all, row) => all + row.quotes, 0),
    accepted,
    declined,
    expired,
    reasons: rows.flatMap(({ decline_reason: reason, quotes }) => (reason === null ? [] : [{ reason, quotes }])),
  };
}

/** Listings with quotes that were sent, seen or decided since a time. */
export async function listQuotedSince(db: Reader, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('quotes')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .distinct()
    .select('listing_id')
    .where((eb) => eb.or([eb('sent_at', '>=', since), eb('quotes.seen_at', '>=', since), eb('closed_at', '>=', since)]))
    .execute();
  return rows.map((row) => row.listing_id);
}

/** The quotes of a user's conversations that were not accepted, locked in one order. */
export const lockUnacceptedQuotesOfUser = (tx: Tx, userId: string) =>
  tx
    .selectFrom('quotes')
    .innerJoin('participants', 'participants.conversation_id', 'quotes.conversation_id')
    .select(['quotes.id', 'quotes.status', 'participants.role'])
    .where('user_id', '=', userId)
    .where('status', '<>', 'accepted')
    .orderBy('quotes.id')
    .forUpdate('quotes')
    .execute();

/** Replaces the name of a deleted account in its quotes that are no agreement. */
export async function anonymizeQuotes(tx: Tx, userId: string, name: string): Promise<void> {
  const ofRole = (role: 'buyer' | 'seller') =>
    tx.selectFrom('participants').select('conversation_id').where('user_id', '=', userId).where('role', '=', role);
  const quotes = tx.updateTable('quotes').where('status', '<>', 'accepted');
  await quotes.set({ customer_name: name }).where('conversation_id', 'in', ofRole('buyer')).execute();
  await quotes.set({ business_name: name, business: null }).where('conversation_id', 'in', ofRole('seller')).execute();
}
