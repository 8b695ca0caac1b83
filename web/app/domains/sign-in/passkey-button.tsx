import type { PasskeyAnswer } from '@handwise/contract/sign-in/passkeys';
import { useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { signWithPasskey, usePasskeySupport } from './passkey-browser.ts';

type PasskeyButtonProps = {
  label: string;
  /** What the server asks the browser to sign. */
  askForOptions: () => Promise<{ options: object }>;
  onAnswer: (answer: PasskeyAnswer) => Promise<void>;
};

/** Has the browser use a passkey. Nothing where it has none. */
export function PasskeyButton({ label, askForOptions, onAnswer }: PasskeyButtonProps) {
  const isSupported = usePasskeySupport();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  async function use() {
    setBusy(true);
    setProblem('');
    try {
      const { options } = await askForOptions();
      const answer = await signWithPasskey(options);
      await onAnswer({ ...answer, clientExtensionResults: {} });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'An unexpected error occurred');
    } finally {
      setBusy(false);
    }
  }
  if (!isSupported) return null;
  return (
    <div>
      <Button kind="secondary" wide busy={busy} onClick={() => void use()}>
        {label}
      </Button>
      <p role="alert">{problem}</p>
    </div>
  );
}
