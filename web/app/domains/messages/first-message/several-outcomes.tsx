import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { sentenceEnd } from '../inbox/thread-view.ts';
import styles from './several-outcomes.module.css';
import type { Outcomes } from './several.ts';

type SeveralOutcomesProps = { receivers: readonly { listingId: string; name: string }[]; outcomes: Outcomes };

/** To whom it has got through, and to whom not and why: told as it comes. */
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
