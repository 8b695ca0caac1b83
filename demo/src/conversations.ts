import type { MessageRow } from './activity.ts';

export type ConversationRow = {
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

/** First messages as conversations: those of one sender about one listing are one, numbered in their order. Nobody has seen them yet. */
export function makeConversations(newId: () => string, messages: readonly MessageRow[]) {
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
