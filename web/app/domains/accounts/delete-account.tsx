import { currentPassword } from '@handwise/contract/accounts/profile';
import { inWords } from '@handwise/contract/numbers';
import { invoiceYears } from '@handwise/contract/periods';
import { paths } from '@handwise/contract/paths';
import { formerMember } from '@handwise/contract/accounts/public-name';
import { useState } from 'react';
import { z } from 'zod';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders } from '../../lib/session/device.ts';
import { eraseStoredUser } from '../../lib/session/stored-user.ts';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField, TextField } from '../../ui/forms/form-field.tsx';
import styles from './account-settings.module.css';

const word = 'DELETE';
const confirmation = z.string().refine((text) => text.trim().toUpperCase() === word, `Type ${word} to confirm`);
const deletionForm = z.object({ confirmation, currentPassword });
const noPasswordForm = z.object({ confirmation, currentPassword: z.string() });

/** Explains what deleting the account means before asking for it. */
export function DeleteAccount({ hasPassword }: { hasPassword: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={`card ${styles.part}`} aria-labelledby="delete-account">
      <h2 id="delete-account">Delete your account</h2>
      <div className={styles.words}>
        <p>
          Your listings end straight away, and the rest of their plans is not refunded. Your name, address, phone number, pictures, saved
          listings and cards are deleted.
        </p>
        <p>
          Some things stay: tax invoices for {inWords(invoiceYears)} years, because the law requires it, your reviews under the name “
          {formerMember}”, and what you wrote to others.
        </p>
      </div>
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          Delete your account
        </Button>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} title="Delete your account for good?">
        <DeletionForm hasPassword={hasPassword} onCancel={() => setOpen(false)} />
      </Dialog>
    </section>
  );
}

function DeletionForm({ hasPassword, onCancel }: { hasPassword: boolean; onCancel: () => void }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'delete-account',
    schema: hasPassword ? deletionForm : noPasswordForm,
    start: { confirmation: '', currentPassword: '' },
    send: async (values) => {
      await call('DELETE /auth/account', {
        headers: getDeviceHeaders(),
        body: hasPassword ? { currentPassword: values.currentPassword } : {},
      });
      // A full page load, so that nothing of the account stays in memory.
      eraseStoredUser();
      location.assign(paths.goodbye);
    },
  });
  return (
    <form {...form} className={styles.form}>
      <p>This cannot be undone. If you want to keep anything, download your data first.</p>
      <ErrorSummary {...summary} />
      <TextField label={`Type ${word} to confirm`} autoComplete="off" autoCapitalize="characters" {...field('confirmation')} />
      {hasPassword && <PasswordField label="Your password" autoComplete="current-password" {...field('currentPassword')} />}
      <div className={styles.actions}>
        <Button type="submit" kind="danger" busy={busy}>
          {busy ? 'Deleting...' : 'Delete for good'}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Keep your account
        </Button>
      </div>
    </form>
  );
}
