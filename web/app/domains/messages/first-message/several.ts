import type { contactSeller } from '@handwise/contract/messages';
import { call } from '../../../lib/api.ts';
import { messageProblem } from './message-problem.ts';

export type Receiver = { listingId: string; sellerId: string; name: string };
type Outcome = { conversationId: string } | { problem: string };
/** By the id of the listing. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/**
 * Sends one message to each of several sellers, each in a conversation of its own: one after the other, and none to whom it has got through
 * already. Sent again with the same words, each is the same message as before, so that nobody gets it twice.
 */
export async function sendToSeveral(
  receivers: readonly Receiver[],
  text: string,
  clientIdOf: (listingId: string) => string,
  before: Outcomes,
  onOutcome: (outcomes: Outcomes) => void,
): Promise<Outcomes> {
  let outcomes = before;
  for (const { listingId, sellerId } of receivers) {
    const known = outcomes.get(listingId);
    if (known && 'conversationId' in known) continue;
    let outcome: Outcome;
    try {
      const { conversationId } = await call<typeof contactSeller>(
        { method: 'POST', url: '/email/send' },
        { body: { sellerId, listingId, message: text, clientId: clientIdOf(listingId) } },
      );
      outcome = { conversationId };
    } catch (error) {
      outcome = { problem: messageProblem(error) };
    }
    outcomes = new Map(outcomes).set(listingId, outcome);
    onOutcome(outcomes);
  }
  return outcomes;
}
