import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { sentenceEnd } from '../inbox/thread-view.ts';
import styles from './send-to-several.module.css';
import { describeMessageError } from '../message-words.ts';

type SeveralOutcomesProps = { receivers: readonly { listingId: string; name: string }[]; outcomes: Outcomes };

/** Announces who has received the message, and why others have not. */
export const SeveralOutcomes = ({ receivers, outcomes }: SeveralOutcomesProps) => (
  <div className={styles.outcomes} role="status">
    {outcomes.size > 0 && (
      <ul>
        {receivers.map(({ listingId, name }) => {
          const outcome = outcomes.get(listingId);
          if (!outcome) return null;
          return (
            <li key={listingId} data-failed={'problem' in outcome || undefined}>
              {'problem' in outcome ? (
                <>
                  Not sent to {sentenceEnd(name)} {outcome.problem}
                </>
              ) : (
                <>
                  Sent to {sentenceEnd(name)} <Link to={paths.conversation(outcome.conversationId)}>See it in your messages</Link>
                </>
              )}
            </li>
          );
        })}
      </ul>
    )}
  </div>
);

type Outcome = { conversationId: string } | { problem: string };
/** Keyed by listing id. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** Whether a listing's seller has received the message. */
export const isSent = (outcomes: Outcomes, listingId: string) => 'conversationId' in (outcomes.get(listingId) ?? {});

/**
 * Sends to several sellers one after the other, each in its own conversation, skipping those that have it. `sendOne` must resend the same
 * words as the same message, so that no one gets it twice.
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
      outcome = { problem: describeMessageError(error) };
    }
    outcomes = new Map(outcomes).set(listingId, outcome);
    onOutcome(outcomes);
  }
  return outcomes;
}
