import { resetPassword, resetPasswordForm } from '@handwise/contract/sign-in';
import { passwordLength } from '@handwise/contract/accounts';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/checked-form.ts';
import { deviceHeaders, keepDevice } from '../../lib/device.ts';
import { setUser } from '../../lib/session.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField } from '../../ui/forms/form-field.tsx';

/** Chooses a new password with the token of a mailed link, and is signed in by it. */
export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'reset-password',
    schema: resetPasswordForm,
    start: { password: '' },
    send: async ({ password }) => {
      const { data, device } = await call(resetPassword, { headers: deviceHeaders(), body: { token, password } });
      keepDevice(device);
      setUser(data);
      toast('Your new password holds. Every other device is signed out.');
      onDone();
    },
  });
  return (
    <form {...form}>
      <ErrorSummary {...summary} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${passwordLength.min} characters.`}
        {...field('password')}
      />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Saving...' : 'Save and sign in'}
      </Button>
    </form>
  );
}
