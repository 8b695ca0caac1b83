import { type FoundUser, startLook } from '@handwise/contract/admin/search';
import { paths } from '@handwise/contract/paths';
import { lookMinutes } from '@handwise/contract/periods';
import { call } from '../../../lib/api.ts';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { beginLook } from '../../../lib/session/stored-user.ts';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea } from '../../../ui/forms/form-field.tsx';
import styles from './case.module.css';

type LookDialogProps = { user: FoundUser; open: boolean; onClose: () => void };

/** Begins to look at the site as somebody else. */
export const LookDialog = ({ user, open, onClose }: LookDialogProps) => (
  <Dialog open={open} onClose={onClose} title={`View the site as ${user.fullName}`}>
    <LookForm user={user} />
  </Dialog>
);

function LookForm({ user }: { user: FoundUser }) {
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'look',
    schema: startLook.body,
    start: { reason: '' },
    send: async (body) => {
      const { data, endsAt } = await call(startLook, { params: { id: user._id }, body });
      beginLook(data, { endsAt });
      // With a fresh page: nothing that was read as an administrator stays in memory.
      location.assign(paths.browse);
    },
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <p>
        For {lookMinutes} minutes you see what {user.fullName} sees. You cannot change anything, and nothing is marked as seen. They will
        find this visit and its reason among their sessions, and it is recorded in the audit log.
      </p>
      <TextArea label="Reason" rows={3} hint={`${user.fullName} will read this, word for word.`} {...field('reason')} />
      <Button type="submit" busy={busy}>
        {busy ? 'One moment…' : 'Start viewing'}
      </Button>
    </form>
  );
}
