import { formatDate, ownTimeZone } from '@handwise/contract/dates';
import { decisionKinds } from '@handwise/contract/admin/report-words';
import { type OwnDecision, appealLinkedDecisionCall, maxAppealText } from '@handwise/contract/admin/report-calls';
import { useState } from 'react';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import styles from './decision-card.module.css';
import { count } from '@handwise/contract/numbers';
import { z } from 'zod';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextArea } from '../../ui/forms/form-field.tsx';

type DecisionCardProps = { decision: OwnDecision; onAppeal: (text: string) => Promise<void> };

// In the reader's time zone, because a decision has no place of its own.
const getDay = (time: string) => formatDate(time, ownTimeZone());

/** A decision about the reader: its reason, its outcome, and how to appeal. */
export function DecisionCard({ decision, onAppeal }: DecisionCardProps) {
  const [objecting, setObjecting] = useState(false);
  // Known before the decision has been loaded again, which may fail.
  const [isSent, setSent] = useState(false);
  const { appeal, undone } = decision;
  const mayAppeal = decision.mayAppeal && !isSent;
  return (
    <article className={`card ${styles.card}`}>
      <p className={styles.when}>
        <time dateTime={decision.createdAt}>{getDay(decision.createdAt)}</time>
        {undone && <span className={styles.undone}>Reversed</span>}
      </p>
      <h2 className={styles.title}>{decisionKinds[decision.decision].notice}</h2>
      <p className="muted">{decision.about.title}</p>
      <blockquote className={styles.reason}>{decision.reason}</blockquote>
      {undone && (
        <p>
          Reversed on {getDay(undone.createdAt)}: {undone.reason}
        </p>
      )}
      {appeal && (
        <div className={styles.appeal}>
          <p>
            <strong>Your objection</strong> <span className="muted">{getDay(appeal.createdAt)}</span>
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
      {mayAppeal &&
        (objecting ? (
          <AppealForm
            id={decision._id}
            send={async (text) => {
              await onAppeal(text);
              setSent(true);
            }}
          />
        ) : (
          <div>
            <Button kind="secondary" onClick={() => setObjecting(true)}>
              I think this is wrong
            </Button>
          </div>
        ))}
      {objecting && !mayAppeal && (
        <div role="status">
          <Notice kind="success">Thank you. We will look at it and write to you.</Notice>
        </div>
      )}
    </article>
  );
}

const schema = z.object({ text: appealLinkedDecisionCall.body.shape.text });

/** Appeals a decision. `send` gets the text; its errors are shown. */
function AppealForm({ id, send }: { id: string; send: (text: string) => Promise<void> }) {
  const { form, field, summary, busy } = useCheckedForm<z.infer<typeof schema>>({
    name: `appeal-${id}`,
    schema,
    start: { text: '' },
    send: ({ text }) => send(text),
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <TextArea
        label="Why do you object?"
        rows={5}
        hint={`Up to ${count(maxAppealText)} characters. You can object once, and somebody else will look at it if possible.`}
        {...field('text')}
      />
      <Button type="submit" busy={busy}>
        {busy ? 'Sending…' : 'Send my objection'}
      </Button>
    </form>
  );
}
