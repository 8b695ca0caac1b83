import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { ForgotPasswordForm } from '../../domains/sign-in/forgot-password-form.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/forgot-password';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Forgot your password?',
    description: 'Get a link by email and choose a new password.',
    path: paths.forgotPassword,
    noIndex: true,
  });

export default function ForgotPasswordPage() {
  return (
    <FormCard
      title="Forgot your password?"
      intro={
        <p>
          We will email you a link to choose a new one. Remembered it? <Link to={paths.login}>Sign in</Link>
        </p>
      }
    >
      <ForgotPasswordForm />
    </FormCard>
  );
}
