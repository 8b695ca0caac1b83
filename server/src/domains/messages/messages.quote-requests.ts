import type { z } from 'zod';
import { addDays, dayMs, getDay } from '@handwise/contract/dates';
import { findCategory, findSubCategories } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { maxQuoteRequestReceivers, maxQuoteRequestsPerDay } from '@handwise/contract/messages/limits';
import { quoteRequestPageSize, type requestQuoteCall } from '@handwise/contract/messages/quote-requests';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import type { Db, Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { type StoredPicture, attachFiles, discardFiles, storePictures } from '../../kit/files/stored-files.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { processPictures } from '../../kit/images/images.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { findListingTitle, isLive } from '../listings/listings.service.ts';
import { listPlacesByName } from '../places/places.service.ts';
import { addAltTexts } from './messages.attachments.ts';
import { countNewConversation, sendToSeller } from './messages.contact.ts';
import type { MessageHooks, MessageContext } from './messages.context.ts';
import { findConversation } from './messages.queries.ts';
import * as queries from './messages.quote-requests.queries.ts';
import { findWriteBlocks } from './messages.send.queries.ts';
import { countSentMessage, checkCanWrite } from './messages.send.ts';
import { toQuoteRequest } from './messages.views.ts';

/** Attempts per user, including rejected ones, because each may upload pictures to process. */
const requestLimit = { max: 100, windowSeconds: 600 };
/** How far ahead the wanted day may be. */
const daysAhead = 365;

type Household = { userId: string; market: CountryCode | null };
type RequestForm = z.output<(typeof requestQuoteCall)['form']>;
type Sent = { requestId: string; conversationId: string };

/**
 * Asks the business of a listing for a quote. The first submission creates the request with its pictures; further ones with the same
 * `clientId` send it to other businesses, each of which gets it once. Throws `listing_not_found`, `own_listing_message`, `listing_not_active`,
 * `quote_request_closed`, `quote_request_full`, `too_many_quote_requests`, and what a first message and pictures throw.
 */
export async function requestQuote(
  context: MessageContext,
  { userId, market }: Household,
  wanted: RequestForm,
  files: readonly UploadedFile[],
  hooks: MessageHooks,
): Promise<Sent> {
  const { db, store } = context;
  const listing = await findListingTitle(db, wanted.listingId);
  if (!listing) throw new AppError('listing_not_found');
  const known = await queries.findQuoteRequestByClientId(db, userId, wanted.clientId);
  const sent = known && (await findSentRequest(db, known.id, listing.id));
  if (sent) return sent;
  const job = known ? undefined : parseJob(context, wanted, { market, preferred: listing.country });
  await countAttempt(db, `quotes-by:${userId}`, requestLimit);
  // Checked again in the transaction; checked here to reject before pictures are processed.
  await checkCanSend(db, userId, listing, known);

  const processed = await processPictures(known ? [] : files, userId);
  const pictures = await storePictures(db, store, addAltTexts(processed));
  const keys = pictures.map(({ key }) => key);
  try {
    const { isFirst, ...done } = await db.transaction().execute(async (tx) => {
      // The lock serializes concurrent submissions of one user.
      await lockUser(tx, userId);
      const request = await queries.findQuoteRequestByClientId(tx, userId, wanted.clientId);
      const before = request && (await findSentRequest(tx, request.id, listing.id));
      if (before) return { ...before, isFirst: false };
      await checkCanSend(tx, userId, listing, request);
      const sending =
        request ??
        (await createRequest(
          context,
          tx,
          userId,
          wanted.clientId,
          job ?? parseJob(context, wanted, { market, preferred: listing.country }),
          pictures,
        ));
      return { ...(await send(context, tx, userId, listing, sending, hooks)), isFirst: !request };
    });
    if (!isFirst) await discardFiles(db, store, keys);
    return done;
  } catch (error) {
    await discardFiles(db, store, keys);
    throw error;
  }
}

type Named = NonNullable<Awaited<ReturnType<typeof findListingTitle>>>;

async function findSentRequest(db: Db, requestId: string, listingId: string): Promise<Sent | undefined> {
  const sent = (await queries.listQuoteRequestConversations(db, requestId)).find((one) => one.listing_id === listingId);
  return sent && { requestId, conversationId: sent.conversation_id };
}

/** Throws if the request cannot be sent to this listing. */
async function checkCanSend(db: Db, userId: string, listing: Named, request: queries.QuoteRequestRow | undefined): Promise<void> {
  if (listing.seller_id === userId) throw new AppError('own_listing_message');
  if (!isLive(listing)) {
    throw new AppError('listing_not_active', { message: `“${listing.service_title}” is paused or has ended. Choose another one.` });
  }
  if (request?.closed_at) throw new AppError('quote_request_closed');
  if (request && (await queries.listQuoteRequestConversations(db, request.id)).length >= maxQuoteRequestReceivers)
    throw new AppError('quote_request_full');
  checkCanWrite(await findWriteBlocks(db, userId, listing.seller_id));
}

type Job = ReturnType<typeof parseJob>;
/** Of two places of one name, the one in the country of the asked business is meant. */
type Countries = { market: CountryCode | null; preferred: CountryCode };

/** Resolves category, place and day of a job. Throws `invalid_input`. */
function parseJob({ clock }: Context, { job, category, subCategory, place, when, date }: RequestForm, { market, preferred }: Countries) {
  const group = findCategory(category);
  if (!group) throw invalidField('category', 'Choose what kind of job it is');
  const [sub] = subCategory === '' ? [] : findSubCategories(subCategory, group);
  if (subCategory !== '' && !sub) throw invalidField('subCategory', `There is no such kind of job in ${group.name}`);
  const found = listPlacesByName(place, market, preferred).find(({ kind }) => kind !== 'country');
  if (!found) throw invalidField('place', 'We don’t know that place. Choose a suburb, a town or a region');
  const timeZone = getRegionTimeZone(found.regionCode ?? 0, found.country);
  return {
    job,
    category_code: group.code,
    sub_category_code: sub?.code ?? null,
    place: found.label,
    timing: when,
    wanted_on: when === 'date' ? parseDay(date, getDay(clock.now(), timeZone)) : null,
  };
}

function parseDay(date: string, today: string): string {
  if (date === '') throw invalidField('date', 'Choose the day');
  if (date < today) throw invalidField('date', 'This day has passed. Choose a later one');
  if (date > addDays(today, daysAhead)) throw invalidField('date', 'Choose a day within a year');
  return date;
}

async function createRequest({ clock }: Context, tx: Tx, userId: string, clientId: string, job: Job, pictures: readonly StoredPicture[]) {
  const now = clock.now();
  const made = await queries.countQuoteRequestsSince(tx, userId, new Date(now.getTime() - dayMs));
  if (made >= maxQuoteRequestsPerDay) throw new AppError('too_many_quote_requests');
  await attachFiles(
    tx,
    pictures.map(({ key }) => key),
  );
  return queries.insertQuoteRequest(tx, { user_id: userId, client_id: clientId, ...job, created_at: now }, pictures);
}

/** The limits are counted in the transaction, so that a failed submission does not count. */
async function send(
  context: MessageContext,
  tx: Tx,
  userId: string,
  listing: Named,
  request: queries.QuoteRequestRow,
  hooks: MessageHooks,
): Promise<Sent> {
  const existing = await findConversation(tx, listing.id, userId);
  await countSentMessage(tx, userId);
  if (!existing) await countNewConversation(tx, userId);
  const place = (await queries.listQuoteRequestConversations(tx, request.id)).length + 1;
  const onWritten = async (at: { conversationId: string; number: number }) => {
    await queries.insertQuoteRequestReceiver(tx, { request_id: request.id, place, conversation_id: at.conversationId, number: at.number });
    await publishQuoteEvents(tx, [{ conversation_id: at.conversationId, buyer_id: userId, seller_id: listing.seller_id }]);
  };
  const message = { text: request.job, clientId: null, pictures: request.pictures, isQuoteRequest: true, onWritten };
  const { conversationId } = await sendToSeller(context, tx, { buyerId: userId, listing, existing, message }, hooks);
  return { requestId: request.id, conversationId };
}

type PassedOn = {
  buyerId: string;
  /** The conversation whose first message is passed on. */
  conversationId: string;
  listing: { id: string; seller_id: string };
};

/** Sends the first message of a conversation to another business, with its files and, if it is a quote request, as that. Part of a transaction. */
export async function passOnFirstMessage(
  context: MessageContext,
  tx: Tx,
  { buyerId, conversationId, listing }: PassedOn,
  hooks: MessageHooks,
): Promise<string> {
  const first = await queries.getFirstMessage(tx, conversationId);
  const { request_id: requestId } = first;
  const onWritten = async (at: { conversationId: string; number: number }) => {
    if (requestId === null) return;
    const place = (await queries.listQuoteRequestConversations(tx, requestId)).length + 1;
    await queries.insertQuoteRequestReceiver(tx, { request_id: requestId, place, conversation_id: at.conversationId, number: at.number });
  };
  const message = {
    text: first.body,
    clientId: null,
    pictures: first.pictures,
    pdf: first.pdf,
    isQuoteRequest: requestId !== null,
    onWritten,
  };
  const sent = await sendToSeller(context, tx, { buyerId, listing, existing: undefined, message, isPassedOn: true }, hooks);
  return sent.conversationId;
}

type Side = { conversation_id: string; buyer_id: string; seller_id: string };

/** Makes open pages of both sides reload the conversation. */
const publishQuoteEvents = (tx: Tx, conversations: readonly Side[]) =>
  appendEvents(
    tx,
    conversations.flatMap((one) =>
      [one.buyer_id, one.seller_id].map((userId) => ({ userId, kind: 'quote', data: { conversationId: one.conversation_id } }) as const),
    ),
  );

export async function listQuoteRequests(db: Db, userId: string, options: { page?: number | undefined; limit?: number | undefined }) {
  const page = options.page ?? 1;
  const take = options.limit ?? quoteRequestPageSize;
  const [rows, total] = await Promise.all([
    queries.listQuoteRequestsOfUser(db, userId, { skip: (page - 1) * take, take }),
    queries.countQuoteRequestsOfUser(db, userId),
  ]);
  const receivers = await queries.listQuoteRequestReceivers(
    db,
    rows.map(({ id }) => id),
  );
  return {
    quoteRequests: rows.map((row) => toQuoteRequest(row, receivers)),
    currentPage: page,
    totalPages: Math.ceil(total / take),
    totalQuoteRequests: total,
  };
}

/** Closes a request and notifies its receivers. Idempotent: returns the time of the first closing. */
export async function closeQuoteRequest({ db, clock }: Context, userId: string, id: string): Promise<Date> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const closedAt = await queries.closeQuoteRequestOfUser(tx, userId, id, clock.now());
    if (!closedAt) throw new AppError('quote_request_not_found');
    await publishQuoteEvents(tx, await queries.listQuoteRequestConversations(tx, id));
    return closedAt;
  });
}
