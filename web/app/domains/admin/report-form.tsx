import { maxReportText, type ReportKind, type ReportReason, reportReasons } from '@handwise/contract/admin/report-words';
import { createReportCall } from '@handwise/contract/admin/report-calls';
import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { SelectField, TextArea, TextCounter } from '../../ui/forms/form-field.tsx';
import styles from './report-button.module.css';

type Values = { reason: ReportReason; text?: string | undefined };

/** A report's form, sent once. */
export function ReportForm({ kind, id, onClose }: { kind: ReportKind; id: string; onClose: () => void }) {
  const [done, setDone] = useState<string>();
  const [text, setText] = useState('');
  const { form, field, summary, busy } = useCheckedForm<Values>({
    name: 'report',
    schema: createReportCall.body.pick({ reason: true, text: true }),
    start: { reason: '' as ReportReason, text: '' },
    send: async (values) => setDone((await call('POST /reports', { body: { kind, id, ...values } })).message),
    onChange: (values) => setText(values.text ?? ''),
  });
  if (done !== undefined) {
    return (
      <div role="status" className={styles.section}>
        <Notice kind="success">{done}</Notice>
        <Button onClick={onClose}>OK</Button>
      </div>
    );
  }
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <SelectField label="What is wrong?" {...field('reason')}>
        <option value="">Choose a reason</option>
        {Object.entries(reportReasons)
          .filter(([key]) => kind === 'listing' || kind === 'review' || key !== 'not_genuine')
          .map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
      </SelectField>
      <TextArea
        label="What should we know?"
        optional
        rows={4}
        hint="Only our moderators read this. The person it is about does not learn who reported it."
        after={<TextCounter text={text} max={maxReportText} />}
        {...field('text')}
      />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Sending…' : 'Send the report'}
      </Button>
    </form>
  );
}
