import { passkeyConfirmOptions } from '@handwise/contract/passkeys';
import type { getSecurity } from '@handwise/contract/second-step';
import { confirmIdentity, confirmIdentityForm } from '@handwise/contract/sign-in';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/checked-form.ts';
import { deviceHeaders } from '../../lib/device.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField } from '../../ui/forms/form-field.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import styles from './sign-in.module.css';

export function ConfirmIdentityForm({ onProved }: { onProved: () => void }) {
  const hasPasskeys = useHasPasskeys();
  const { form, field, summary, busy } = useCheckedForm({
    name: 'confirm-identity',
    schema: confirmIdentityForm,
    start: { password: '' },
    send: async (body) => {
      await call(confirmIdentity, { headers: deviceHeaders(), body });
      onProved();
    },
  });
  return (
    <form {...form} className={styles.stack}>
      <p>This changes how you sign in, or hands out what is yours. Please type your password. We do not ask again for ten minutes.</p>
      <ErrorSummary {...summary} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Checking...' : 'Go on'}
      </Button>
      {hasPasskeys && (
        <PasskeyButton
          label="Use a passkey"
          askForOptions={() => call(passkeyConfirmOptions, {})}
          onAnswer={async (passkey) => {
            await call(confirmIdentity, { headers: deviceHeaders(), body: { passkey } });
            onProved();
          }}
        />
      )}
    </form>
  );
}

function useHasPasskeys() {
  const [hasPasskeys, setHasPasskeys] = useState(false);
  useEffect(() => {
    const asking = new AbortController();
    call<typeof getSecurity>({ method: 'GET', url: '/auth/security' }, {}, asking.signal).then(
      ({ passkeys }) => setHasPasskeys(passkeys.length > 0),
      // The password will do.
      () => {},
    );
    return () => asking.abort();
  }, []);
  return hasPasskeys;
}
