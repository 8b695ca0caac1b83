import { findCategory, findSubCategories } from '@handwise/contract/listings/categories';
import { addDays, dayMs, dayOf } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { maxQuoteReceivers, maxQuoteRequestsPerDay } from '@handwise/contract/messages/limits';
import { quoteRequestPageSize, type requestQuote as requestCall } from '@handwise/contract/messages/quotes';
import { timeZoneOfRegion } from '@handwise/contract/places/regions';
import type { z } from 'zod';
import type { Context } from '../../../kit/context.ts';
import type { Db, Tx } from '../../../kit/database/database.ts';
import { AppError, invalidField } from '../../../kit/errors.ts';
import { appendEvents } from '../../../kit/events/live-events.ts';
import type { UploadedFile } from '../../../kit/files/multipart.ts';
import { type StoredPicture, attachFiles, discardFiles, storePictures } from '../../../kit/files/stored-files.ts';
import { countAttempt } from '../../../kit/identity/attempts.ts';
import { processPictures } from '../../../kit/images/images.ts';
import { lockUser } from '../../accounts/accounts.service.ts';
import { findListingTitle, isLive } from '../../listings/listings.service.ts';
import { listPlacesByName } from '../../places/places.service.ts';
import { findConversation } from '../messages.contact.queries.ts';
import { type OnSameText, countBeginning, writeToSeller } from '../messages.contact.ts';
import * as queries from './messages.quotes.queries.ts';
import { asQuoteRequest } from './messages.quotes.views.ts';
import type { MessageContext } from '../messages.context.ts';
import { countMessage, named, refuseStopped } from '../messages.send.ts';
import { findStops } from '../messages.sending.queries.ts';

/** Attempts of one person, refused ones too: each may bring pictures to be read. */
const askLimit = { max: 100, windowSeconds: 600 };
/** So far ahead a day may be wished for. */
const daysAhead = 365;

type Household = { userId: string; market: CountryCode | null };
type Wanted = z.output<(typeof requestCall)['form']>;
type Sent = { requestId: string; conversationId: string };

/**
 * Asks the business of a listing for a quote. The first message of a request makes it, with its pictures; further ones under the same
 * `clientId` bring the same to others, and each business gets it once. Throws `listing_not_found`, `own_listing_message`, `listing_not_active`,
 * `quote_request_closed`, `quote_request_full`, `too_many_quote_requests`, and what a first message and pictures throw.
 */
export async function requestQuote(
  context: MessageContext,
  { userId, market }: Household,
  wanted: Wanted,
  files: readonly UploadedFile[],
  onSameText: OnSameText,
): Promise<Sent> {
  const { db, store } = context;
  const listing = await findListingTitle(db, wanted.listingId);
  if (!listing) throw new AppError('listing_not_found');
  const known = await queries.findByClientId(db, userId, wanted.clientId);
  const sent = known && (await findSent(db, known.id, listing.id));
  if (sent) return sent;
  const job = known ? undefined : jobOf(context, wanted, market);
  await countAttempt(db, `quotes-by:${userId}`, askLimit);
  // Asked again when it is written. Asked here so that nobody uploads for a refusal.
  await refuse(db, userId, listing, known);

  const processed = await processPictures(known ? [] : files, userId);
  const pictures = await storePictures(db, store, named(processed));
  const keys = pictures.map(({ key }) => key);
  try {
    const { isFirst, ...done } = await db.transaction().execute(async (tx) => {
      // Several at once come one after the other.
      await lockUser(tx, userId);
      const request = await queries.findByClientId(tx, userId, wanted.clientId);
      const before = request && (await findSent(tx, request.id, listing.id));
      if (before) return { ...before, isFirst: false };
      await refuse(tx, userId, listing, request);
      const sending = request ?? (await begin(context, tx, userId, wanted.clientId, job ?? jobOf(context, wanted, market), pictures));
      return { ...(await send(context, tx, userId, listing, sending, onSameText)), isFirst: !request };
    });
    if (!isFirst) await discardFiles(db, store, keys);
    return done;
  } catch (error) {
    await discardFiles(db, store, keys);
    throw error;
  }
}

type Named = NonNullable<Awaited<ReturnType<typeof findListingTitle>>>;

async function findSent(db: Db, requestId: string, listingId: string): Promise<Sent | undefined> {
  const told = (await queries.listTold(db, requestId)).find((one) => one.listing_id === listingId);
  return told && { requestId, conversationId: told.conversation_id };
}

/** Throws where a request cannot go to this listing, or not any more. */
async function refuse(db: Db, userId: string, listing: Named, request: queries.RequestRow | undefined): Promise<void> {
  if (listing.seller_id === userId) throw new AppError('own_listing_message');
  if (!isLive(listing)) {
    throw new AppError('listing_not_active', { message: `“${listing.service_title}” is paused or has ended. Choose another one.` });
  }
  if (request?.closed_at) throw new AppError('quote_request_closed');
  if (request && (await queries.listTold(db, request.id)).length >= maxQuoteReceivers) throw new AppError('quote_request_full');
  refuseStopped(await findStops(db, userId, listing.seller_id));
}

type Job = ReturnType<typeof jobOf>;

/** What was said of the job, in our own words for trade, place and day. Throws `invalid_input`. */
function jobOf({ clock }: Context, { job, category, subCategory, place, when, date }: Wanted, market: CountryCode | null) {
  const group = findCategory(category);
  if (!group) throw invalidField('category', 'Choose what kind of job it is');
  const [sub] = subCategory === '' ? [] : findSubCategories(subCategory, group);
  if (subCategory !== '' && !sub) throw invalidField('subCategory', `There is no such kind of job in ${group.name}`);
  const found = listPlacesByName(place, market).find(({ kind }) => kind !== 'country');
  if (!found) throw invalidField('place', 'We don’t know that place. Choose a suburb, a town or a region');
  const timeZone = timeZoneOfRegion(found.regionCode ?? 0, found.country);
  return {
    job,
    category_code: group.code,
    sub_category_code: sub?.code ?? null,
    place: found.label,
    timing: when,
    wanted_on: when === 'date' ? dayWanted(date, dayOf(clock.now(), timeZone)) : null,
  };
}

function dayWanted(date: string, today: string): string {
  if (date === '') throw invalidField('date', 'Choose the day');
  if (date < today) throw invalidField('date', 'This day has passed. Choose a later one');
  if (date > addDays(today, daysAhead)) throw invalidField('date', 'Choose a day within a year');
  return date;
}

async function begin({ clock }: Context, tx: Tx, userId: string, clientId: string, job: Job, pictures: readonly StoredPicture[]) {
  const now = clock.now();
  const made = await queries.countRequests(tx, userId, new Date(now.getTime() - dayMs));
  if (made >= maxQuoteRequestsPerDay) throw new AppError('too_many_quote_requests');
  await attachFiles(
    tx,
    pictures.map(({ key }) => key),
  );
  return queries.insertRequest(tx, { user_id: userId, client_id: clientId, ...job, created_at: now }, pictures);
}

/** Only what is sent counts here: a press that comes to nothing takes nobody's turn. */
async function send(
  context: MessageContext,
  tx: Tx,
  userId: string,
  listing: Named,
  request: queries.RequestRow,
  onSameText: OnSameText,
): Promise<Sent> {
  const existing = await findConversation(tx, listing.id, userId);
  await countMessage(tx, userId);
  if (!existing) await countBeginning(tx, userId);
  const place = (await queries.listTold(tx, request.id)).length + 1;
  const onWritten = async (at: { conversationId: string; number: number }) => {
    await queries.insertReceiver(tx, { request_id: request.id, place, conversation_id: at.conversationId, number: at.number });
    await tellSides(tx, [{ conversation_id: at.conversationId, buyer_id: userId, seller_id: listing.seller_id }]);
  };
  const message = { text: request.job, clientId: null, pictures: request.pictures, onWritten };
  const conversationId = await writeToSeller(context, tx, { buyerId: userId, listing, existing, message }, onSameText);
  return { requestId: request.id, conversationId };
}

type Side = { conversation_id: string; buyer_id: string; seller_id: string };

/** Whoever has such a conversation open reads it anew. */
const tellSides = (tx: Tx, told: readonly Side[]) =>
  appendEvents(
    tx,
    told.flatMap((one) =>
      [one.buyer_id, one.seller_id].map((userId) => ({ userId, kind: 'quote', data: { conversationId: one.conversation_id } }) as const),
    ),
  );

export async function listQuoteRequests(db: Db, userId: string, asked: { page?: number | undefined; limit?: number | undefined }) {
  const page = asked.page ?? 1;
  const take = asked.limit ?? quoteRequestPageSize;
  const [rows, total] = await Promise.all([
    queries.listRequests(db, userId, { skip: (page - 1) * take, take }),
    queries.countOwn(db, userId),
  ]);
  const receivers = await queries.listReceivers(
    db,
    rows.map(({ id }) => id),
  );
  return {
    quoteRequests: rows.map((row) => asQuoteRequest(row, receivers)),
    currentPage: page,
    totalPages: Math.ceil(total / take),
    totalQuoteRequests: total,
  };
}

/** Says that no more quotes are needed, and tells it to whom the request went. Closed twice it was closed the first time. */
export async function closeQuoteRequest({ db, clock }: Context, userId: string, id: string): Promise<Date> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const closedAt = await queries.close(tx, userId, id, clock.now());
    if (!closedAt) throw new AppError('quote_request_not_found');
    await tellSides(tx, await queries.listTold(tx, id));
    return closedAt;
  });
}
