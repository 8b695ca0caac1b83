import { resetPassword, resetPasswordForm } from '@handwise/contract/sign-in/calls';
import { passwordLength } from '@handwise/contract/accounts/calls';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { deviceHeaders } from '../../lib/session/device.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField } from '../../ui/forms/form-field.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { useSignedIn } from './use-signed-in.ts';

type ResetPasswordFormProps = {
  token: string;
  onDone: () => void;
  /** The second step took too long: the new password holds, and one signs in with it. */
  onStartAgain: () => void;
};

/** Chooses a new password with the token of a mailed link, and is signed in by it. */
export function ResetPasswordForm({ token, onDone, onStartAgain }: ResetPasswordFormProps) {
  const { secondStep, proceed } = useSignedIn(onDone);
  const { form, field, summary, busy } = useCheckedForm({
    name: 'reset-password',
    schema: resetPasswordForm,
    start: { password: '' },
    send: async ({ password }) => {
      const answer = await call(resetPassword, { headers: deviceHeaders(), body: { token, password } });
      toast(
        'credentialsEnded' in answer && answer.credentialsEnded
          ? 'Your new password is set. Your address had never been confirmed, so every other device was signed out, and every passkey, authenticator app and recovery code was removed.'
          : 'Your new password is set. Every other device has been signed out.',
      );
      proceed(answer);
    },
  });
  if (secondStep) return <SecondStepForm step={secondStep} onSession={proceed} onStartAgain={onStartAgain} />;
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
