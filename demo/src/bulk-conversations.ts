import { addDays, dayMs, getDay, getMoment } from '@handwise/contract/dates';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { addUpQuote } from '@handwise/contract/quotes/amounts';
import { formatQuote, type QuoteStatus } from '@handwise/contract/quotes/words';
import { countryOf, type FillPlan, generateSellers, idOf } from './bulk-rows.ts';
import { type Random, getSeed, randomFrom } from './random.ts';

// Conversations of a fill, a third of them with a quote: lines in COPY's text format as in bulk-rows.ts.

type Line = { description: string; quantityMilli: number; unitMinor: number };
type BulkQuote = {
  id: string;
  country: CountryCode;
  status: QuoteStatus;
  gstIncluded: boolean;
  lines: Line[];
  sentAt: Date;
  validUntil: string;
};
type BulkConversation = {
  id: string;
  listing: number;
  sellerId: string;
  buyerId: string;
  createdAt: Date;
  answeredAt: Date;
  quote: BulkQuote | null;
};

const validDays = 14;

function createQuote(random: Random, plan: FillPlan, { id, country, sentAt }: Pick<BulkQuote, 'id' | 'country' | 'sentAt'>): BulkQuote {
  const lines = [
    { description: 'Labour', quantityMilli: random.int(2, 80) * 500, unitMinor: random.int(60, 140) * 100 },
    { description: 'Materials', quantityMilli: 1000, unitMinor: random.int(2_000, 400_000) },
    ...(random.chance(0.5) ? [{ description: 'Travel', quantityMilli: random.int(1, 60) * 1000, unitMinor: 95 }] : []),
  ];
  const isRunning = sentAt.getTime() > plan.today.getTime() - validDays * dayMs;
  const ended = ['accepted', 'declined', 'withdrawn', 'expired'] as const;
  const status = isRunning
    ? random.weighted(['sent', 'seen', 'accepted'] as const, (one) => ({ sent: 2, seen: 5, accepted: 3 })[one])
    : random.weighted(ended, (one) => ({ accepted: 5, declined: 2, withdrawn: 1, expired: 2 })[one]);
  const validUntil = addDays(getDay(sentAt, markets[country].timeZone), validDays);
  return { id, country, status, gstIncluded: random.chance(0.8), lines, sentAt, validUntil };
}

/** The conversations in the order of their listings, spread evenly, each with another reviewer of the fill. */
function* generateConversations(plan: FillPlan): Generator<BulkConversation> {
  const share = plan.conversations / plan.listings;
  for (const seller of generateSellers(plan)) {
    for (const { number: first, listings } of seller.subscriptions) {
      const country = countryOf(first);
      for (let listing = first; listing < first + listings; listing++) {
        const place = listing - plan.firstNumber;
        const count = Math.round((place + 1) * share) - Math.round(place * share);
        const random = randomFrom(getSeed('conversations', listing));
        const start = random.int(0, plan.reviewers - 1);
        for (let index = 0; index < count; index++) {
          const createdAt = new Date(plan.today.getTime() - Math.round(random.between(1, 400) * dayMs));
          const answeredAt = new Date(createdAt.getTime() + random.int(1, 23) * 3_600_000);
          const isQuoted = random.chance(1 / 3);
          yield {
            id: idOf('conversation', listing, index),
            listing,
            sellerId: idOf('user', seller.number),
            buyerId: idOf('reviewer', plan.firstNumber + ((start + index) % plan.reviewers)),
            createdAt,
            answeredAt,
            quote: isQuoted ? createQuote(random, plan, { id: idOf('quote', listing, index), country, sentAt: answeredAt }) : null,
          };
        }
      }
    }
  }
}

const toLine = (fields: readonly (string | number | boolean | Date | null)[]) =>
  `${fields.map((field) => (field === null ? '\\N' : field instanceof Date ? field.toISOString() : field)).join('\t')}\n`;

export const conversationColumns = 'id, listing_id, buyer_id, seller_id, last_number, answered_at, created_at';
export function* conversationLines(plan: FillPlan): Generator<string> {
  for (const { id, listing, buyerId, sellerId, answeredAt, createdAt } of generateConversations(plan))
    yield toLine([id, idOf('listing', listing), buyerId, sellerId, 2, answeredAt, createdAt]);
}

export const participantColumns = 'conversation_id, role, user_id, last_message_at';
export function* participantLines(plan: FillPlan): Generator<string> {
  for (const { id, buyerId, sellerId, answeredAt } of generateConversations(plan))
    yield toLine([id, 'buyer', buyerId, answeredAt]) + toLine([id, 'seller', sellerId, answeredAt]);
}

const addUp = (quote: BulkQuote) => ({ ...quote, ...addUpQuote(quote.lines, quote), currency: markets[quote.country].currency });

export const messageColumns = 'conversation_id, number, from_seller, body, created_at, seen_at';
export function* messageLines(plan: FillPlan): Generator<string> {
  for (const { id, createdAt, answeredAt, quote } of generateConversations(plan)) {
    const answer = quote
      ? formatQuote({ kind: 'quote', ...addUp(quote) })
      : 'Thanks for your message. I can come and have a look next week.';
    yield (
      toLine([id, 1, false, 'Could you give me a price for this job, please?', createdAt, answeredAt]) +
        toLine([id, 2, true, answer, answeredAt, answeredAt])
    );
  }
}

export const quoteColumns =
  'id, conversation_id, number, client_id, status, kind, country, gst_included, total_minor, gst_minor, business_name, customer_name, notes, valid_until, expires_at, remind_at, sent_at, seen_at, closed_at, decline_reason';
export function* quoteLines(plan: FillPlan): Generator<string> {
  for (const { id: conversationId, quote } of generateConversations(plan)) {
    if (!quote) continue;
    const { id, country, status, gstIncluded, totalMinor, gstMinor, validUntil, sentAt } = addUp(quote);
    const expiresAt = getMoment(addDays(validUntil, 1), '00:00', markets[country].timeZone);
    const remindAt = new Date(expiresAt.getTime() - 2 * dayMs);
    const isOpen = status === 'sent' || status === 'seen';
    const seenAt = status === 'sent' || status === 'withdrawn' ? null : new Date(sentAt.getTime() + 60_000);
    const closedAt = isOpen ? null : status === 'expired' ? expiresAt : new Date(sentAt.getTime() + 3_600_000);
    const names = ['Bulk Services', 'Bulk C.'];
    const times = [expiresAt, remindAt > plan.today ? remindAt : null, sentAt, seenAt, closedAt];
    const amounts = [gstIncluded, totalMinor, gstMinor];
    yield toLine([
      id,
      conversationId,
      2,
      id,
      status,
      'quote',
      country,
      ...amounts,
      ...names,
      '',
      validUntil,
      ...times,
      status === 'declined' ? 'price' : null,
    ]);
  }
}

export const quoteLineColumns = 'quote_id, place, description, quantity_milli, unit_minor';
export function* quoteLineLines(plan: FillPlan): Generator<string> {
  for (const { quote } of generateConversations(plan)) {
    for (const [index, { description, quantityMilli, unitMinor }] of (quote?.lines ?? []).entries())
      yield toLine([quote?.id ?? '', index + 1, description, quantityMilli, unitMinor]);
  }
}
