import { providerNames } from '@handwise/contract/accounts/provider-names';
import type { CallOutput } from '@handwise/contract/call';
import { inWords } from '@handwise/contract/numbers';
import { passkeyConfirmOptions } from '@handwise/contract/sign-in/passkeys';
import { recentMinutes } from '@handwise/contract/periods';
import { appCodeDigits, type getSecurity, recoveryCodeLength, recoveryForm, secondStepForm } from '@handwise/contract/sign-in/second-step';
import { startConfirming } from '@handwise/contract/sign-in/providers';
import { confirmIdentity, confirmIdentityForm } from '@handwise/contract/sign-in/calls';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders } from '../../lib/session/device.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField, TextField } from '../../ui/forms/form-field.tsx';
import { PasskeyButton } from './passkey-browser.tsx';
import styles from './sign-in.module.css';

const unused = z.string();
const noCode = z.object({ code: unused });
/** The password with the second step, as at sign-in. */
const schemas = {
  nothing: confirmIdentityForm.extend({ code: unused, recoveryCode: unused }),
  code: confirmIdentityForm.extend({ code: secondStepForm.shape.code, recoveryCode: unused }),
  recoveryCode: confirmIdentityForm.extend({ code: unused, recoveryCode: recoveryForm.shape.recoveryCode }),
};

export function ConfirmIdentityForm({ onProved }: { onProved: () => void }) {
  const security = useSecurity();
  if (!security) return <LoadingView />;
  const hasPasskeys = security.passkeys.length > 0;
  return security.hasPassword ? (
    <ProofForm takesCode={security.authenticator} hasPasskeys={hasPasskeys} onProved={onProved} />
  ) : (
    <ProviderProof {...security} hasPasskeys={hasPasskeys} onProved={onProved} />
  );
}

function ProofForm({ takesCode, hasPasskeys, onProved }: { takesCode: boolean; hasPasskeys: boolean; onProved: () => void }) {
  const [isPhoneLost, setPhoneLost] = useState(false);
  const second = !takesCode ? 'nothing' : isPhoneLost ? 'recoveryCode' : 'code';
  const { form, field, summary, busy } = useCheckedForm({
    name: 'confirm-identity',
    schema: schemas[second],
    start: { password: '', code: '', recoveryCode: '' },
    send: async (values) => {
      const body = { password: values.password, ...(second !== 'nothing' && { [second]: values[second] }) };
      await call(confirmIdentity, { headers: getDeviceHeaders(), body });
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
      <Button type="submit" busy={busy} wide>
        {busy ? 'Checking...' : 'Continue'}
      </Button>
      {takesCode && (
        <Button kind="quiet" size="sm" onClick={() => setPhoneLost(!isPhoneLost)}>
          {isPhoneLost ? 'Use a code from your app' : 'Use a recovery code'}
        </Button>
      )}
      {hasPasskeys && <PasskeyProof onProved={onProved} />}
    </form>
  );
}

/** For an account without a password: at a provider that is connected, or with a passkey. The page is opened again afterwards. */
function ProviderProof({
  authenticator,
  identities,
  hasPasskeys,
  onProved,
}: Pick<Security, 'authenticator' | 'identities'> & { hasPasskeys: boolean; onProved: () => void }) {
  const [provider, setProvider] = useState(identities[0]?.provider);
  const { form, field, summary, busy } = useCheckedForm({
    name: 'confirm-identity-with',
    schema: authenticator ? secondStepForm : noCode,
    start: { code: '' },
    send: async ({ code }) => {
      if (!provider) return;
      const redirect = location.pathname + location.search;
      const { url } = await call(startConfirming, { body: { provider, redirect, ...(authenticator && { code }) } });
      location.assign(url);
    },
  });
  return (
    <form {...form} className={styles.stack}>
      <p>This changes how you sign in, or something that is yours. Please confirm that it is you. You come back here afterwards.</p>
      <ErrorSummary {...summary} />
      {authenticator && (
        <TextField
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint={`${appCodeDigits} digits, from your authenticator app.`}
          {...field('code')}
        />
      )}
      {identities.map((one) => (
        <Button key={one.provider} type="submit" kind="secondary" busy={busy} wide onClick={() => setProvider(one.provider)}>
          Continue with {providerNames[one.provider]}
        </Button>
      ))}
      {hasPasskeys && <PasskeyProof onProved={onProved} />}
    </form>
  );
}

const PasskeyProof = ({ onProved }: { onProved: () => void }) => (
  <PasskeyButton
    label="Use a passkey"
    loadOptions={() => call(passkeyConfirmOptions, {})}
    onAnswer={async (passkey) => {
      await call(confirmIdentity, { headers: getDeviceHeaders(), body: { passkey } });
      onProved();
    }}
  />
);

type Security = Pick<CallOutput<typeof getSecurity>, 'authenticator' | 'identities' | 'hasPassword'> & { passkeys: readonly unknown[] };

function useSecurity() {
  const [security, setSecurity] = useState<Security>();
  useEffect(() => {
    const asking = new AbortController();
    call<typeof getSecurity>({ method: 'GET', url: '/auth/security' }, {}, asking.signal).then(setSecurity, () => {
      // The password is always required, and the server says if more is.
      if (!asking.signal.aborted) setSecurity({ authenticator: false, passkeys: [], identities: [], hasPassword: true });
    });
    return () => asking.abort();
  }, []);
  return security;
}
