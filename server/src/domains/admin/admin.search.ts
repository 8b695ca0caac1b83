import { formerMember } from '@handwise/contract/accounts/public-name';
import { adminPageSize } from '@handwise/contract/admin/calls';
import { maxCounted } from '@handwise/contract/admin/limits';
import { type FoundListing, type FoundPayment, type FoundReview, type FoundUser } from '@handwise/contract/admin/search';
import type { ListingStatus } from '@handwise/contract/listings/calls';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import * as accounts from '../accounts/accounts.service.ts';
import * as listings from '../listings/listings.service.ts';
import * as payments from '../payments/payments.service.ts';
import * as reviews from '../reviews/reviews.service.ts';
import { listLooksAt } from './admin.queries.ts';

type PageQuery = { page?: number | undefined; limit?: number | undefined; q?: string | undefined };
/** Listings and payments shown on the page of an account. */
const maxShown = 20;

const getWindow = ({ page = 1, limit = adminPageSize, q }: PageQuery) => ({
  q: q === '' ? undefined : q,
  skip: (page - 1) * limit,
  take: limit,
  counted: maxCounted,
});
const getPages = ({ page = 1, limit = adminPageSize }: PageQuery, total: number) => ({
  currentPage: page,
  totalPages: Math.ceil(total / limit),
  total,
});

export async function searchUsers(db: Db, query: PageQuery & { status?: accounts.UserStatus | undefined }) {
  const { rows, total } = await accounts.searchAccounts(db, { ...getWindow(query), status: query.status ?? 'all' });
  const counted = await listings.countListingsBySeller(
    db,
    rows.map(({ id }) => id),
  );
  return { users: rows.map((row) => toUser(row, counted.get(row.id) ?? 0)), ...getPages(query, total) };
}

export async function searchListings(db: Db, query: PageQuery & { status?: ListingStatus | 'all' | undefined }) {
  const sellerIds = query.q ? await accounts.listUserIdsByName(db, query.q) : [];
  const { rows, total } = await listings.searchListingsForAdmin(db, { ...getWindow(query), sellerIds, status: query.status ?? 'all' });
  return { listings: await toListings(db, rows), ...getPages(query, total) };
}

export async function searchReviews(db: Db, query: PageQuery & { stars?: number | undefined; status?: reviews.ReviewStatus | undefined }) {
  const [authorIds, listingIds] = query.q
    ? await Promise.all([accounts.listUserIdsByName(db, query.q), listings.listListingIdsByNumber(db, query.q)])
    : [[], []];
  const filter = { ...getWindow(query), authorIds, listingIds, stars: query.stars, status: query.status ?? 'all' };
  const { rows, total } = await reviews.searchReviewsForAdmin(db, filter);
  return { reviews: await toReviews(db, rows), ...getPages(query, total) };
}

export async function searchPaymentsWithPayers(db: Db, query: PageQuery & { status?: payments.PaymentFilter | undefined }) {
  const payerIds = query.q ? await accounts.listUserIdsByName(db, query.q) : [];
  const { rows, total } = await payments.searchPayments(db, { ...getWindow(query), payerIds, status: query.status ?? 'all' });
  return { payments: await toPayments(db, rows), ...getPages(query, total) };
}

/** One account with its listings, payments and sessions. Throws `user_not_found`. */
export async function getAccount(context: Context, id: string) {
  const { db } = context;
  const row = await accounts.findUserForAdmin(db, id);
  if (!row) throw new AppError('user_not_found');
  const [counted, theirListings, theirPayments, sessions, looks] = await Promise.all([
    listings.countListingsBySeller(db, [id]),
    listings.listListingsForAdmin(db, id, maxShown),
    payments.listPaymentsForAdmin(db, id, maxShown),
    accounts.listUserSessions(context, id),
    listLooksAt(db, id),
  ]);
  return {
    user: toUser(row, counted.get(id) ?? 0),
    listings: await toListings(db, theirListings),
    payments: await toPayments(db, theirPayments),
    sessions: sessions
      .filter((one) => one.look_reason === null)
      .map((one) => ({ browser: one.browser, createdAt: one.created_at.toISOString(), lastUsedAt: one.last_used_at.toISOString() })),
    looks: looks.map((one) => ({ by: one.full_name, reason: one.reason, begunAt: one.begun_at.toISOString() })),
  };
}

const toUser = (row: accounts.AdminUserRow, count: number): FoundUser => ({
  _id: row.id,
  fullName: row.full_name,
  username: row.username,
  email: row.email,
  role: row.role,
  emailConfirmed: row.email_confirmed_at !== null,
  createdAt: row.created_at.toISOString(),
  suspendedAt: row.suspended_at?.toISOString() ?? null,
  deletedAt: row.deleted_at?.toISOString() ?? null,
  listings: count,
});

/** Loads the members of these rows at once and returns a function that gives each row's member. */
async function memberOf<Row>(db: Db, rows: readonly Row[], idOf: (row: Row) => string) {
  const names = await accounts.getNamesById(db, rows.map(idOf));
  return (row: Row) => names.get(idOf(row)) ?? { _id: idOf(row), name: formerMember, username: '' };
}

async function toListings(db: Db, rows: readonly listings.AdminListingRow[]): Promise<FoundListing[]> {
  const named = await memberOf(db, rows, (row) => row.seller_id);
  return rows.map((row) => ({
    _id: row.id,
    listingNumber: row.listing_number,
    serviceTitle: row.service_title,
    businessTitle: row.business_title,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    endsAt: row.subscription_ends_at.toISOString(),
    seller: named(row),
  }));
}

async function toPayments(db: Db, rows: readonly payments.AdminPaymentRow[]): Promise<FoundPayment[]> {
  const named = await memberOf(db, rows, (row) => row.user_id);
  return rows.map((row) => ({
    _id: row.id,
    intentId: row.intent_id,
    purpose: row.purpose,
    amountMinor: row.amount_minor,
    currency: row.currency,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    receiptNumber: row.receipt_number,
    refund:
      row.refund_status === null
        ? null
        : { status: row.refund_status, reason: row.refund_reason ?? '', amountMinor: row.refund_minor ?? 0 },
    owedMinor: row.owed_minor,
    isDisputed: row.is_disputed,
    payer: named(row),
  }));
}

async function toReviews(db: Db, rows: readonly reviews.ReviewSearchRow[]): Promise<FoundReview[]> {
  const [named, titles] = await Promise.all([
    memberOf(db, rows, (row) => row.author_id),
    listings.getTitlesById(
      db,
      rows.map((row) => row.listing_id),
    ),
  ]);
  return rows.map((row) => ({
    _id: row.id,
    rating: row.rating,
    comment: row.comment,
    pictures: row.pictures.map(listings.toPicture),
    answer: row.answer,
    createdAt: row.created_at.toISOString(),
    removedBecause: row.removed_because,
    author: named(row),
    listing: titles.get(row.listing_id) ?? { _id: row.listing_id, listingNumber: 0, serviceTitle: '' },
  }));
}
