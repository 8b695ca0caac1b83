import { formatTimeZone, ownTimeZone } from '@handwise/contract/dates';
import type { Visit } from '@handwise/contract/visits/calls';
import { formatVisitTime } from '@handwise/contract/visits/words';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getServerReason } from '../../lib/api-error.ts';
import { download } from '../../lib/download.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { focusCard, getHeadingId, nameCancelling, type VisitAsking } from './visit-dialog.tsx';
import { refetchVisits, visitChanges } from './visit-queries.ts';
import styles from './visits.module.css';

type VisitCardProps = {
  visit: Visit;
  /** What the last message about it says. */
  text: string;
  /** Whether the two can write to each other. */
  canAnswer: boolean;
  onAsk: (asking: VisitAsking) => void;
};

/** Where a visit stands, for one side. */
function nameState({ state, role, isOver, proposedBy, agreed }: Visit): string {
  if (isOver) return 'Past';
  if (state === 'agreed') return proposedBy === null ? 'Agreed' : proposedBy === role ? 'You want to move it' : 'Move it?';
  if (state === 'proposed') return role === 'seller' ? 'Waiting for an answer' : 'Choose a time';
  if (state === 'asked') return role === 'seller' ? 'Other times wanted' : 'You asked for other times';
  return state === 'lapsed' ? 'Times have passed' : agreed ? 'Cancelled' : 'Withdrawn';
}

/** A visit within its conversation, where its last message is. */
export function VisitCard({ visit, text, canAnswer, onAsk }: VisitCardProps) {
  const { state, timeZone, agreed, times, proposedBy, role, cancelled, isOver } = visit;
  const isOtherZone = timeZone !== ownTimeZone();
  const takes = proposedBy !== null && proposedBy !== role && canAnswer;
  const [busy, setBusy] = useState(false);
  const client = useQueryClient();
  async function change(work: () => Promise<unknown>, done: string): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      await work();
      toast(done);
    } catch (error) {
      toast(getServerReason(error) ?? 'Your choice could not be saved. Please try again.', 'error');
    }
    await refetchVisits(client, visit.conversationId);
    setBusy(false);
    focusCard(visit);
  }
  const saysMore = state === 'asked' || state === 'cancelled';
  return (
    <article className={styles.card} aria-labelledby={getHeadingId(visit)} data-state={isOver ? 'over' : state}>
      <div className={styles.head}>
        <h3 id={getHeadingId(visit)} className={styles.title} tabIndex={-1}>
          Visit
        </h3>
        <span className={styles.mark}>{nameState(visit)}</span>
      </div>
      {agreed && <p className={cancelled ? styles.gone : styles.when}>{formatVisitTime(agreed, timeZone)}</p>}
      {agreed && times.length > 0 && (
        <p className={styles.small}>
          {proposedBy === role ? 'It stays so until one of these is taken:' : 'It stays so unless you take another time:'}
        </p>
      )}
      {times.length > 0 && (
        <ul className={styles.times}>
          {times.map((time) => (
            <li key={time.start}>
              <span>{formatVisitTime(time, timeZone)}</span>
              {takes && (
                <Button
                  size="sm"
                  busy={busy}
                  onClick={() => void change(() => visitChanges.take(visit, time.start), 'Agreed. Both of you get it for your calendars.')}
                >
                  Take this time
                  <span className="visually-hidden">: {formatVisitTime(time, timeZone)}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isOtherZone && (agreed || times.length > 0) && <p className={styles.small}>{formatTimeZone(timeZone)}, where the listing is.</p>}
      {saysMore && <p className={styles.text}>{text}</p>}
      {!isOver && <VisitActions visit={visit} takes={takes} canAnswer={canAnswer} onAsk={(what) => onAsk({ what, visit })} />}
    </article>
  );
}

type VisitActionsProps = { visit: Visit; takes: boolean; canAnswer: boolean; onAsk: (what: 'times' | 'ask' | 'cancel') => void };

function VisitActions({ visit, takes, canAnswer, onAsk }: VisitActionsProps) {
  const { _id, state, role } = visit;
  const isAgreed = state === 'agreed';
  const isLive = isAgreed || state === 'proposed' || state === 'asked';
  const proposes = canAnswer && (isAgreed || (role === 'seller' && isLive));
  const saveFile = () =>
    void download(`/api/visits/${_id}.ics`, 'visit.ics').catch(() => toast('The file could not be loaded. Please try again.', 'error'));
  const timesLabel = isAgreed ? 'Move' : state === 'asked' ? 'Propose other times' : 'Change times';
  if (!isLive) return null;
  return (
    <div className={styles.actions}>
      {takes && (
        <Button size="sm" kind="secondary" onClick={() => onAsk('ask')}>
          {isAgreed ? 'Leave it as it is' : 'None of these suits'}
        </Button>
      )}
      {isAgreed && (
        <Button size="sm" kind="secondary" onClick={saveFile}>
          Add to calendar
        </Button>
      )}
      {proposes && !(takes && isAgreed) && (
        <Button size="sm" kind={state === 'asked' ? 'primary' : 'secondary'} onClick={() => onAsk('times')}>
          {timesLabel}
        </Button>
      )}
      <Button size="sm" kind="quiet" onClick={() => onAsk('cancel')}>
        {nameCancelling(visit)}
      </Button>
    </div>
  );
}
