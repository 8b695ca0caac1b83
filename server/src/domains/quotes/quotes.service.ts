import { publicName } from '@handwise/contract/accounts/public-name';
import { addDays, getDay, getMoment } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import { paths } from '@handwise/contract/paths';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import { addUpQuote } from '@handwise/contract/quotes/amounts';
import type { Quote, SendQuoteForm, QuoteSummary } from '@handwise/contract/quotes/calls';
import {
  type DeclineReason,
  type QuoteStatus,
  formatQuote,
  getEnding,
  maxStartDays,
  maxTotalMinor,
  maxValidDays,
} from '@handwise/contract/quotes/words';
import type { Context } from '../../kit/context.ts';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import { readForDocument } from '../../kit/files/stored-files.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Mail } from '../../kit/mail/mail.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import type { PdfContent } from '../../kit/pdf/pdf.ts';
import {
  type MailReader,
  type MessageContext,
  type Role,
  checkCanWrite,
  findConversationOfUser,
  findMailReader,
  findWriteBlocks,
  lockConversation,
  writeMessage,
} from '../messages/messages.service.ts';
import { sendPush } from '../push/push.service.ts';
import * as emails from './quotes.emails.ts';
import * as queries from './quotes.queries.ts';
import { getRank, getStatusAt, isAccepted, isUnseen, moveQuote } from './quotes.states.ts';
import { describeBusiness, getPdfName, listRulesOf, toQuote, toQuotePdf, toQuoteSummary } from './quotes.views.ts';

export { endQuotesOfUser, getOwnQuoteData } from './quotes.own-data.ts';
export const { acceptedQuoteColumn, countQuotesOfListing, countQuotesOfSellers, listQuotedSince } = queries;

/** Quotes per business across all conversations. */
const sendLimit = { max: 60, windowSeconds: 60 * 60 };
const maxListed = 100;
/** The customer is reminded this long before the end, or halfway to it if less time is left than that. */
const remindMs = 48 * 60 * 60 * 1000;

/**
 * Sends the customer of a conversation a quote, which replaces the open one; idempotent per `clientId`. Throws
 * `conversation_not_found`, `not_the_business`, `blocked`, `blocked_by_you`, `member_left`, `too_many_requests`, `invalid_input`.
 */
export async function sendQuote(context: MessageContext, userId: string, form: SendQuoteForm): Promise<Quote> {
  const { db, clock } = context;
  const { conversationId, clientId, lines } = form;
  const side = await findConversationOfUser(db, userId, conversationId);
  if (!side) throw new AppError('conversation_not_found');
  if (side.role !== 'seller') throw new AppError('not_the_business');
  const known = await queries.findQuoteByClientId(db, conversationId, clientId);
  if (known) return showQuote(context, userId, known);
  const place = await queries.getListingOfConversation(db, conversationId);
  const { country } = place;
  const { totalMinor, gstMinor } = addUpQuote(lines, { country, gstIncluded: form.gstIncluded });
  if (totalMinor < 1) throw invalidField('lines', 'The total must be above $0');
  if (totalMinor > maxTotalMinor) throw invalidField('lines', 'The total must be at most $10,000,000');
  const now = clock.now();
  const timeZone = getRegionTimeZone(place.region_code, country);
  const expiresAt = parseValidUntil(form.validUntil, now, timeZone);
  checkStart(form.startsOn, getDay(now, timeZone));
  await countAttempt(db, `quotes-sent-by:${userId}`, sendLimit);

  const currency = markets[country].currency;
  const shown = { kind: form.kind, gstIncluded: form.gstIncluded, validUntil: form.validUntil, totalMinor, currency };
  const row = await db.transaction().execute(async (tx) => {
    const conversation = await lockConversation(tx, conversationId);
    if (!conversation) throw new AppError('conversation_not_found');
    const before = await queries.findQuoteByClientId(tx, conversationId, clientId);
    if (before) return before;
    const sentAt = clock.now();
    // Midnight has passed since the day was checked.
    if (expiresAt <= sentAt) throw invalidField('validUntil', 'This day has passed. Choose a later one');
    const open = await queries.lockOpenQuote(tx, conversationId);
    const isReplacing = open !== undefined && open.expires_at > sentAt;
    if (open) await moveQuote(tx, open, { status: isReplacing ? 'replaced' : 'expired' }, sentAt);
    await writeMessage(context, tx, conversation, 'seller', {
      text: formatQuote(shown),
      clientId,
      pictures: [],
      hasOwnEmail: true,
      onWritten: async ({ number }) => {
        const halfway = (expiresAt.getTime() + sentAt.getTime()) / 2;
        await queries.insertQuote(
          tx,
          {
            conversation_id: conversationId,
            number,
            client_id: clientId,
            kind: form.kind,
            country,
            gst_included: form.gstIncluded,
            total_minor: totalMinor,
            gst_minor: gstMinor,
            business_name: place.business_title,
            customer_name: publicName(place.full_name),
            notes: form.notes,
            valid_until: form.validUntil,
            starts_on: form.startsOn || null,
            business: JSON.stringify(describeBusiness(place, form.gstIncluded)),
            expires_at: expiresAt,
            remind_at: new Date(Math.max(halfway, expiresAt.getTime() - remindMs)),
            sent_at: sentAt,
          },
          lines,
        );
      },
    });
    const sent = await queries.findQuoteByClientId(tx, conversationId, clientId);
    // A message of theirs has the id.
    if (!sent) throw invalidField('clientId', 'Use a new UUID');
    await publishQuote(tx, sent);
    await emailSide(context, tx, sent, 'buyer', (to, quote) => emails.quoteSentEmail(to, quote, isReplacing));
    return sent;
  });
  return showQuote(context, userId, row);
}

/** Throws `invalid_input`. */
function checkStart(day: string, today: string): void {
  if (day !== '' && day < today) throw invalidField('startsOn', 'This day has passed. Choose a later one');
  if (day > addDays(today, maxStartDays)) throw invalidField('startsOn', 'Choose a day within two years');
}

/** The end of the last day in the listing's time zone. Throws `invalid_input`. */
function parseValidUntil(day: string, now: Date, timeZone: string): Date {
  const today = getDay(now, timeZone);
  if (day < today) throw invalidField('validUntil', 'This day has passed. Choose a later one');
  if (day > addDays(today, maxValidDays)) throw invalidField('validUntil', 'Choose a day within a year');
  return getMoment(addDays(day, 1), '00:00', timeZone);
}

/** Makes open pages of both sides reload the quotes of the conversation. */
const publishQuote = (
  tx: Tx,
  { conversation_id, buyer_id, seller_id }: Pick<queries.QuoteRow, 'conversation_id' | 'buyer_id' | 'seller_id'>,
) =>
  appendEvents(
    tx,
    [buyer_id, seller_id].map((userId) => ({ userId, kind: 'quote', data: { conversationId: conversation_id } })),
  );

/** Sends one side an email about a quote, unless they get none. */
async function emailSide(
  context: MessageContext,
  tx: Tx,
  row: queries.QuoteRow,
  reader: Role,
  compose: (to: MailReader, quote: Quote) => Mail,
): Promise<void> {
  const to = await findMailReader(context, tx, row.conversation_id, reader);
  if (!to) return;
  const userId = reader === 'buyer' ? row.buyer_id : row.seller_id;
  const lines = await queries.listQuoteLines(tx, [row.id]);
  await context.jobs.send(tx, sendMail, compose(to, toQuote(row, lines, userId, context.clock.now())));
}

async function showQuotes({ clock }: Context, db: Reader, userId: string, rows: readonly queries.QuoteRow[]): Promise<Quote[]> {
  const lines = await queries.listQuoteLines(
    db,
    rows.map(({ id }) => id),
  );
  const now = clock.now();
  return rows.map((row) => toQuote(row, lines, userId, now));
}

async function showQuote(context: Context, userId: string, row: queries.QuoteRow): Promise<Quote> {
  const [quote] = await showQuotes(context, context.db, userId, [row]);
  if (!quote) throw new Error(`quote ${row.id} is missing`);
  return quote;
}

/** The quotes of a conversation, newest first, and what decides about a new one: the country, and the building rules of the listing's work. */
export async function listQuotes(context: Context, userId: string, conversationId: string) {
  const { db, clock } = context;
  const side = await findConversationOfUser(db, userId, conversationId);
  if (!side) throw new AppError('conversation_not_found');
  const [work, rows] = await Promise.all([
    queries.getListingOfConversation(db, conversationId),
    queries.listQuotesOfConversation(db, conversationId, maxListed),
  ]);
  return { country: work.country, quotes: await showQuotes(context, db, userId, rows), buildingRules: listRulesOf(work, clock.now()) };
}

/** One quote for each conversation that has any: the open one, else the accepted one, else the newest. */
export async function listQuoteSummaries(
  { db, clock }: Context,
  userId: string,
  conversationIds: readonly string[],
): Promise<QuoteSummary[]> {
  const rows = await queries.listQuotesOfConversations(db, userId, conversationIds);
  const now = clock.now();
  const all = rows.map((row) => toQuoteSummary(row, userId, now));
  return [...Map.groupBy(all, (one) => one.conversationId).values()].flatMap((quotes) =>
    quotes.toSorted((a, b) => getRank(a.state) - getRank(b.state)).slice(0, 1),
  );
}

export async function getQuote(context: Context, userId: string, id: string): Promise<Quote> {
  return showQuote(context, userId, await getQuoteOfUser(context.db, userId, id));
}

export async function getQuotePdf(context: Context, userId: string, id: string): Promise<{ fileName: string; content: PdfContent }> {
  const row = await getQuoteOfUser(context.db, userId, id);
  const quote = await showQuote(context, userId, row);
  return { fileName: getPdfName(quote), content: toQuotePdf(quote, row, await readForDocument(context, row.business?.logo ?? '')) };
}

async function getQuoteOfUser(db: Reader, userId: string, id: string, role?: Role): Promise<queries.QuoteRow> {
  const row = await queries.findQuoteOfUser(db, userId, id);
  if (!row || (role === 'buyer' && row.buyer_id !== userId) || (role === 'seller' && row.seller_id !== userId)) {
    throw new AppError('quote_not_found');
  }
  return row;
}

/** Locks the conversation of a quote of one side and runs `work` with the quote as it is then. */
async function changeQuote(
  context: MessageContext,
  userId: string,
  id: string,
  role: Role,
  work: (tx: Tx, row: queries.QuoteRow, now: Date) => Promise<void>,
): Promise<Quote> {
  const { conversation_id: conversationId } = await getQuoteOfUser(context.db, userId, id, role);
  await context.db.transaction().execute(async (tx) => {
    await lockConversation(tx, conversationId);
    await work(tx, await getQuoteOfUser(tx, userId, id, role), context.clock.now());
  });
  return showQuote(context, userId, await getQuoteOfUser(context.db, userId, id));
}

/** Throws `quote_not_open` if the quote, by the clock, cannot get this status. */
async function end(tx: Tx, row: queries.QuoteRow, change: Parameters<typeof moveQuote>[2], now: Date): Promise<queries.QuoteRow> {
  const status = getStatusAt(row, now);
  if (!(await moveQuote(tx, { id: row.id, status }, change, now))) throw createNotOpen(status);
  const changed = await queries.findQuoteOfUser(tx, row.buyer_id, row.id);
  if (!changed) throw new Error(`quote ${row.id} is missing`);
  await publishQuote(tx, changed);
  return changed;
}

function createNotOpen(status: QuoteStatus) {
  const became = isAccepted(status) ? 'It is already accepted.' : (getEnding(status) ?? 'It was declined.');
  return new AppError('quote_not_open', { message: `This quote is no longer open. ${became} Nothing was changed.` });
}

/** The first look of the customer; further ones change nothing. */
export const markQuoteSeen = (context: MessageContext, userId: string, id: string): Promise<Quote> =>
  changeQuote(context, userId, id, 'buyer', async (tx, row, now) => {
    if (isUnseen(getStatusAt(row, now))) await end(tx, row, { status: 'seen' }, now);
  });

/** Idempotent. Throws `quote_not_found`, `quote_not_open`, `blocked`, `blocked_by_you`, `member_left`. */
export const acceptQuote = (context: MessageContext, userId: string, id: string): Promise<Quote> =>
  changeQuote(context, userId, id, 'buyer', async (tx, row, now) => {
    if (isAccepted(row.status)) return;
    checkCanWrite(await findWriteBlocks(tx, row.buyer_id, row.seller_id));
    const accepted = await end(tx, row, { status: 'accepted' }, now);
    await emailSide(context, tx, accepted, 'seller', emails.quoteAcceptedEmail);
    await emailSide(context, tx, accepted, 'buyer', emails.acceptanceCopyEmail);
    await sendPush(tx, context, row.seller_id, () => ({
      title: 'Your quote was accepted',
      privateText: { title: `${row.customer_name} accepted your quote`, body: 'Open the conversation to arrange the work.' },
      path: paths.conversation(row.conversation_id),
      tag: `quote-${row.id}`,
    }));
  });

/** Throws as `acceptQuote`. */
export const declineQuote = (
  context: MessageContext,
  userId: string,
  id: string,
  { reason, note }: { reason: DeclineReason; note: string },
): Promise<Quote> =>
  changeQuote(context, userId, id, 'buyer', async (tx, row, now) => {
    checkCanWrite(await findWriteBlocks(tx, row.buyer_id, row.seller_id));
    const declined = await end(tx, row, { status: 'declined', decline_reason: reason, decline_note: note }, now);
    await emailSide(context, tx, declined, 'seller', emails.quoteDeclinedEmail);
  });

/** Possible in a blocked conversation too. Throws `quote_not_found`, `quote_not_open`. */
export const withdrawQuote = (context: MessageContext, userId: string, id: string): Promise<Quote> =>
  changeQuote(context, userId, id, 'seller', async (tx, row, now) => {
    await end(tx, row, { status: 'withdrawn' }, now);
  });

const batchSize = 200;

/** A scheduled job that runs on one server at a time. */
export async function expireQuotes({ db, clock }: { db: Db; clock: Context['clock'] }, batch = batchSize): Promise<void> {
  for (let found = batch; found === batch;) {
    found = await db.transaction().execute(async (tx) => {
      const now = clock.now();
      const rows = await queries.lockOverdueQuotes(tx, now, batch);
      for (const row of rows) await moveQuote(tx, row, { status: 'expired' }, now);
      if (rows.length > 0) {
        await appendEvents(
          tx,
          rows.flatMap(({ conversation_id: conversationId, buyer_id, seller_id }) =>
            [buyer_id, seller_id].map((userId) => ({ userId, kind: 'quote', data: { conversationId } }) as const),
          ),
        );
      }
      return rows.length;
    });
  }
}

/** A scheduled job: reminds each customer once, before their open quote runs out. One that fails does not stop the others, and is tried again. */
export async function remindOfQuotes(context: MessageContext, batch = batchSize): Promise<void> {
  const { db, clock, logger } = context;
  for (let found = batch; found === batch;) {
    const due = await queries.listQuotesToRemind(db, clock.now(), batch);
    found = due.length;
    for (const id of due) {
      await db
        .transaction()
        .execute(async (tx) => {
          const row = await queries.claimReminder(tx, id, clock.now());
          if (row) await emailSide(context, tx, row, 'buyer', emails.quoteReminderEmail);
        })
        .catch((error: unknown) => {
          logger.error({ err: error, quoteId: id }, 'the reminder of a quote failed');
          // It stays due, so the next run tries it again.
          found = 0;
        });
    }
  }
}
