import { login, loginForm } from '@handwise/contract/sign-in';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/checked-form.ts';
import { deviceHeaders } from '../../lib/device.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField, TextField } from '../../ui/forms/form-field.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { useSignedIn } from './use-signed-in.ts';

/** Signs in. The page around it leads on as soon as there is a user. */
export function LoginForm() {
  const { secondStep, proceed, startAgain } = useSignedIn();
  const { form, field, summary, busy } = useCheckedForm({
    name: 'sign-in',
    schema: loginForm,
    start: { email: '', password: '' },
    send: async (values) => {
      proceed(await call(login, { headers: deviceHeaders(), body: values }));
    },
  });
  if (secondStep) return <SecondStepForm step={secondStep} onSession={proceed} onStartAgain={startAgain} />;
  return (
    <form {...form}>
      <ErrorSummary {...summary} />
      <TextField label="Email" type="email" autoComplete="username" inputMode="email" {...field('email')} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  );
}
