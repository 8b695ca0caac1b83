import { paths } from '@handwise/contract/paths';
import { useNavigate, useSearchParams } from 'react-router';
import { ResetPasswordForm } from '../../domains/sign-in/reset-password-form.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/reset-password';

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
  // The page is rendered without the token, which is nobody's but the reader's.
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
