import { createDecision } from '@handwise/contract/admin/reports';
import type { FoundUser } from '@handwise/contract/admin/search';
import { decisionKinds } from '@handwise/contract/admin/report-words';
import { useState } from 'react';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea } from '../../../ui/forms/form-field.tsx';
import { useDecision } from './admin-queries.ts';
import styles from './case.module.css';
import { Preview } from './decision-form.tsx';

type RestoreDialogProps = { user: FoundUser; open: boolean; onClose: () => void };

/** Opens a suspended account again, whoever suspended it. */
export const RestoreDialog = ({ user, open, onClose }: RestoreDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`Restore the account of ${user.fullName}`}>
    <RestoreForm user={user} onDone={onClose} />
  </Dialog>
);

function RestoreForm({ user, onDone }: { user: FoundUser; onDone: () => void }) {
  const [reason, setReason] = useState('');
  const decision = useDecision();
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'restore',
    schema: createDecision.body.pick({ reason: true }),
    start: { reason: '' },
    send: async (values) => {
      await decision.mutateAsync({ body: { ...values, decision: 'restore_account', kind: 'user', id: user._id } });
      onDone();
    },
    onChange: (values) => setReason(values.reason),
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <TextArea label="Reason" rows={3} hint="The person concerned will read this, word for word." {...field('reason')} />
      <Preview by="The person concerned" told={decisionKinds.restore_account.told} title={`@${user.username}`} reason={reason} />
      <Button type="submit" busy={busy}>
        {busy ? 'Sending…' : 'Restore the account'}
      </Button>
    </form>
  );
}
