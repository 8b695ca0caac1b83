import type { OutputOf } from '@handwise/contract/calls';
import { appCodeDigits, secondStepForm } from '@handwise/contract/sign-in/second-step';
import { renderSVG } from 'uqr';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy-button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';
import styles from './security.module.css';

type AuthenticatorSetupProps = {
  setup: OutputOf<'POST /auth/authenticator'>;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
};

/** The secret as a QR code and as text, and the first code of the app. */
export function AuthenticatorSetup({ setup, onConfirmed }: AuthenticatorSetupProps) {
  const { form, field, summary, busy } = useCheckedForm({
    name: 'authenticator',
    schema: secondStepForm,
    start: { code: '' },
    send: async (body) => {
      const { recoveryCodes } = await call('POST /auth/authenticator/confirm', { body });
      onConfirmed(recoveryCodes);
    },
  });
  // Shown as an image, so that no script in it can run.
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(setup.uri, { border: 2 }))}`;
  return (
    <form {...form} className={styles.setup}>
      <ErrorSummary {...summary} />
      <ol className={styles.steps}>
        <li>
          <p>Scan this with your authenticator app.</p>
          <img className={styles.qr} src={picture} width={220} height={220} alt="QR code with the secret below" />
          <p>
            On this phone? <a href={setup.uri}>Open it in your app</a>, or type the secret:
          </p>
          <p className={styles.secret}>{setup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
          <CopyButton
            text={setup.secret}
            label="Copy the secret"
            copiedMessage="Secret copied"
            failedMessage="The secret could not be copied. Please type it."
          />
        </li>
        <li>
          <TextField
            label="Code the app shows now"
            inputMode="numeric"
            autoComplete="one-time-code"
            hint={`${appCodeDigits} digits.`}
            {...field('code')}
          />
        </li>
      </ol>
      <Button type="submit" busy={busy} wide>
        {busy ? 'Checking...' : 'Turn the second step on'}
      </Button>
    </form>
  );
}
