import type { ConversationRow, NumberedRow, ParticipantRow } from './conversations.ts';
import type { DemoListing } from './listings.ts';
import type { Random } from './random.ts';
import { type Climate, fitting } from './climates.ts';
import { answers } from './words-conversations.ts';

type Talks = { conversations: ConversationRow[]; participants: ParticipantRow[]; numbered: NumberedRow[] };

const minute = 60_000;
const answeredShare = 0.7;

/** Lets most sellers answer, each as fast as is their way: from a quarter of an hour to a few days. */
export function addAnswers(random: Random, newId: () => string, talks: Talks, listings: readonly DemoListing[], now: number) {
  const climates = new Map<string, Climate>(listings.map(({ row, climate }) => [row.id, climate]));
  const ways = new Map<string, number>();
  const wayOf = (sellerId: string) => {
    const known = ways.get(sellerId) ?? 15 * 2 ** random.between(0, 8);
    ways.set(sellerId, known);
    return known;
  };
  const sides = Map.groupBy(talks.participants, (one) => one.conversation_id);
  const said = Map.groupBy(talks.numbered, (one) => one.conversation_id);
  for (const conversation of talks.conversations) {
    const minutes = wayOf(conversation.seller_id) * random.between(0.5, 1.6);
    const messages = said.get(conversation.id) ?? [];
    const text = random.pick(fitting(answers, climates.get(conversation.listing_id) ?? new Set()));
    const skipped = !random.chance(answeredShare);
    const answeredAt = Math.round(Date.parse(messages.at(-1)?.created_at ?? conversation.created_at) + minutes * minute);
    if (skipped || answeredAt > now) continue;
    const created_at = new Date(answeredAt).toISOString();
    conversation.last_number += 1;
    conversation.answered_at = created_at;
    for (const message of messages) message.seen_at = created_at;
    talks.numbered.push({
      id: newId(),
      conversation_id: conversation.id,
      number: conversation.last_number,
      from_seller: true,
      body: text,
      pictures: [],
      created_at,
      seen_at: created_at,
    });
    for (const side of sides.get(conversation.id) ?? []) Object.assign(side, { unread: 0, last_message_at: created_at });
  }
}
