import { formatTimeZone, ownTimeZone } from '@handwise/contract/dates';
import type { Visit } from '@handwise/contract/visits/calls';
import { formatVisitTime, maxVisitNoteLength } from '@handwise/contract/visits/words';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { getServerReason } from '../../lib/api-error.ts';
import { download } from '../../lib/download.ts';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';
import { VisitForm } from './visit-form.tsx';
import { refetchVisits, visitChanges } from './visit-queries.ts';
import styles from './visits.module.css';

type VisitCardProps = {
  visit: Visit;
  /** What the last message about it says. */
  text: string;
  /** Whether the two can write to each other. */
  canAnswer: boolean;
};

/** Where a visit stands, for one side. */
function nameState({ state, role, isOver, proposedBy, agreed }: Visit): string {
  if (isOver) return 'Past';
  if (state === 'agreed') return proposedBy === null ? 'Agreed' : proposedBy === role ? 'You want to move it' : 'Move it?';
  if (state === 'proposed') return role === 'seller' ? 'Waiting for an answer' : 'Choose a time';
  if (state === 'asked') return role === 'seller' ? 'Other times wanted' : 'You asked for other times';
  return state === 'lapsed' ? 'Times have passed' : agreed ? 'Cancelled' : 'Withdrawn';
}

const headingId = ({ _id }: Visit) => `visit-${_id}`;

/** A visit within its conversation, where its last message is. */
export function VisitCard({ visit, text, canAnswer }: VisitCardProps) {
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
    // What was pressed may be gone, and the card is where the newest message is.
    setTimeout(() => document.getElementById(headingId(visit))?.focus());
  }
  const saysMore = state === 'asked' || state === 'cancelled';
  return (
    <article className={styles.card} aria-labelledby={headingId(visit)} data-state={isOver ? 'over' : state}>
      <div className={styles.head}>
        <h3 id={headingId(visit)} className={styles.title} tabIndex={-1}>
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
      {!isOver && <VisitActions visit={visit} takes={takes} canAnswer={canAnswer} busy={busy} change={change} />}
    </article>
  );
}

type Asking = 'times' | 'ask' | 'cancel';
type VisitActionsProps = {
  visit: Visit;
  takes: boolean;
  canAnswer: boolean;
  busy: boolean;
  change: (work: () => Promise<unknown>, done: string) => Promise<void>;
};

function VisitActions({ visit, takes, canAnswer, busy, change }: VisitActionsProps) {
  const { _id, state, role, agreed, conversationId, timeZone, times } = visit;
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const isAgreed = state === 'agreed';
  const isLive = isAgreed || state === 'proposed' || state === 'asked';
  const proposes = canAnswer && (isAgreed || (role === 'seller' && isLive));
  const saveFile = () =>
    void download(`/api/visits/${_id}.ics`, 'visit.ics').catch(() => toast('The file could not be loaded. Please try again.', 'error'));
  const timesLabel = isAgreed ? 'Move' : state === 'asked' ? 'Propose other times' : 'Change times';
  const cancelLabel = isAgreed ? 'Cancel visit' : role === 'seller' ? 'Withdraw' : 'No visit';
  if (!isLive) return null;
  return (
    <div className={styles.actions}>
      {takes && (
        <Button size="sm" kind="secondary" onClick={() => setAsking('ask')}>
          {isAgreed ? 'Leave it as it is' : 'None of these suits'}
        </Button>
      )}
      {isAgreed && (
        <Button size="sm" kind="secondary" onClick={saveFile}>
          Add to calendar
        </Button>
      )}
      {proposes && !(takes && isAgreed) && (
        <Button size="sm" kind={state === 'asked' ? 'primary' : 'secondary'} onClick={() => setAsking('times')}>
          {timesLabel}
        </Button>
      )}
      <Button size="sm" kind="quiet" onClick={() => setAsking('cancel')}>
        {cancelLabel}
      </Button>
      <VisitForm
        conversationId={conversationId}
        timeZone={timeZone}
        title={isAgreed ? 'Move this visit' : 'Times for a visit'}
        open={asking === 'times'}
        onClose={close}
        send={(body) => visitChanges.move(visit, body)}
      />
      <NoteDialog
        open={asking === 'ask'}
        title={isAgreed ? 'Leave the visit as it is?' : 'Ask for other times?'}
        label={isAgreed ? 'Anything else' : 'When would suit you?'}
        button={isAgreed ? 'Leave it' : 'Ask for others'}
        busy={busy}
        onClose={close}
        onSend={(note) => {
          close();
          void change(() => visitChanges.ask(visit, note), 'Sent.');
        }}
      >
        {isAgreed && agreed
          ? `It stays on ${formatVisitTime(agreed, timeZone)}.`
          : `The business is asked to propose others than ${times.length === 1 ? 'this one' : 'these'}.`}
      </NoteDialog>
      <NoteDialog
        open={asking === 'cancel'}
        title={isAgreed ? 'Cancel this visit?' : 'No visit for now?'}
        label="Why?"
        button={cancelLabel}
        busy={busy}
        onClose={close}
        onSend={(reason) => {
          close();
          void change(
            () => visitChanges.cancel(visit, reason),
            isAgreed ? 'Cancelled. Both of you have been told.' : 'Done. The other side has been told.',
          );
        }}
      >
        {isAgreed ? 'Both of you are told, and it goes from your calendars.' : 'The proposed times no longer stand.'}
      </NoteDialog>
    </div>
  );
}

type NoteDialogProps = {
  open: boolean;
  title: string;
  label: string;
  button: string;
  busy: boolean;
  onClose: () => void;
  onSend: (note: string) => void;
  children: string;
};

function NoteDialog({ open, title, label, button, busy, onClose, onSend, children }: NoteDialogProps) {
  const form = useId();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!busy) onSend(String(new FormData(event.currentTarget).get('note')));
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            Go back
          </Button>
          <Button type="submit" form={form} busy={busy}>
            {button}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <p>{children}</p>
        <TextField label={label} optional name="note" id={`${form}-note`} maxLength={maxVisitNoteLength} hint="The other side reads it." />
      </form>
    </Dialog>
  );
}

/** Above the message field of a business that has nothing proposed. */
export function ProposeVisit({ conversationId, timeZone }: { conversationId: string; timeZone: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" kind="secondary" onClick={() => setOpen(true)}>
        Propose a visit
      </Button>
      <VisitForm
        conversationId={conversationId}
        timeZone={timeZone}
        title="Times for a visit"
        open={open}
        onClose={() => setOpen(false)}
        send={(body) => visitChanges.propose({ conversationId, ...body })}
      />
    </>
  );
}
