import { addDays, getDay, getMoment, siteTimeZone } from '@handwise/contract/dates';
import { type Climate, filterByClimate } from './climates.ts';
import { type DemoListing, textNames } from './listings.ts';
import type { UserRow } from './people.ts';
import type { Random } from './random.ts';
import { answers, buyerConversations, type Line, sellerConversations } from './words-conversations.ts';
import { messageBodies, messageEnds, messageStarts } from './words-shared.ts';
import { fill, wordsFor } from './words.ts';

export type MessageRow = {
  id: string;
  listing_id: string;
  sender_id: string;
  seller_id: string;
  body: string;
  created_at: string;
};

type ConversationRow = {
  id: string;
  listing_id: string;
  buyer_id: string;
  seller_id: string;
  last_number: number;
  answered_at: string | null;
  created_at: string;
};
export type ParticipantRow = {
  conversation_id: string;
  role: 'buyer' | 'seller';
  user_id: string;
  unread: number;
  last_message_at: string;
};
export type NumberedRow = {
  id: string;
  conversation_id: string;
  number: number;
  from_seller: boolean;
  body: string;
  pictures: [];
  created_at: string;
  seen_at: string | null;
};

/** Groups unseen messages by sender and listing, numbered by time. */
export function groupIntoConversations(newId: () => string, messages: readonly MessageRow[]) {
  const conversations: ConversationRow[] = [];
  const participants: ParticipantRow[] = [];
  const numbered: NumberedRow[] = [];
  const groups = Map.groupBy(messages, (one) => `${one.listing_id} ${one.sender_id}`);
  for (const group of groups.values()) {
    const ordered = group.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
    const [first] = ordered;
    const last = ordered.at(-1);
    if (!first || !last) continue;
    const conversation_id = newId();
    const { listing_id, sender_id: buyer_id, seller_id, created_at } = first;
    conversations.push({
      id: conversation_id,
      listing_id,
      buyer_id,
      seller_id,
      last_number: ordered.length,
      answered_at: null,
      created_at,
    });
    const last_message_at = last.created_at;
    participants.push({ conversation_id, role: 'buyer', user_id: buyer_id, unread: 0, last_message_at });
    participants.push({ conversation_id, role: 'seller', user_id: seller_id, unread: ordered.length, last_message_at });
    ordered.forEach(({ id, body, created_at: sent }, index) => {
      numbered.push({ id, conversation_id, number: index + 1, from_seller: false, body, pictures: [], created_at: sent, seen_at: null });
    });
  }
  return { conversations, participants, numbered };
}

type Conversations = { conversations: ConversationRow[]; participants: ParticipantRow[]; numbered: NumberedRow[] };

const minute = 60_000;
const answeredShare = 0.7;

/** Adds replies to most conversations. Each seller has a typical reply time between a quarter of an hour and a few days. */
export function addAnswers(random: Random, newId: () => string, all: Conversations, listings: readonly DemoListing[], now: number) {
  const climates = new Map<string, Climate>(listings.map(({ row, climate }) => [row.id, climate]));
  const minutesBySeller = new Map<string, number>();
  const typicalMinutes = (sellerId: string) => {
    const minutes = minutesBySeller.get(sellerId) ?? 15 * 2 ** random.between(0, 8);
    minutesBySeller.set(sellerId, minutes);
    return minutes;
  };
  const participants = Map.groupBy(all.participants, (one) => one.conversation_id);
  const messagesOf = Map.groupBy(all.numbered, (one) => one.conversation_id);
  for (const conversation of all.conversations) {
    const minutes = typicalMinutes(conversation.seller_id) * random.between(0.5, 1.6);
    const messages = messagesOf.get(conversation.id) ?? [];
    const text = random.pick(filterByClimate(answers, climates.get(conversation.listing_id) ?? new Set()));
    const skipped = !random.chance(answeredShare);
    const answeredAt = Math.round(Date.parse(messages.at(-1)?.created_at ?? conversation.created_at) + minutes * minute);
    if (skipped || answeredAt > now) continue;
    const created_at = new Date(answeredAt).toISOString();
    conversation.last_number += 1;
    conversation.answered_at = created_at;
    for (const message of messages) message.seen_at = created_at;
    all.numbered.push({
      id: newId(),
      conversation_id: conversation.id,
      number: conversation.last_number,
      from_seller: true,
      body: text,
      pictures: [],
      created_at,
      seen_at: created_at,
    });
    for (const side of participants.get(conversation.id) ?? []) Object.assign(side, { unread: 0, last_message_at: created_at });
  }
}

type Script = { daysAgo: number; seen: boolean; lines: readonly Line[] };

const hour = 3_600_000;

/** One conversation with all its messages; if not `seen`, the other side's last messages are unread. */
export function makeScriptedConversation(
  newId: () => string,
  { daysAgo, seen, lines }: Script,
  listing: DemoListing,
  buyerId: string,
  own: 'b' | 's',
  today: number,
) {
  const id = newId();
  const ends = today - daysAgo * 24 * hour;
  const hoursLeft = (index: number) => lines.slice(index + 1).reduce((sum, line) => sum + line.hours, 0);
  const unread = seen ? 0 : lines.length - 1 - lines.findLastIndex((line) => line.from === own);
  const numbered = lines.map(({ from, text }, index): NumberedRow => {
    const created_at = new Date(Math.round(ends - hoursLeft(index) * hour)).toISOString();
    return {
      id: newId(),
      conversation_id: id,
      number: index + 1,
      from_seller: from === 's',
      body: fill(text, textNames(listing)),
      pictures: [],
      created_at,
      seen_at: index < lines.length - unread ? created_at : null,
    };
  });
  const at = (index: number) => numbered.at(index)?.created_at ?? new Date(ends).toISOString();
  const firstAnswer = numbered.find((one) => one.from_seller);
  const conversation: ConversationRow = {
    id,
    listing_id: listing.row.id,
    buyer_id: buyerId,
    seller_id: listing.row.seller_id,
    last_number: lines.length,
    answered_at: firstAnswer?.created_at ?? null,
    created_at: at(0),
  };
  const side = (role: 'buyer' | 'seller', user_id: string, letter: 'b' | 's'): ParticipantRow => ({
    conversation_id: id,
    role,
    user_id,
    unread: letter === own ? unread : 0,
    last_message_at: at(-1),
  });
  return { conversation, numbered, participants: [side('buyer', buyerId, 'b'), side('seller', listing.row.seller_id, 's')] };
}

/** The conversations of the demo buyer and the demo seller, some of them unread. */
export function makeDemoConversations(
  random: Random,
  newId: () => string,
  listings: readonly DemoListing[],
  { buyer, seller, customers, today }: { buyer: UserRow; seller: UserRow; customers: readonly UserRow[]; today: number },
) {
  const settled = today - 20 * 24 * hour;
  const active = listings.filter(
    ({ row, country }) =>
      row.status === 'active' && country === 'NZ' && Date.parse(row.created_at) < settled && row.seller_id !== seller.id,
  );
  const own = listings.filter(({ row }) => row.seller_id === seller.id && row.status === 'active');
  const contacted = random.sample(active, buyerConversations.length);
  const writers = random.sample(customers, sellerConversations.length);
  const made = [
    ...buyerConversations.flatMap((script, index) => {
      const listing = contacted[index];
      return listing ? [makeScriptedConversation(newId, script, listing, buyer.id, 'b', today)] : [];
    }),
    ...sellerConversations.flatMap((script, index) => {
      const listing = own.find(({ subCode }) => subCode === script.about);
      const customer = writers[index];
      return listing && customer ? [makeScriptedConversation(newId, script, listing, customer.id, 's', today)] : [];
    }),
  ];
  return {
    conversations: made.map(({ conversation }) => conversation),
    participants: made.flatMap(({ participants }) => participants),
    numbered: made.flatMap(({ numbered }) => numbered),
  };
}

/** `lastMonth` messages in the last calendar month in Auckland, and `others` before and after it. */
export function makeMessages(
  random: Random,
  newId: () => string,
  listings: readonly DemoListing[],
  senders: readonly UserRow[],
  now: Date,
  lastMonth: number,
  others: number,
): MessageRow[] {
  const month = aucklandDays(now);
  const daysGone = (month.today - month.thisMonth) / 86_400_000;
  const current = Math.round(others * Math.min(0.6, daysGone / 40));
  const spans = [
    { count: others - current, from: month.lastMonth - 120 * 86_400_000, until: month.lastMonth },
    { count: lastMonth, from: month.lastMonth, until: month.thisMonth },
    { count: current, from: month.thisMonth, until: month.today },
  ];
  return spans.flatMap(({ count, from, until }) => {
    const known = listings.filter(({ row }) => Date.parse(row.created_at) < from);
    return Array.from({ length: count }, (): MessageRow => {
      // Listings of higher plans are seen more and contacted more.
      const listing = random.weighted(random.sample(known, 6), ({ row }) => row.plan_rank ** 2);
      const names = { ...textNames(listing), ask: random.pick(wordsFor(listing.work, listing.climate).asks) };
      const start = fill(random.pick(filterByClimate(messageStarts, listing.climate)), names);
      const body = fill(random.pick(filterByClimate(messageBodies, listing.climate)), names);
      return {
        id: newId(),
        listing_id: listing.row.id,
        sender_id: random.pick(senders).id,
        seller_id: listing.row.seller_id,
        body: `${start}\n\n${body}\n\n${random.pick(filterByClimate(messageEnds, listing.climate))}`,
        created_at: new Date(Math.floor(random.between(from, until))).toISOString(),
      };
    });
  });
}

/** When today, this month and last month begin in Auckland, in milliseconds. */
export function aucklandDays(now: Date): { today: number; thisMonth: number; lastMonth: number } {
  const today = getDay(now, siteTimeZone);
  const thisMonth = `${today.slice(0, 7)}-01`;
  const lastMonth = `${addDays(thisMonth, -1).slice(0, 7)}-01`;
  const midnightOf = (day: string) => getMoment(day, '00:00', siteTimeZone).getTime();
  return { today: midnightOf(today), thisMonth: midnightOf(thisMonth), lastMonth: midnightOf(lastMonth) };
}
