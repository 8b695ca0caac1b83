import { addressForm } from '@handwise/contract/accounts/address';
import { paths } from '@handwise/contract/paths';
import type { Profile } from '@handwise/contract/accounts/profile';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders } from '../../lib/session/device.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField, TextField } from '../../ui/forms/form-field.tsx';
import styles from './account-settings.module.css';
import { useSaveProfile } from './account-queries.ts';

/** The address for signing in and for emails, and how to change it. */
export function AddressSection({ profile }: { profile: Profile }) {
  const saveProfile = useSaveProfile();
  const [isAsking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { email, emailConfirmed, pendingEmail, hasPassword } = profile;
  const done = () => {
    setAsking(false);
    // The pressed button is gone.
    heading.current?.focus();
  };
  const takingBack = useMutation({
    mutationFn: () => call('DELETE /auth/email', {}),
    onSuccess: ({ data }) => {
      saveProfile(data);
      toast('Your address stays as it is');
      done();
    },
    onError: (error) => toast(error.message, 'error'),
  });
  return (
    <section className={`card ${styles.part}`} aria-labelledby="email">
      <h2 id="email" ref={heading} tabIndex={-1}>
        Email address
      </h2>
      <p className={styles.value}>
        <strong>{email}</strong> <span className={styles.detail}>{emailConfirmed ? 'Confirmed' : 'Not confirmed yet'}</span>
      </p>
      {pendingEmail !== null && (
        <Notice>
          <div className={styles.pending}>
            <p>
              We have sent a link to <strong>{pendingEmail}</strong>. Open it within a day to make this your address.
            </p>
            <Button kind="secondary" size="sm" busy={takingBack.isPending} onClick={() => takingBack.mutate()}>
              Keep my current address
            </Button>
          </div>
        </Notice>
      )}
      {!hasPassword ? (
        <p className={styles.detail}>
          To change it, <Link to={paths.security}>choose a password</Link> first.
        </p>
      ) : isAsking ? (
        <AddressForm
          onRequested={(updated) => {
            saveProfile(updated);
            done();
          }}
          onCancel={done}
        />
      ) : (
        <div>
          <Button kind="secondary" onClick={() => setAsking(true)}>
            Change address
          </Button>
        </div>
      )}
    </section>
  );
}

function AddressForm({ onRequested, onCancel }: { onRequested: (profile: Profile) => void; onCancel: () => void }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'address',
    schema: addressForm,
    start: { email: '', currentPassword: '' },
    send: async (values) => onRequested((await call('PUT /auth/email', { headers: getDeviceHeaders(), body: values })).data),
  });
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <TextField
        label="New email address"
        type="email"
        autoComplete="email"
        inputMode="email"
        hint="We’ll send a link there, and let your old address know too."
        {...field('email')}
      />
      <PasswordField label="Your password" autoComplete="current-password" {...field('currentPassword')} />
      <div className={styles.actions}>
        <Button type="submit" busy={busy}>
          {busy ? 'Sending the link...' : 'Send the link'}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
