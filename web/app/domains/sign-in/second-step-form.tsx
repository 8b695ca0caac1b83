import { site } from '@handwise/contract/site/site';
import type { PasskeyAnswer } from '@handwise/contract/sign-in/passkeys';
import {
  appCodeDigits,
  recoveryCodeLength,
  recoveryForm,
  secondStepForm,
  type secondStepNeeded,
} from '@handwise/contract/sign-in/second-step';
import { useState, useEffect, useRef } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders, saveDevice } from '../../lib/session/device.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';
import styles from './sign-in.module.css';
import { PasskeyButton } from './passkey-browser.tsx';
import type { session } from '@handwise/contract/accounts/calls';
import type { z } from 'zod';
import { setUser } from '../../lib/session/session.ts';

type Proceed = ReturnType<typeof useSignedIn>['proceed'];
type SecondStepFormProps = { step: SecondStep; onSession: Proceed; onStartAgain: () => void };

/** The step after the password: the app's code, or a recovery code for a lost phone. */
export function SecondStepForm({ step, onSession, onStartAgain }: SecondStepFormProps) {
  const [isPhoneLost, setPhoneLost] = useState(false);
  const send = async (answer: { code: string } | { recoveryCode: string } | { passkey: PasskeyAnswer }) => {
    try {
      onSession(await call('POST /auth/login/second-step', { headers: getDeviceHeaders(), body: { token: step.token, ...answer } }));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'sign_in_over')) throw error;
      toast(error.message, 'error');
      onStartAgain();
    }
  };
  return (
    <div className={styles.stack}>
      {isPhoneLost ? <RecoveryForm send={send} /> : <CodeForm send={send} />}
      {step.methods.includes('passkey') && (
        <PasskeyButton
          label="Use a passkey"
          loadOptions={() => call('POST /auth/login/second-step/passkey-options', { body: { token: step.token } })}
          onAnswer={(passkey) => send({ passkey })}
        />
      )}
      <div className={styles.choices}>
        {step.methods.includes('recoveryCode') && (
          <Button kind="quiet" size="sm" onClick={() => setPhoneLost(!isPhoneLost)}>
            {isPhoneLost ? 'Use a code from your app' : 'Use a recovery code'}
          </Button>
        )}
        <Button kind="quiet" size="sm" onClick={onStartAgain}>
          Start again
        </Button>
      </div>
    </div>
  );
}

function CodeForm({ send }: { send: (answer: { code: string }) => Promise<void> }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'second-step',
    schema: secondStepForm,
    start: { code: '' },
    send,
  });
  const first = useFirstFieldFocus();
  return (
    <form {...form} ref={first} className={styles.stack}>
      <p>Now open your authenticator app and type the code it shows for {site.name}.</p>
      <ErrorSummary {...summary} />
      <TextField label="Code" inputMode="numeric" autoComplete="one-time-code" hint={`${appCodeDigits} digits.`} {...field('code')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Checking...' : 'Sign in'}
      </Button>
    </form>
  );
}

function RecoveryForm({ send }: { send: (answer: { recoveryCode: string }) => Promise<void> }) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'recovery',
    schema: recoveryForm,
    start: { recoveryCode: '' },
    send,
  });
  const first = useFirstFieldFocus();
  return (
    <form {...form} ref={first} className={styles.stack}>
      <p>Type one of the recovery codes you kept when you set up your app. Each works once.</p>
      <ErrorSummary {...summary} />
      <TextField
        label="Recovery code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint={`${recoveryCodeLength} letters and digits.`}
        {...field('recoveryCode')}
      />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Checking...' : 'Sign in'}
      </Button>
    </form>
  );
}

/** Focuses the first field when the form appears, because the pressed button is gone. Spread on the form. */
function useFirstFieldFocus() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return form;
}

type SecondStep = z.output<typeof secondStepNeeded>['secondStep'];
type Answer = z.output<typeof session> | z.output<typeof secondStepNeeded>;

/** Handles a correct password: starts the session, or the second step if the account requires it. */
export function useSignedIn(onDone: () => void = () => {}) {
  const [secondStep, setSecondStep] = useState<SecondStep>();
  function proceed(answer: Answer) {
    if ('secondStep' in answer) {
      setSecondStep(answer.secondStep);
      return;
    }
    saveDevice(answer.device);
    setUser(answer.data);
    onDone();
  }
  return { secondStep, proceed, startAgain: () => setSecondStep(undefined) };
}
