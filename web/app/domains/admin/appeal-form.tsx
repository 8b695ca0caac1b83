import { count } from '@handwise/contract/numbers';
import { appealLinkedDecision, maxAppealText } from '@handwise/contract/admin/report-calls';
import { z } from 'zod';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextArea } from '../../ui/forms/form-field.tsx';
import styles from './decision-card.module.css';

const schema = z.object({ text: appealLinkedDecision.body.shape.text });

/** Objects to a decision. `send` gets the words; what it throws is shown. */
export function AppealForm({ id, send }: { id: string; send: (text: string) => Promise<void> }) {
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
