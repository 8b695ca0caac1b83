import type { PasskeyAnswer } from '@handwise/contract/sign-in/passkeys';
import { useState, useSyncExternalStore } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

type PasskeyButtonProps = {
  label: string;
  /** The server's challenge for the browser to sign. */
  loadOptions: () => Promise<{ options: object }>;
  onAnswer: (answer: PasskeyAnswer) => Promise<void>;
};

/** Signs with a passkey. Renders nothing if the browser has no passkeys. */
export function PasskeyButton({ label, loadOptions, onAnswer }: PasskeyButtonProps) {
  const isSupported = usePasskeySupport();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  async function use() {
    setBusy(true);
    setProblem('');
    try {
      const { options } = await loadOptions();
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

// The passkey library loads only when a passkey is used.
const library = () => import('@simplewebauthn/browser');

const never = () => () => {};

/** Whether this browser supports passkeys; false on the server. */
export const usePasskeySupport = () =>
  useSyncExternalStore(
    never,
    () => 'PublicKeyCredential' in globalThis,
    () => false,
  );

/** Creates a passkey. Throws `PasskeyCancelled` if the user cancels. */
export async function makePasskey(options: object) {
  const { startRegistration } = await library();
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }).catch(throwCancelled);
}

/** Signs a challenge with a passkey. Throws `PasskeyCancelled` if the user cancels. */
async function signWithPasskey(options: object) {
  const { startAuthentication } = await library();
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }).catch(throwCancelled);
}

/** Offers passkeys in the browser's autofill, while the page is open; undefined if unsupported or declined. */
export async function offerPasskeys(loadOptions: () => Promise<{ options: object }>) {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await library();
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  const { options } = await loadOptions();
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON, useBrowserAutofill: true }).catch(
    () => undefined,
  );
}

/** Ends the autofill offer, for example when the form is left. */
export async function endOffer() {
  const { WebAuthnAbortService } = await library();
  WebAuthnAbortService.cancelCeremony();
}

class PasskeyCancelled extends Error {}

// Browsers do not report whether the user was absent, declined or has no passkey.
function throwCancelled(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') throw new PasskeyCancelled('This device already has a passkey for your account.');
  throw new PasskeyCancelled('No passkey was used. You can try again, or go on without one.');
}
