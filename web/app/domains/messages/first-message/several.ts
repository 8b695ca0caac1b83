import { messageProblem } from './message-problem.ts';

type Outcome = { conversationId: string } | { problem: string };
/** By the id of the listing. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** Whether it has got through to a listing's seller. */
export const isSent = (outcomes: Outcomes, listingId: string) => 'conversationId' in (outcomes.get(listingId) ?? {});

/**
 * Sends to each of several sellers, each in a conversation of its own: one after the other, and none to whom it has got through already.
 * What `sendOne` sends again with the same words must be the same message as before, so that nobody gets it twice.
 */
export async function sendToSeveral<Receiver extends { listingId: string }>(
  receivers: readonly Receiver[],
  sendOne: (receiver: Receiver, outcomes: Outcomes) => Promise<{ conversationId: string }>,
  before: Outcomes,
  onOutcome: (outcomes: Outcomes) => void,
): Promise<Outcomes> {
  let outcomes = before;
  for (const receiver of receivers) {
    const { listingId } = receiver;
    if (isSent(outcomes, listingId)) continue;
    let outcome: Outcome;
    try {
      const { conversationId } = await sendOne(receiver, outcomes);
      outcome = { conversationId };
    } catch (error) {
      outcome = { problem: messageProblem(error) };
    }
    outcomes = new Map(outcomes).set(listingId, outcome);
    onOutcome(outcomes);
  }
  return outcomes;
}
