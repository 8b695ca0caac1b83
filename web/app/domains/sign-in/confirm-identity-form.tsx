import type { OutputOf } from '@handwise/contract/calls';
import { providerNames } from '@handwise/contract/accounts/provider-names';
import { inWords } from '@handwise/contract/numbers';
import { recentMinutes } from '@handwise/contract/periods';
import { appCodeDigits, recoveryCodeLength, recoveryForm, secondStepForm } from '@handwise/contract/sign-in/second-step';
import { confirmIdentityForm } from '@handwise/contract/sign-in/calls';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders } from '../../lib/session/device.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField, TextField } from '../../ui/forms/form-field.tsx';
import { PasskeyButton } from './passkey-browser.tsx';
import styles from './sign-in.module.css';

const unused = z.string();
/** The second step, as at sign-in. */
const secondSteps = {
  nothing: z.object({ code: unused, recoveryCode: unused }),
  code: z.object({ code: secondStepForm.shape.code, recoveryCode: unused }),
  recoveryCode: z.object({ code: unused, recoveryCode: recoveryForm.shape.recoveryCode }),
};
type SecondStep = keyof typeof secondSteps;
const passwordSchemas = {
  nothing: confirmIdentityForm.extend(secondSteps.nothing.shape),
  code: confirmIdentityForm.extend(secondSteps.code.shape),
  recoveryCode: confirmIdentityForm.extend(secondSteps.recoveryCode.shape),
};

export function ConfirmIdentityForm({ onProved }: { onProved: () => void }) {
  const { security, problem, retry } = useSecurity();
  // Whether there is a password is unknown, and asking for one could leave somebody without one stuck.
  if (problem !== null) return <LoadProblem text={`We could not read how you sign in. ${problem}`} onRetry={retry} />;
  if (!security) return <LoadingView />;
  const hasPasskeys = security.passkeys.length > 0;
  return security.hasPassword ? (
    <ProofForm takesCode={security.authenticator} hasPasskeys={hasPasskeys} onProved={onProved} />
  ) : (
    <ProviderProof {...security} hasPasskeys={hasPasskeys} onProved={onProved} />
  );
}

function ProofForm({ takesCode, hasPasskeys, onProved }: { takesCode: boolean; hasPasskeys: boolean; onProved: () => void }) {
  const { second, swap } = useSecondStep(takesCode);
  const { form, field, summary, busy } = useCheckedForm({
    name: 'confirm-identity',
    schema: passwordSchemas[second],
    start: { password: '', code: '', recoveryCode: '' },
    send: async (values) => {
      const body = { password: values.password, ...(second !== 'nothing' && { [second]: values[second] }) };
      await call('POST /auth/confirm-identity', { headers: getDeviceHeaders(), body });
      onProved();
    },
  });
  return (
    <form {...form} className={styles.stack}>
      <p>
        This changes how you sign in, or something that is yours. Please confirm that it is you. We will not ask again for{' '}
        {inWords(recentMinutes)} minutes.
      </p>
      <ErrorSummary {...summary} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <SecondStepFields second={second} field={field} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Checking...' : 'Continue'}
      </Button>
      <SecondStepSwap second={second} onSwap={swap} />
      {hasPasskeys && <PasskeyProof onProved={onProved} />}
    </form>
  );
}

/** Which second step is asked for, and how to ask for the other one. */
function useSecondStep(takesCode: boolean) {
  const [isPhoneLost, setPhoneLost] = useState(false);
  const second: SecondStep = !takesCode ? 'nothing' : isPhoneLost ? 'recoveryCode' : 'code';
  return { second, swap: () => setPhoneLost(!isPhoneLost) };
}

type SecondStepFieldsProps = {
  second: SecondStep;
  field: (name: 'code' | 'recoveryCode') => Pick<ComponentProps<'input'>, 'name' | 'id'> & { error: string | undefined };
};

const SecondStepFields = ({ second, field }: SecondStepFieldsProps) => (
  <>
    {second === 'code' && (
      <TextField
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint={`${appCodeDigits} digits, from your authenticator app.`}
        {...field('code')}
      />
    )}
    {second === 'recoveryCode' && (
      <TextField
        label="Recovery code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint={`${recoveryCodeLength} letters and digits. Each works once.`}
        {...field('recoveryCode')}
      />
    )}
  </>
);

const SecondStepSwap = ({ second, onSwap }: { second: SecondStep; onSwap: () => void }) =>
  second !== 'nothing' && (
    <Button kind="quiet" size="sm" onClick={onSwap}>
      {second === 'recoveryCode' ? 'Use a code from your app' : 'Use a recovery code'}
    </Button>
  );

/** For an account without a password: at a provider that is connected, or with a passkey. The page is opened again afterwards. */
function ProviderProof({
  authenticator,
  identities,
  hasPasskeys,
  onProved,
}: Pick<Security, 'authenticator' | 'identities'> & { hasPasskeys: boolean; onProved: () => void }) {
  // A ref, because the press that chooses it submits at once.
  const chosen = useRef(identities[0]?.provider);
  const { second, swap } = useSecondStep(authenticator);
  const { form, field, summary, busy } = useCheckedForm({
    name: 'confirm-identity-with',
    schema: secondSteps[second],
    start: { code: '', recoveryCode: '' },
    send: async (values) => {
      const provider = chosen.current;
      if (!provider) return;
      const redirect = location.pathname + location.search;
      const { url } = await call('POST /auth/confirm-identity/with', {
        body: { provider, redirect, ...(second !== 'nothing' && { [second]: values[second] }) },
      });
      location.assign(url);
    },
  });
  return (
    <form {...form} className={styles.stack}>
      <p>This changes how you sign in, or something that is yours. Please confirm that it is you. You come back here afterwards.</p>
      <ErrorSummary {...summary} />
      <SecondStepFields second={second} field={field} />
      {identities.map((one) => (
        <Button key={one.provider} type="submit" kind="secondary" busy={busy} wide onClick={() => (chosen.current = one.provider)}>
          Continue with {providerNames[one.provider]}
        </Button>
      ))}
      <SecondStepSwap second={second} onSwap={swap} />
      {hasPasskeys && <PasskeyProof onProved={onProved} />}
    </form>
  );
}

const PasskeyProof = ({ onProved }: { onProved: () => void }) => (
  <PasskeyButton
    label="Use a passkey"
    loadOptions={() => call('POST /auth/confirm-identity/passkey-options', {})}
    onAnswer={async (passkey) => {
      await call('POST /auth/confirm-identity', { headers: getDeviceHeaders(), body: { passkey } });
      onProved();
    }}
  />
);

type Security = Pick<OutputOf<'GET /auth/security'>, 'authenticator' | 'identities' | 'hasPassword'> & { passkeys: readonly unknown[] };

function useSecurity() {
  const [security, setSecurity] = useState<Security>();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (problem !== null) return undefined;
    const asking = new AbortController();
    call('GET /auth/security', {}, asking.signal).then(setSecurity, (error: unknown) => {
      if (!asking.signal.aborted) setProblem(error instanceof Error ? error.message : 'An unexpected error occurred');
    });
    return () => asking.abort();
  }, [problem]);
  return { security, problem, retry: () => setProblem(null) };
}
