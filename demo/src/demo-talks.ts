import type { ConversationRow, NumberedRow, ParticipantRow } from './conversations.ts';
import type { DemoListing } from './listings.ts';
import type { UserRow } from './people.ts';
import type { Random } from './random.ts';
import { fill } from './words.ts';
import { buyerTalks, type Line, sellerTalks } from './words-conversations.ts';

type Talk = { daysAgo: number; seen: boolean; lines: readonly Line[] };

const hour = 3_600_000;

/** One conversation with all its messages. What the demo account has not seen are the last ones of the other side. */
export function makeTalk(
  newId: () => string,
  { daysAgo, seen, lines }: Talk,
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
      body: fill(text, { b: listing.row.business_title, t: listing.town, r: listing.region, o: listing.owner, y: 5 }),
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

/** The conversations of the demo buyer and the demo seller, some of them with something unread. */
export function makeDemoTalks(
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
  const asked = random.sample(active, buyerTalks.length);
  const asking = random.sample(customers, sellerTalks.length);
  const talks = [
    ...buyerTalks.flatMap((talk, index) => {
      const listing = asked[index];
      return listing ? [makeTalk(newId, talk, listing, buyer.id, 'b', today)] : [];
    }),
    ...sellerTalks.flatMap((talk, index) => {
      const listing = own.find(({ subCode }) => subCode === talk.about);
      const customer = asking[index];
      return listing && customer ? [makeTalk(newId, talk, listing, customer.id, 's', today)] : [];
    }),
  ];
  return {
    conversations: talks.map((talk) => talk.conversation),
    participants: talks.flatMap((talk) => talk.participants),
    numbered: talks.flatMap((talk) => talk.numbered),
  };
}

/** What the demo buyer has saved, the last first: among them one that has ended. */
export function makeSaved(random: Random, listings: readonly DemoListing[], buyer: UserRow, today: number) {
  const isNear = ({ row, country }: DemoListing) => country === 'NZ' && row.seller_id !== buyer.id;
  const active = random.sample(
    listings.filter((one) => isNear(one) && one.row.status === 'active'),
    6,
  );
  const ended = random.sample(
    listings.filter((one) => isNear(one) && one.row.status === 'expired'),
    1,
  );
  return [...active.slice(0, 4), ...ended, ...active.slice(4)].map(({ row }, index) => ({
    user_id: buyer.id,
    listing_id: row.id,
    saved_at: new Date(today - (index * 40 + 3) * hour).toISOString(),
  }));
}
