import { useState } from 'react';
import type { z } from 'zod';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea } from '../../../ui/forms/form-field.tsx';
import styles from './case.module.css';
import { Choices, Preview } from './decision-form.tsx';

/** A choice. The first is selected initially. */
type Answer = {
  value: string;
  name: string;
  /** Shown to those concerned, above the reason. */
  notice: string;
  button: string;
  kind: 'primary' | 'danger';
};

type ReasonedChoiceProps = {
  /** Of the form. */
  name: string;
  schema: z.ZodType<{ reason: string }, { reason: string }>;
  legend: string;
  answers: readonly [Answer, ...Answer[]];
  /** Who reads the reason. */
  readers: string;
  hint: string;
  title: string;
  send: (answer: string, reason: string) => Promise<unknown>;
};

/** A choice with a reason, and a preview of what those concerned will read. */
export function ReasonedChoice({ name, schema, legend, answers, readers, hint, title, send }: ReasonedChoiceProps) {
  const [value, setValue] = useState(answers[0].value);
  const [reason, setReason] = useState('');
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name,
    schema,
    start: { reason: '' },
    send: async (values) => {
      await send(value, values.reason);
    },
    onChange: (values) => setReason(values.reason),
  });
  const chosen = answers.find((one) => one.value === value) ?? answers[0];
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <Choices legend={legend} options={answers} value={value} onChange={setValue} />
      <TextArea label="Reason" rows={4} hint={hint} {...field('reason')} />
      <Preview by={readers} notice={chosen.notice} title={title} reason={reason} />
      <div>
        <Button type="submit" busy={busy} kind={chosen.kind}>
          {busy ? 'Sending…' : chosen.button}
        </Button>
      </div>
    </form>
  );
}
