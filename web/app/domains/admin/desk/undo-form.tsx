import { undoDecision } from '@handwise/contract/admin/reports';
import { decisionKinds, type Measure, opposites } from '@handwise/contract/admin/report-words';
import { useEffect, useRef, useState } from 'react';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea } from '../../../ui/forms/form-field.tsx';
import { useUndoing } from './admin-queries.ts';
import styles from './case.module.css';
import { Preview } from './decision-form.tsx';

type UndoFormProps = { id: string; decision: Measure; title: string; onDone?: () => void };

/** Reverses a decision, with a reason. The form opens on press. */
export function UndoForm({ id, decision, title, onDone }: UndoFormProps) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const undoing = useUndoing();
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: `undo-${id}`,
    schema: undoDecision.body,
    start: { reason: '' },
    send: async (body) => {
      await undoing.mutateAsync({ params: { id }, body });
      setOpen(false);
      onDone?.();
    },
    onChange: (values) => setReason(values.reason),
  });
  const opened = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (open) opened.current?.querySelector('textarea')?.focus();
  }, [open]);
  if (!open) {
    return (
      <div>
        <Button kind="secondary" size="sm" data-key="undo" onClick={() => setOpen(true)}>
          Reverse this decision
        </Button>
      </div>
    );
  }
  return (
    <form {...form} ref={opened} className={styles.form}>
      <ErrorSummary {...summary} />
      <TextArea label="Why are you reversing it?" rows={3} {...field('reason')} />
      {decision !== 'dismiss' && (
        <Preview by="The person concerned" notice={decisionKinds[opposites[decision]].notice} title={title} reason={reason} />
      )}
      <div>
        <Button type="submit" busy={busy}>
          {busy ? 'Sending…' : 'Reverse the decision'}
        </Button>{' '}
        <Button kind="quiet" onClick={() => setOpen(false)}>
          Keep it
        </Button>
      </div>
    </form>
  );
}
