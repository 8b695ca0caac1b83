import { paths } from '@handwise/contract/paths';
import { useNavigate, useSearchParams } from 'react-router';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ButtonLink, Button } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/reset-password';
import { resetPasswordForm } from '@handwise/contract/sign-in/calls';
import { passwordLength } from '@handwise/contract/accounts/calls';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders } from '../../lib/session/device.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField } from '../../ui/forms/form-field.tsx';
import { SecondStepForm, useSignedIn } from '../../domains/sign-in/second-step-form.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Choose a new password',
    description: 'Choose a new password for your account.',
    path: paths.resetPassword,
    noIndex: true,
  });

export default function ResetPasswordPage() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { initialized } = useSession();
  const token = search.get('token') ?? '';
  // The page is rendered without the token, which belongs to the reader.
  const isComplete = !initialized || token !== '';
  return (
    <FormCard title="Choose a new password" intro={<p>Every device that is signed in now will be signed out.</p>}>
      {isComplete ? (
        <ResetPasswordForm
          token={token}
          onDone={() => void navigate(paths.browse, { replace: true })}
          onStartAgain={() => void navigate(paths.login, { replace: true })}
        />
      ) : (
        <>
          <Notice>This link is not complete. Open it again from the email, or ask for a new one.</Notice>
          <ButtonLink to={paths.forgotPassword} wide>
            Get a new link
          </ButtonLink>
        </>
      )}
    </FormCard>
  );
}

type ResetPasswordFormProps = {
  token: string;
  onDone: () => void;
  /** Called if the second step took too long: the new password is set and is used to sign in. */
  onStartAgain: () => void;
};

/** Sets a new password with the token of an emailed link, and signs in. */
function ResetPasswordForm({ token, onDone, onStartAgain }: ResetPasswordFormProps) {
  const { secondStep, proceed } = useSignedIn(onDone);
  const { form, field, summary, busy } = useCheckedForm({
    name: 'reset-password',
    schema: resetPasswordForm,
    start: { password: '' },
    send: async ({ password }) => {
      const answer = await call('POST /auth/reset-password', { headers: getDeviceHeaders(), body: { token, password } });
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
