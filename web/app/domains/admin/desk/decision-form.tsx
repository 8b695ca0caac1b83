import { removalReasons } from '@handwise/contract/reviews/words';
import { decideReport } from '@handwise/contract/admin/reports';
import { decisionKinds, type Measure, measuresFor, type ReportKind } from '@handwise/contract/admin/report-words';
import { type ReactNode, useId, useState } from 'react';
import type { z } from 'zod';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { SelectField, TextArea } from '../../../ui/forms/form-field.tsx';
import styles from './case.module.css';

type Decided = z.input<typeof decideReport.body>;

type DecisionFormProps = {
  kind: ReportKind;
  title: string;
  /** Without reports there is nothing to dismiss. */
  without?: Measure;
  send: (decided: Decided) => Promise<unknown>;
};

/** A decision with its reason, and a preview of what people will read. */
export function DecisionForm({ kind, title, without, send }: DecisionFormProps) {
  const measures: readonly Measure[] = measuresFor[kind].filter((one) => one !== without);
  const [decision, setDecision] = useState<Measure>(measures[0] ?? 'warn');
  const [reason, setReason] = useState('');
  const [removedBecause, setRemovedBecause] = useState('');
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'decision',
    schema: decideReport.body.pick({ reason: true }),
    start: { reason: '' },
    send: async (values) => {
      await send({
        decision,
        reason: values.reason,
        ...(decision === 'remove_review' && { removedBecause: removedBecause as NonNullable<Decided['removedBecause']> }),
      });
    },
    onChange: (values) => setReason(values.reason),
  });
  const { name, notice } = decisionKinds[decision];
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <Choices
        legend="What is your decision?"
        options={measures.map((one) => ({ value: one, name: decisionKinds[one].name }))}
        value={decision}
        onChange={(value) => setDecision(value as Measure)}
      />
      {decision === 'remove_review' && (
        <SelectField
          label="The note in its place will say"
          name="removedBecause"
          value={removedBecause}
          onChange={(event) => setRemovedBecause(event.target.value)}
        >
          <option value="">Choose</option>
          {Object.entries(removalReasons)
            .filter(([key]) => key !== 'withdrawn')
            .map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
        </SelectField>
      )}
      <TextArea
        label="Reason"
        rows={4}
        hint={decision === 'dismiss' ? 'The people who reported it will read this.' : 'The person concerned will read this, word for word.'}
        {...field('reason')}
      />
      <Preview
        by={decision === 'dismiss' ? 'The people who reported it' : 'The person concerned'}
        notice={notice}
        title={title}
        reason={reason}
      />
      <div>
        <Button type="submit" busy={busy} kind={decision === 'dismiss' || decision === 'warn' ? 'primary' : 'danger'}>
          {busy ? 'Sending…' : name}
        </Button>
      </div>
    </form>
  );
}

type ChoicesProps = {
  legend: string;
  options: readonly { value: string; name: string }[];
  value: string;
  onChange: (value: string) => void;
};

/** A group of choices, side by side. The keyboard shortcut focuses the first. */
export function Choices({ legend, options, value, onChange }: ChoicesProps) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            data-key={option.value === value ? 'decide' : undefined}
            onChange={() => onChange(option.value)}
          />
          {option.name}
        </label>
      ))}
    </fieldset>
  );
}

/** A live preview of what people will read. */
export const Preview = ({ by, notice, title, reason }: { by: string; notice: ReactNode; title: string; reason: string }) => (
  <section className={styles.preview} aria-label={`${by} will read`}>
    <p className="muted">{by} will read:</p>
    <p>
      <strong>{notice}</strong>
    </p>
    <p className="muted">About: {title}</p>
    <blockquote>{reason.trim() || '…'}</blockquote>
  </section>
);
