import type { Visit } from '@handwise/contract/visits/calls';
import { formatVisitTime, maxVisitNoteLength } from '@handwise/contract/visits/words';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { getServerReason } from '../../lib/api-error.ts';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';
import { VisitForm } from './visit-form.tsx';
import { refetchVisits, visitChanges, visitsQuery } from './visit-queries.ts';
import styles from './visits.module.css';

/** What a side is asked before it changes a visit, which is as it was when they pressed the button. */
export type VisitAsking = { what: 'propose' } | { what: 'times' | 'ask' | 'cancel'; visit: Visit };

export const getHeadingId = ({ _id }: Pick<Visit, '_id'>) => `visit-${_id}`;

/** What was pressed may be gone, and the card is where the newest message is. */
export const focusCard = (visit: Pick<Visit, '_id'>) => setTimeout(() => document.getElementById(getHeadingId(visit))?.focus());

export const nameCancelling = ({ state, role }: Visit) =>
  state === 'agreed' ? 'Cancel visit' : role === 'seller' ? 'Withdraw' : 'No visit';

type VisitDialogProps = {
  conversationId: string;
  timeZone: string;
  asking: VisitAsking;
  open: boolean;
  /** Whether the two can write to each other. */
  canAnswer: boolean;
  onClose: () => void;
};

/** The dialog of one question. It is outside the cards, because a card moves when the other side changes its visit. */
export function VisitDialog({ conversationId, timeZone, asking, open, canAnswer, onClose }: VisitDialogProps) {
  const client = useQueryClient();
  const [seen, setSeen] = useState(asking.what === 'propose' ? undefined : asking.visit);
  /** A change that failed can be sent again, for the visit as it is now. */
  async function send<Sent>(work: () => Promise<Sent>): Promise<Sent> {
    try {
      return await work();
    } catch (error) {
      await refetchVisits(client, conversationId);
      setSeen(
        (before) => client.getQueryData(visitsQuery(conversationId).queryKey)?.visits.find(({ _id }) => _id === before?._id) ?? before,
      );
      throw error;
    }
  }
  if (!seen) {
    return (
      <VisitForm
        conversationId={conversationId}
        timeZone={timeZone}
        title="Times for a visit"
        open={open}
        onClose={onClose}
        send={(body) => send(() => visitChanges.propose({ conversationId, ...body }))}
      />
    );
  }
  const isAgreed = seen.state === 'agreed';
  if (asking.what === 'times') {
    return (
      <VisitForm
        conversationId={conversationId}
        timeZone={timeZone}
        title={isAgreed ? 'Move this visit' : 'Times for a visit'}
        open={open}
        onClose={onClose}
        onSent={() => void focusCard(seen)}
        send={(body) => send(() => visitChanges.move(seen, body))}
      />
    );
  }
  async function change(work: () => Promise<unknown>, done: string): Promise<void> {
    await send(work);
    toast(done);
    await refetchVisits(client, conversationId);
    onClose();
    if (seen) focusCard(seen);
  }
  if (asking.what === 'ask') {
    return (
      <NoteDialog
        title={isAgreed ? 'Leave the visit as it is?' : 'Ask for other times?'}
        label={isAgreed ? 'Anything else' : 'When would suit you?'}
        button={isAgreed ? 'Leave it' : 'Ask for others'}
        open={open}
        onClose={onClose}
        onSend={(note) => change(() => visitChanges.ask(seen, note), 'Sent.')}
      >
        {isAgreed && seen.agreed
          ? `It stays on ${formatVisitTime(seen.agreed, timeZone)}.`
          : `The business is asked to propose others than ${seen.times.length === 1 ? 'this one' : 'these'}.`}
      </NoteDialog>
    );
  }
  return (
    <NoteDialog
      title={isAgreed ? 'Cancel this visit?' : 'No visit for now?'}
      // Where messages are stopped, no reason would reach the other side.
      label={canAnswer ? 'Why?' : null}
      button={nameCancelling(seen)}
      open={open}
      onClose={onClose}
      onSend={(reason) =>
        change(
          () => visitChanges.cancel(seen, reason),
          isAgreed ? 'Cancelled. Both of you have been told.' : 'Done. The other side has been told.',
        )
      }
    >
      {isAgreed ? 'Both of you are told, and it goes from your calendars.' : 'The proposed times no longer stand.'}
    </NoteDialog>
  );
}

type NoteDialogProps = {
  title: string;
  /** Of the note; null without one. */
  label: string | null;
  button: string;
  open: boolean;
  onClose: () => void;
  onSend: (note: string) => Promise<void>;
  children: string;
};

function NoteDialog({ title, label, button, open, onClose, onSend, children }: NoteDialogProps) {
  const form = useId();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isOpen = useRef(open);
  useEffect(() => {
    isOpen.current = open;
  });
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    const note = new FormData(event.currentTarget).get('note');
    try {
      await onSend(typeof note === 'string' ? note : '');
    } catch (error) {
      const reason = getServerReason(error) ?? 'Your choice could not be saved. Please try again.';
      if (isOpen.current) setProblem(reason);
      else toast(reason, 'error');
    }
    setBusy(false);
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
      <form id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
        <p>{children}</p>
        {problem !== undefined && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        {label !== null && (
          <TextField
            label={label}
            optional
            name="note"
            id={`${form}-note`}
            maxLength={maxVisitNoteLength}
            hint="The other side reads it."
          />
        )}
      </form>
    </Dialog>
  );
}
