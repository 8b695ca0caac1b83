import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { pageMeta } from '../../lib/page-meta.ts';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/forgot-password';
import { forgotPasswordForm } from '@handwise/contract/sign-in/calls';
import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';

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

/** Requests a link to choose a new password. The answer does not reveal whether the account exists. */
function ForgotPasswordForm() {
  const [sentTo, setSentTo] = useState<string>();
  const { form, field, summary, busy } = useCheckedForm({
    name: 'forgot-password',
    schema: forgotPasswordForm,
    start: { email: '' },
    send: async (values) => {
      await call('POST /auth/forgot-password', { body: values });
      setSentTo(values.email);
    },
  });
  return (
    <form {...form}>
      <ErrorSummary {...summary} />
      {sentTo !== undefined && (
        <div role="status">
          <Notice kind="success">
            If there is an account with {sentTo}, a link is on its way there. It works once, for an hour. Nothing there? Check your spam
            folder, or try another address.
          </Notice>
        </div>
      )}
      <TextField label="Email" type="email" autoComplete="username" inputMode="email" {...field('email')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Sending the link...' : sentTo === undefined ? 'Send me a link' : 'Send another link'}
      </Button>
    </form>
  );
}
