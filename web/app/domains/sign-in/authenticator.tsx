import type { OutputOf } from '@handwise/contract/calls';
import { site } from '@handwise/contract/site/site';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import styles from './security.module.css';
import { CopyButton } from '../../ui/forms/copy-button.tsx';

// Draws the QR code, which only this needs.
const AuthenticatorSetup = lazy(async () => ({ default: (await import('./authenticator-setup.tsx')).AuthenticatorSetup }));

type Security = OutputOf<'GET /auth/security'>;
const failed = (error: Error) => toast(error.message, 'error');

/** The settings of the second sign-in step: set-up, new recovery codes, turning it off. */
export function Authenticator({ security, canAdd, onChanged }: { security: Security; canAdd: boolean; onChanged: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [setup, setSetup] = useState<OutputOf<'POST /auth/authenticator'> | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isRemoving, setIsRemoving] = useState(false);
  const begin = useMutation({
    mutationFn: () => call('POST /auth/authenticator', {}),
    onSuccess: setSetup,
    onError: failed,
  });
  const renew = useMutation({
    mutationFn: () => call('POST /auth/recovery-codes', {}),
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
    onError: failed,
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE /auth/authenticator', {}),
    onSuccess: ({ message }) => {
      toast(message);
      onChanged();
      heading.current?.focus();
    },
    onError: failed,
    onSettled: () => setIsRemoving(false),
  });
  const showCodes = (next: readonly string[]) => {
    setSetup(null);
    setCodes(next);
  };
  const closeCodes = () => {
    setCodes(null);
    onChanged();
    heading.current?.focus();
  };

  return (
    <section className={styles.section} aria-labelledby="second-step">
      <h2 id="second-step" ref={heading} tabIndex={-1}>
        Second step
      </h2>
      {security.authenticator ? (
        <>
          <p>
            <span className={styles.badge}>On</span> After your password, signing in asks for a code from your authenticator app.
          </p>
          <p>
            {security.recoveryCodesLeft === 0
              ? 'You have no recovery codes left. Make new ones, so that losing your phone does not lock you out.'
              : `${security.recoveryCodesLeft} of your recovery codes are left.`}
          </p>
          <div className={styles.buttons}>
            <Button kind="secondary" busy={renew.isPending} onClick={() => renew.mutate()}>
              New recovery codes
            </Button>
            <Button kind="quiet" onClick={() => setIsRemoving(true)}>
              Turn the second step off
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            With an authenticator app on your phone, nobody can sign in with your password alone. Any such app will do: Google
            Authenticator, Microsoft Authenticator, 1Password or the Passwords app on an iPhone.
          </p>
          <div className={styles.buttons}>
            {canAdd ? (
              <Button kind="secondary" busy={begin.isPending} onClick={() => begin.mutate()}>
                Set up an authenticator app
              </Button>
            ) : (
              <p>Available once your email address is confirmed.</p>
            )}
          </div>
        </>
      )}
      <Dialog open={setup !== null} onClose={() => setSetup(null)} title="Set up your authenticator app">
        {setup && (
          <Suspense fallback={<LoadingView />}>
            <AuthenticatorSetup setup={setup} onConfirmed={showCodes} />
          </Suspense>
        )}
      </Dialog>
      <Dialog open={codes !== null} onClose={closeCodes} title="Keep your recovery codes">
        {codes && <RecoveryCodes codes={codes} onSaved={closeCodes} />}
      </Dialog>
      <Dialog
        open={isRemoving}
        onClose={() => setIsRemoving(false)}
        title="Turn the second step off?"
        actions={
          <>
            <Button kind="secondary" onClick={() => setIsRemoving(false)}>
              Keep it
            </Button>
            <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              Turn it off
            </Button>
          </>
        }
      >
        <p>Your password alone will sign you in, and your recovery codes will stop working.</p>
      </Dialog>
    </section>
  );
}

/** Recovery codes, shown only once: to copy, download or print. */
function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const text = `Recovery codes for ${site.name}. Each works once.\n\n${codes.join('\n')}\n`;
  return (
    <div className={styles.setup}>
      <p>
        Lost your phone? One of these codes signs you in instead. Each works once. Keep them somewhere other than your phone: they are only
        shown now.
      </p>
      <ul className={styles.codes} data-printed="">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyButton
          text={text}
          label="Copy"
          copiedMessage="Recovery codes copied"
          failedMessage="The codes could not be copied. Please download them."
        />
        <a className={styles.download} href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} download="recovery-codes.txt">
          Download
        </a>
        <Button kind="secondary" onClick={() => print()}>
          Print
        </Button>
      </div>
      <Button wide onClick={onSaved}>
        I have kept them
      </Button>
    </div>
  );
}
