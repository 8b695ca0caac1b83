import { dateText, ownTimeZone } from '@handwise/contract/dates';
import { decisionKinds } from '@handwise/contract/admin/report-words';
import type { OwnDecision } from '@handwise/contract/admin/report-calls';
import { useState } from 'react';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { AppealForm } from './appeal-form.tsx';
import styles from './decision-card.module.css';

type DecisionCardProps = { decision: OwnDecision; onAppeal: (text: string) => Promise<void> };

// By the reader's own clock: a decision about a person has no place.
const dayOf = (time: string) => dateText(time, ownTimeZone());

/** What was decided about the reader, why, what became of it, and the way to object. */
export function DecisionCard({ decision, onAppeal }: DecisionCardProps) {
  const [objecting, setObjecting] = useState(false);
  const { appeal, undone } = decision;
  return (
    <article className={`card ${styles.card}`}>
      <p className={styles.when}>
        <time dateTime={decision.createdAt}>{dayOf(decision.createdAt)}</time>
        {undone && <span className={styles.undone}>Reversed</span>}
      </p>
      <h2 className={styles.title}>{decisionKinds[decision.decision].told}</h2>
      <p className="muted">{decision.about.title}</p>
      <blockquote className={styles.reason}>{decision.reason}</blockquote>
      {undone && (
        <p>
          Reversed on {dayOf(undone.createdAt)}: {undone.reason}
        </p>
      )}
      {appeal && (
        <div className={styles.appeal}>
          <p>
            <strong>Your objection</strong> <span className="muted">{dayOf(appeal.createdAt)}</span>
          </p>
          <p className={styles.words}>{appeal.text}</p>
          {appeal.upheld === null ? (
            <p className="muted">We are looking at it. We will email you when it is answered.</p>
          ) : (
            <>
              <p>
                <strong>{appeal.upheld ? 'You were right' : 'The decision stays'}</strong>
              </p>
              <p className={styles.words}>{appeal.answer}</p>
            </>
          )}
        </div>
      )}
      {decision.mayAppeal &&
        (objecting ? (
          <AppealForm id={decision._id} send={onAppeal} />
        ) : (
          <div>
            <Button kind="secondary" onClick={() => setObjecting(true)}>
              I think this is wrong
            </Button>
          </div>
        ))}
      {objecting && !decision.mayAppeal && (
        <div role="status">
          <Notice kind="success">Thank you. We will look at it and write to you.</Notice>
        </div>
      )}
    </article>
  );
}
