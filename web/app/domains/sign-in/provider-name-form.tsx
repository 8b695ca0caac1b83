import type { OutputOf } from '@handwise/contract/calls';
import { newNameForm } from '@handwise/contract/sign-in/providers';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders } from '../../lib/session/device.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';
import styles from './sign-in.module.css';

type NewSession = OutputOf<'POST /auth/with/name'>;

/** The one thing that a new account still lacks. */
export function ProviderNameForm({ token, email, onSession }: { token: string; email: string; onSession: (session: NewSession) => void }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'provider-name',
    schema: newNameForm,
    start: { fullName: '' },
    send: async ({ fullName }) => onSession(await call('POST /auth/with/name', { headers: getDeviceHeaders(), body: { token, fullName } })),
  });
  return (
    <form {...form} className={styles.stack}>
      <p>
        Your account will be <strong>{email}</strong>. What is your name?
      </p>
      <ErrorSummary {...summary} />
      <TextField
        label="Full name"
        autoComplete="name"
        hint="Others see your first name and the initial of your last."
        {...field('fullName')}
      />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Creating your account...' : 'Create account'}
      </Button>
    </form>
  );
}
