import { type PasskeyAnswer, passkeySignIn, passkeySignInOptions } from '@handwise/contract/sign-in/passkeys';
import { login, loginForm } from '@handwise/contract/sign-in/calls';
import { useEffect, useRef } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { deviceHeaders } from '../../lib/session/device.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField, TextField } from '../../ui/forms/form-field.tsx';
import { endOffer, offerPasskeys } from './passkey-browser.ts';
import { PasskeyButton } from './passkey-button.tsx';
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
  const signIn = async (answer: PasskeyAnswer) => proceed(await call(passkeySignIn, { headers: deviceHeaders(), body: { answer } }));
  useOfferedPasskeys(signIn);
  if (secondStep) return <SecondStepForm step={secondStep} onSession={proceed} onStartAgain={startAgain} />;
  return (
    <form {...form}>
      <ErrorSummary {...summary} />
      <TextField label="Email" type="email" autoComplete="username webauthn" inputMode="email" {...field('email')} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Signing in...' : 'Sign in'}
      </Button>
      <PasskeyButton label="Sign in with a passkey" askForOptions={() => call(passkeySignInOptions, {})} onAnswer={signIn} />
    </form>
  );
}

/** Offers one's passkeys where the browser fills the address in. */
function useOfferedPasskeys(signIn: (answer: PasskeyAnswer) => Promise<void>) {
  const latest = useRef(signIn);
  useEffect(() => {
    latest.current = signIn;
  });
  useEffect(() => {
    if (!('PublicKeyCredential' in globalThis)) return;
    let isHere = true;
    void offerPasskeys(() => call(passkeySignInOptions, {}))
      .then((answer) => (answer && isHere ? latest.current({ ...answer, clientExtensionResults: {} }) : undefined))
      // The form is there for whoever wants to sign in; only one who has chosen a passkey is told.
      .catch((error: unknown) => error instanceof ApiError && error.code === 'passkey_refused' && toast(error.message, 'error'));
    return () => {
      isHere = false;
      void endOffer();
    };
  }, []);
}
